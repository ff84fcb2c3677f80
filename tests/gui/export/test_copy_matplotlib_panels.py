"""Copied Matplotlib scripts of clocks, ways, unseen angles, the gallery and the scorecard: they draw the same numbers.

The scripts run in a process that knows no PosEnc, in which warnings are errors.
"""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from amounts import some
from documents import with_values
from panel_bench import shown
from pixels import rgb, settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from snippet_cases import EVERY

from posenc_core import ENCODINGS, Alibi, Document, LearnedTable, Linear, Rotary, Sinusoidal, Yarn
from posenc_core.analysis import full_angles, three_ways, way_scores
from posenc_core.encodings import Fope, at_length, n_whole_pairs, pair_angles, turning_pairs
from posenc_core.gallery import PROPERTIES, Scorecard
from posenc_core.long_context import NEVER, unseen_angles
from posenc_core.session import LETTERS, NamedEncoding, compared_encodings
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS, figure_class
from posenc_gui.panels.unseen.painter import unseen_colours
from posenc_gui.panels.ways.numbers import WaysView

HARMONIC = tuple(each for each in EVERY if turning_pairs(each) and n_whole_pairs(each))
PLACES = (0, 5, 100, 123_456)
UNITS = {"turns": (1 / (2 * math.pi), " turns"), "degrees": (180 / math.pi, "°"), "radians": (1.0, " rad")}
SCRIPTED = ("lens", "ways", "unseen", "gallery", "scorecard")


def figure_of(qtbot, name, document, cursor=None, style=LIGHT):
    """The panel's figure with the document, made without a window."""
    figure = figure_class(name)(style)
    figure.resize(900, 600)
    figure.show_document(document)
    figure.show_cursor(cursor)
    return figure


def compared(*encodings, **view):
    named = [NamedEncoding(each, f"$_x{index}") for index, each in enumerate(encodings)]
    return with_values(Document("the quick brown fox", seq_len=24), **view).with_encodings(named, 0)


def test_clocks_have_the_hands_the_trails_and_the_bits_of_the_lens(qtbot, run_plots, amount, count):
    cases = []
    for index, encoding in enumerate(HARMONIC[:: amount(21, 7)]):
        unit, n_clocks = list(UNITS)[index % 3], (8, 16, 3)[index % 3]
        document = compared(encoding, angle_unit=unit, n_clocks=n_clocks)
        cursor = None if index % 5 == 0 else Cursor(PLACES[index % 4], 0)
        figure = figure_of(qtbot, "lens", document, cursor, (LIGHT, DARK)[index % 2])
        cases.append((figure.document.encoding, unit, figure.view().lens, figure.script()))
    for (encoding, unit, view, script), found in zip(cases, run_plots([case[-1] for case in cases]), strict=True):
        position, pairs = view.position, view.pairs
        hands = pair_angles(encoding, np.array([position]), pairs)[0]
        trail = pair_angles(encoding, np.arange(max(0, position - 64), position), pairs)
        factor, sign = UNITS[unit]
        words = found["words"].tolist()
        for at, pair in enumerate(pairs.tolist()):
            tips = np.array([[0, 0], [math.cos(hands[at]), math.sin(hands[at])]])
            assert np.allclose(found[f"line {at} 1"], tips, atol=1e-9), (encoding, position, pair)
            dots = np.stack([np.cos(trail[:, at]), np.sin(trail[:, at])], axis=1)
            assert np.allclose(found[f"dots {at} 0"], dots, atol=1e-9), (encoding, position, pair)
            angle = float(full_angles(encoding, position)[pair]) * factor + 0.0  # no minus before zero
            assert f"{angle:.3g}{sign}" in words, (encoding, position, pair)
            assert f"pair {pair}\ncolumns {view.columns[0][at]}, {view.columns[1][at]}" in words
        bits = next(each for key, each in found.items() if key.startswith("image"))
        assert bits.astype(int).tolist() == [list(view.bits)]
        bars = next(each for key, each in found.items() if key.startswith("bars"))
        assert np.allclose(np.exp(2j * np.pi * bars), np.exp(1j * hands), atol=1e-9)
        assert f"position {position}" in words
        assert len(script.splitlines()) < 90
    count("copied Matplotlib scripts run", len(cases))


