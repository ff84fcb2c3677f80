"""Copied Matplotlib scripts of plots of lines: they draw the same lines, in a process that knows no PosEnc."""

import re

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown

from posenc_core import Alibi, Document, DynamicNtk, LearnedTable, Rotary, Sinusoidal, T5Bias, Yarn
from posenc_core.encodings import DistanceRemap
from posenc_core.session import NamedEncoding
from posenc_gui.figures.lines import line_pen
from posenc_gui.figures.lines.line_figure import LineFigure
from posenc_gui.look.style import LIGHT
from posenc_gui.panels import PANELS, figure_class, spec_of

LINE_PANELS = tuple(name for name in PANELS if issubclass(figure_class(name), LineFigure))


def compared(*encodings, **view):
    named = [NamedEncoding(each, f"$_x{index}") for index, each in enumerate(encodings)]
    return with_values(Document(), **view).with_encodings(named, 0)


DOCUMENTS = (
    compared(Rotary(64), Rotary(64, rope_theta=5e5), Rotary(64, scaling=Yarn(4.0, 4096)), Sinusoidal(8)),
    compared(Rotary(16), score_mode="independent", arithmetic="float32", shift_without_cosines=True),
    compared(Sinusoidal(8), Sinusoidal(8, base=500.0)),
    compared(Rotary(16, scaling=DynamicNtk(4.0, 64, 60)), target_length=256),
    compared(Alibi(8), T5Bias(32, 128, False, 4), score_weights=True),
    compared(DistanceRemap()),
    compared(LearnedTable.from_array(np.arange(60.0).reshape(15, 4) % 7, "an array")),
)


def drawn_parts(plots):
    """Each plot, the title of its upright axis, and its lines; lines on axes of their own are plots of their own."""
    for plot in plots:
        yield plot, plot.y_scale.title, [line for line in plot.lines if line.scale is None]
        yield from ((plot, line.scale.title, [line]) for line in plot.lines if line.scale is not None)


def test_each_plot_of_lines_is_drawn_by_its_script(qtbot, run_plots, amount, count):
    cases, scripts = [], []
    for document in DOCUMENTS:
        for name in LINE_PANELS:
            if spec_of(name).missing(document) is not None:
                continue
            if [case[0] for case in cases].count(name) == amount(1, len(DOCUMENTS)):
                continue
            panel = shown(qtbot, name, document)
            if not panel.figure.problem:
                qtbot.waitUntil(lambda panel=panel: "% done" not in panel.figure.pointing.note())
                panel.figure.viewport.reset()
                scripts.append(panel.figure.script())
                cases.append((name, panel.figure.view().plots))
    assert {name for name, _ in cases} == set(LINE_PANELS)
    for (name, plots), found in zip(cases, run_plots(scripts), strict=True):
        words = [str(word) for word in found["words"]]
        for at, (plot, title, lines) in enumerate(drawn_parts(plots)):
            assert plot.x_scale.title in words, name
            assert title in words, name
            for index, line in enumerate(lines):
                x, y = found[f"line {at} {index}"].T
                if name == "spectrum":  # whose script computes the numbers of each line's own pairs
                    np.testing.assert_array_equal(x, plot.x[: len(x)])
                    np.testing.assert_allclose(y, line.y[: len(x)], rtol=1e-12)
                    assert np.isnan(line.y[len(x) :]).all()
                elif len(x) == len(plot.x):
                    np.testing.assert_array_equal(x, plot.x)
                    np.testing.assert_array_equal(y, line.y)
                else:  # the extremes of each stretch
                    assert set(x) <= set(plot.x)
                    assert (np.nanmin(y), np.nanmax(y)) == (np.nanmin(line.y), np.nanmax(line.y))
    count("copied Matplotlib scripts of lines run", len(scripts))


def test_names_of_lines_are_above_the_plot(qtbot, run_plots):
    """Inside it they would cover its lines, and the words of the trained length."""
    panel = shown(qtbot, "spectrum", DOCUMENTS[0])
    (found,) = run_plots([panel.figure.script()])
    pixels = found["pixels"].astype(int)
    frames = np.nonzero((pixels[:, 60:-60] < 90).all(axis=(1, 2)))[0]  # rows that are dark from end to end
    above = pixels[: frames[0]]
    for line in panel.figure.view().plots[0].lines:
        colour = line_pen(LIGHT, line.look).color()
        assert (np.abs(above - colour.getRgb()[:3]).max(axis=2) < 20).any(), line.name


def test_the_script_has_the_part_in_view_and_the_lines_looks(qtbot, run_plots):
    panel = shown(qtbot, "spectrum", DOCUMENTS[0])
    area = panel.figure.area
    area.show_window((9.5, 20.5), area.upright)
    script = panel.figure.script()
    (found,) = run_plots([script])
    assert found["line 0 0"][:, 0].tolist() == list(range(32))
    assert "ax.set(xlabel='pair, fast to slow', xlim=(9.5, 20.5))" in script
    assert "L 4,096" in [str(word) for word in found["words"]]
    assert script.startswith("# Rotary (RoPE)")
    assert not re.search(r"\d\.\d{6,}, \d\.\d{6,}", script), "numbers are computed"
    assert len(script.splitlines()) < 150


def test_a_picture_that_is_not_complete_yet_has_no_script(qtbot):
    panel = shown(qtbot, "precision", DOCUMENTS[0])
    panel.figure.show_document(compared(Rotary(4096), arithmetic="llama_cpp"))
    with pytest.raises(ValueError, match="the picture is not complete yet"):
        panel.figure.script()