def test_three_ways_have_the_scores_and_the_caution_of_the_panel(qtbot, run_plots, amount, count):
    rotary = [each for each in HARMONIC if isinstance(each, Rotary)]
    views = ({}, {"query_vector": (0.5, -2.0, 1.25), "key_vector": (3.0,), "both_shift": 40, "query_position": 1000})
    cases = [(each, views[index % 2]) for index, each in enumerate(rotary[:: amount(15, 5)])]
    scripts = [figure_of(qtbot, "ways", compared(each, **view)).script() for each, view in cases]
    for (encoding, fields), found in zip(cases, run_plots(scripts), strict=True):
        document = compared(encoding, **fields)
        encoding = document.encoding  # whose scaling follows the document's length
        view = document.view
        query_at, key_at, shift = map(document.value, ("query_position", "key_position", "both_shift"))
        q, k = (np.resize(each, encoding.head_dim).astype(float) for each in (view.query_vector, view.key_vector))
        scores = way_scores(encoding, q, k, query_at, key_at, np.arange(129))
        tolerance = 1e-8 * (1 + np.linalg.norm(q) * np.linalg.norm(k)) * encoding.attention_factor**2
        words = found["words"].tolist()
        ways = three_ways(encoding, q, k, query_at + shift, key_at + shift)
        for index, way in enumerate(ways):
            x, y = found[f"line 0 {index}"].T
            assert x.tolist() == list(range(129))
            assert np.allclose(y, scores[index], rtol=1e-9, atol=tolerance), encoding
            (label,) = [str(word) for word in words if word.startswith(f"{way.name}: score ")]
            score = float(label.partition(": score ")[2].partition(",")[0])
            assert score == pytest.approx(way.score, rel=1e-5, abs=1e-3), encoding
            assert any(word.endswith(f"|q|² {way.query_square:.6g}") for word in words), encoding
        assert found["line 0 3"][:, 0].tolist() == [shift, shift]
        assert WaysView.of(document).summary() in words
    count("copied Matplotlib scripts run", len(cases))


def drawn_firsts(corners, n_pairs, target):
    """The position at which the filled area of each pair begins, its target length where nothing is filled."""
    firsts = {}
    for (x, y), (next_x, next_y) in pairwise(corners.tolist()):
        if x == next_x and next_y - y == 1:
            firsts[round(y + 0.5)] = x
    return [firsts[pair] for pair in range(n_pairs)]


def drawn_arcs(corners, n_pairs):
    """Whether the area of the trained arcs reaches over the row of each pair."""
    reaches = [False] * n_pairs
    for (x, y), (next_x, next_y) in pairwise(corners.tolist()):
        if x == next_x and x > 0 and abs(next_y - y) == 1:
            reaches[round(min(y, next_y) + 0.5)] = True
    return reaches


SCALINGS = ("linear", "ntk", "dynamic", "ntk_by_parts", "yarn", "llama3")


def unseen_documents(step, n_drawn):
    """A to D of tables with sines: every kind of scaling, lengths of both sizes, both axes; then drawn ones."""
    for index in range(0, len(HARMONIC) - 3, step):
        trained, target = ((None, None), (100, 1000), (7, 7))[index % 3]
        yield compared(
            *HARMONIC[index : index + 4],
            logarithmic=bool(index % 2),
            compared_scalings=SCALINGS[index % 6 :],
            trained_length=trained,
            target_length=target,
        )
    chance = random.Random(7)
    for index in range(n_drawn):
        first = Rotary(2) if index == 0 else chance.choice(HARMONIC)
        trained = chance.randint(1, 9000)
        yield compared(
            first,
            *chance.sample(HARMONIC, 3),
            logarithmic=chance.random() < 0.5,
            compared_scalings=tuple(chance.sample(SCALINGS, chance.randint(0, 6))),
            trained_length=trained,
            target_length=trained * chance.choice((1, 2, 5, 40)),
        )


def with_a_map(document):
    """The scalings of A with a map, then B to D: of scalings with the same rates and factor only the first has one."""
    target, kept = document.lengths.target, []
    comparison = compared_encodings(document.encoding, document.view.compared_scalings, document.lengths)
    for each in comparison.encodings:
        turning = at_length(each.encoding, target)
        factor = 1.0 if turning.rotation is None else turning.rotation.attention_factor
        rates = np.append(turning.frequencies(), factor)
        if each.name == "present" or not any(np.allclose(rates, other, rtol=1e-12, atol=0) for other, _ in kept):
            kept.append((rates, each.encoding))
    return [encoding for _, encoding in kept] + [each.encoding for each in document.encodings[1:]]


def test_maps_of_unseen_angles_have_the_same_thresholds(qtbot, run_plots, amount, count):
    documents = list(unseen_documents(amount(60, 15), amount(2, 100)))
    figures = [figure_of(qtbot, "unseen", document) for document in documents]
    scripts = [figure.script() for figure in figures]
    n_maps = 0
    for document, script, found in zip(documents, scripts, run_plots(scripts), strict=True):
        lengths, words = document.lengths, found["words"].tolist()
        encodings = with_a_map(document)
        assert sum(key.startswith("area ") and key.endswith(" 1") for key in found) == len(encodings)
        for at, encoding in enumerate(encodings):
            target = lengths.target
            angles = unseen_angles(at_length(encoding, target), lengths.trained, target)
            n_pairs = len(angles.first)
            wanted = np.where(angles.first == NEVER, target, angles.first)
            assert drawn_firsts(found[f"area {at} 1"], n_pairs, target) == wanted.tolist(), encoding
            arcs = found[f"area {at} 0"]
            assert drawn_arcs(arcs, n_pairs) == (~angles.is_complete).tolist(), encoding
            count_words = f"{angles.count} of {n_pairs} pairs reach unseen angles at {target:,}"
            assert any(str(word).endswith(count_words) for word in words), (encoding, count_words)
            assert found[f"line {at} 0"][:, 0].tolist() == [lengths.trained] * 2
            n_maps += 1
        assert ("xscale='log'" in script) == document.view.logarithmic
    assert n_maps > amount(10, 40)
    count("copied Matplotlib scripts run", len(scripts))


def test_the_yarn_of_the_map_names_its_attention_factor(qtbot, run_plots):
    document = compared(Rotary(64, scaling=Yarn(4.0, 4096)), compared_scalings=("yarn",))
    (found,) = run_plots([figure_of(qtbot, "unseen", document).script()])
    words = [str(word).partition("\n")[0] for word in found["words"]]
    assert "YaRN, present, attention factor 1.139" in words
    assert {"never seen", "inside the trained arc", "full circle seen in training"} <= set(words)


@pytest.mark.parametrize("family", some(["none", "sinusoidal", "t5", "rotary"], "rotary"))
def test_the_gallery_has_every_familys_table(family, qtbot, run_plots, count):
    document = Document("the quick brown fox", seq_len=24).edited("family", family)
    figure = figure_of(qtbot, "gallery", document)
    script = figure.script()
    (found,) = run_plots([script])
    words = found["words"].tolist()
    for at, (card, story) in enumerate(zip(figure._cards, figure.view().families, strict=True)):
        drawn = card.drawn(story.title, "")
        encoding, positions = drawn.encoding, np.array(drawn.positions)
        entries = encoding.values(positions, np.arange(encoding.n_columns))
        assert np.allclose(found[f"image {2 * at + 1} 0"], entries, rtol=1e-12, atol=1e-12), story.title
        for row, (column, _) in enumerate(drawn.curves):
            x, y = found[f"line {2 * at} {row}"].T
            is_whole = np.isin(x, positions)
            assert is_whole.sum() == len(positions)
            heights = card._rows.height(entries[:, column]) + row
            assert np.allclose(y[is_whole], heights, atol=1e-9), story.title
        assert any(word.startswith(story.title) for word in words)
        assert f"# {encoding.title}: " in script
    assert any("simulated (seed 0)" in word for word in words)
    count("copied Matplotlib scripts run", 1)


@pytest.mark.parametrize("panel", ["waves", "gallery", "difference"])
def test_curves_of_numbers_that_are_written_out_run_from_position_to_position(panel, qtbot, run_plots):
    """A family of curves without a formula, and a formula with an angle that is left out."""
    parameters = {"formula": "1/p", "formula_kind": "angle", "d_model": 8}
    encodings = ENCODINGS["formula"].from_parameters(parameters), Fope(64), Sinusoidal(8)
    documents = [compared(*each, seq_len=24, compared_panel="waves") for each in pairwise(encodings)]
    found = run_plots([shown(qtbot, panel, document, (960, 480)).figure.script() for document in documents])
    for document, drawn in zip(documents, found, strict=True):
        curves = [curve for name, curve in drawn.items() if name.startswith("line")]
        assert any(np.array_equal(x, range(len(x))) for x, _ in (curve.T for curve in curves))
        if panel == "waves":
            heights = document.encoding.values(np.arange(24), np.array([0]))[:, 0]
            assert np.corrcoef(drawn["line 0 1"][:, 1], heights)[0, 1] > 0.999999


def test_the_gallery_of_a_long_text_is_refused_in_a_sentence(qtbot):
    figure = figure_of(qtbot, "gallery", Document("a " * 60_000, seq_len=100_000, encoding=Sinusoidal(512)))
    with pytest.raises(ValueError, match=r"^the script would compute [\d,]+ numbers, .* type a shorter sentence$"):
        figure.script()


def test_the_gallery_leaves_out_a_family_without_a_value(qtbot, run_plots):
    table = LearnedTable.from_array(np.ones((4, 3)), "far\nimport sys", -100)
    script = figure_of(qtbot, "gallery", Document("a b", seq_len=9, encoding=table)).script()
    assert "# without a value at any token: Learned table" in script
    (found,) = run_plots([script])
    assert not any("Learned" in str(word) for word in found["words"])


SCORED = (Rotary(64), Sinusoidal(7), LearnedTable.untrained(30, 4), Alibi(8))


@pytest.mark.parametrize("encoding", some(SCORED, Rotary(64)), ids=str)
def test_the_scorecard_has_the_measured_numbers_and_what_they_measure(encoding, qtbot, run_plots, count):
    document = Document("the quick brown fox", seq_len=24, encoding=encoding)
    script = figure_of(qtbot, "scorecard", document).script()
    (found,) = run_plots([script])
    card, words = Scorecard.of(document), found["words"].tolist()
    for family, scores in zip(card.families, card.compute(), strict=True):
        assert family.title in words
        for score in scores:
            text = score.sign if score.number is None else f"{score.text} {score.sign}"
            assert text in words
            assert f"({score.number!r}, {text!r}, {score.grade!r}),  # {score.detail}\n" in script
    assert {each.title.replace(" ", "\n") for each in PROPERTIES} <= set(words)
    assert script.startswith(
        "# Scorecard, with the numbers that were measured\n# measured on a text of 24 positions, the 4 tokens of the "
        "sentence, and the trained length L = 4,096\n"
    )
    count("copied Matplotlib scripts run", 1)


def test_a_scorecard_that_is_not_complete_yet_has_no_script(qtbot):
    panel = shown(qtbot, "scorecard", Document("a b", seq_len=200))
    panel.figure.show_document(Document("a b c", seq_len=9999, encoding=Sinusoidal(4096)))
    with pytest.raises(ValueError, match="the table is not complete yet"):
        panel.figure.script()


def test_a_panel_that_lacks_something_says_what_it_needs(qtbot):
    bias = Document(encoding=Alibi(4))
    for name in ("lens", "ways", "unseen", "spectrum", "precision"):
        figure = figure_of(qtbot, name, bias)
        with pytest.raises(ValueError, match=f"^{figure.spec.needs.sentence}$"):
            figure.script()


def test_every_panel_has_a_script_in_its_menu(window):
    encodings = [NamedEncoding(Rotary(8)), NamedEncoding(Rotary(8, scaling=Linear(4.0)), LETTERS[1])]
    window.store.replace(Document("a b c", seq_len=12).with_encodings(encodings, 0), "RoPE")
    for name in PANELS:
        if name == "difference":
            continue
        window.workspaces.show_panel(name, True)
        panel = window.panels[name]
        panel.setFocus(Qt.FocusReason.MouseFocusReason)
        settle()
        menu = window.menus.panel_menu(panel)
        (action,) = [each for each in menu.actions() if each.text() == "Copy as &Matplotlib"]
        if panel.figure.spec.missing(window.store.document) is not None or name in ("precision", "cache"):
            continue
        QGuiApplication.clipboard().clear()
        action.trigger()
        assert QGuiApplication.clipboard().text() == panel.figure.script(), name
        assert window.statusBar().currentMessage().endswith(f"that draws {panel.figure.spec.title}")


def test_the_legend_of_a_single_map_is_whole(qtbot, run_plots):
    (found,) = run_plots([figure_of(qtbot, "unseen", Document()).script()])
    row = found["pixels"][:24].astype(int)
    for colour in unseen_colours(LIGHT):
        square = (np.abs(row - rgb(colour)).max(axis=2) < 6).any(axis=0)
        assert square.sum() > 10
