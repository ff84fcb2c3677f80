"""Edit > Copy panels as Matplotlib: one script draws all panels on the screen, in a process that knows no PosEnc."""

import re

import numpy as np
import pytest
from dialogs import dismiss, words_of
from pixels import settle
from PySide6.QtGui import QGuiApplication

from posenc_core import Document, Rotary, Yarn
from posenc_gui.export import Mosaic, Picture, PictureOptions, image_of, parsed_grid, parsed_page
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.files import preset
from posenc_gui.panels import spec_of


def copied(window) -> str:
    window.menus.actions["copy_matplotlib_all"].trigger()
    return QGuiApplication.clipboard().text()


def test_the_script_of_three_panels_draws_the_numbers_of_each_with_letters(window, run_plots):
    window.store.replace(Document("the quick brown fox", seq_len=24), "words")
    for panel in window.panels.values():
        panel.figure.viewport.reset()
    alone = run_plots([window.panels[name].figure.script() for name in ("waves", "heatmap", "tokens")])
    (found,) = run_plots([copied(window)])
    assert [word for word in found["words"] if word.startswith("(")] == ["(a) ", "(b) ", "(c) "]
    values = window.store.document.encoding.values(np.arange(24), np.arange(8))
    pictures = [value for name, value in found.items() if name.startswith("image")]
    assert any(picture.shape == values.shape and np.allclose(picture, values) for picture in pictures)
    for each in alone:
        for name, drawn in each.items():
            if name.startswith(("line", "image")):
                kind = name.split()[0]
                same = [value for other, value in found.items() if other.startswith(kind)]
                assert any(value.shape == drawn.shape and np.allclose(value, drawn, equal_nan=True) for value in same)
    message = window.statusBar().currentMessage()
    assert message.startswith("Copied a Matplotlib script of ")
    assert message.endswith(" lines that draws Waves, Heatmap, Tokens")


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("document", "panels", "grid", "page"),
    [
        (Document("the quick $x$ \\fox_{a", seq_len=24), ("waves", "heatmap"), "2x1", "column"),
        (
            Document("the quick brown fox", seq_len=24),
            ("waves", "heatmap", "tokens", "similarity"),
            "2x2",
            "two-columns",
        ),
        (preset("llama-3.1-8b"), ("spectrum", "scores"), "1x2", "174x80mm"),
        (preset("llama-3.1-8b"), ("lens", "spectrum", "scores", "similarity"), "2x2", "two-columns"),
    ],
)
def test_the_script_of_an_exported_figure_has_its_size_letters_and_caption(
    qapp, run_plots, document, panels, grid, page
):
    figure = Mosaic(tuple(Picture(panel, document) for panel in panels), parsed_grid(grid))
    options = PictureOptions(page=parsed_page(page, 300.0))
    exported, told = image_of(figure, options), picture_bytes(figure, "txt", options).decode().strip()
    (found,) = run_plots([picture_bytes(figure, "py", options).decode()])
    words = found["words"].tolist()
    letters = [word[:3] for word in words if re.fullmatch(r"\([a-z]\) (position \d+)?", word)]
    assert letters == ["(a)", "(b)", "(c)", "(d)"][: len(panels)]
    assert told in [" ".join(word.splitlines()) for word in words]
    height, width = found["pixels"].shape[:2]
    scale = 2.0 * 96 / 100  # pixels of the two for each other
    assert (abs(width * scale - exported.width()), abs(height * scale - exported.height())) < (4, 4)
    assert (found["pixels"][:, [0, -1]] == 255).all(), "the caption is cut off at no edge"


MEASURED = """
fig.canvas.draw()
boxes = [axes.title.get_window_extent() for axes in fig.axes if axes.title.get_text()]
assert len(boxes) == 5
boxes += [part.legends[0].get_window_extent() for part in fig.subfigs if part.legends]
assert len(boxes) == 9
for axes in fig.axes[:5]:
    numbers = zip(axes.get_xticks(), axes.get_xticklabels())
    boxes += [label.get_window_extent() for place, label in numbers if 0 <= place <= 65536]
assert all(box.x0 >= 0 for box in boxes)
assert not [box for index, box in enumerate(boxes) if box.count_overlaps(boxes[:index])]
"""


def test_titles_and_legend_of_unseen_angles_do_not_meet_beside_other_panels(qapp, run_plots):
    document = preset("yarn-llama-2-64k")
    pictures = tuple(Picture(panel, document) for panel in ("unseen", "spectrum", "precision", "scores"))
    options = PictureOptions(page=parsed_page("two-columns", 300.0))
    script = picture_bytes(Mosaic(pictures, parsed_grid("2x2")), "py", options).decode()
    (found,) = run_plots([script.replace("plt.show()", MEASURED)])
    assert "as trained\n18 of 64 pairs …" in found["words"]


WORDS_OF_RULES = """
fig.canvas.draw()
boxes = [text.get_window_extent() for text in fig.axes[0].texts]
assert len(boxes) == 2
assert not boxes[0].overlaps(boxes[1])
plt.show()
"""


def test_the_words_of_two_upright_lines_do_not_meet_beside_another_panel(qapp, run_plots):
    both = preset("llama-2-7b").encodings + preset("phi-3-mini-128k").encodings
    document = preset("llama-2-7b").with_encodings(both, 0)
    figure = Mosaic(tuple(Picture(panel, document) for panel in ("scores", "drift")), parsed_grid("1x2"))
    script = picture_bytes(figure, "py", PictureOptions(page=parsed_page("two-columns", 300.0))).decode()
    (found,) = run_plots([script.replace("plt.show()", WORDS_OF_RULES)])
    assert {"A first negative 1,707", "B first negative 2,533"} <= set(found["words"])


def test_a_script_of_one_panel_is_the_one_that_is_copied(window, run_plots):
    document = window.store.document
    content = picture_bytes(Picture("waves", document), "py", PictureOptions())
    for panel in window.panels.values():
        panel.figure.viewport.reset()
    drawn, alone = run_plots([content.decode(), window.panels["waves"].figure.script()])
    lines = [name for name in alone if name.startswith("line")]
    assert lines
    assert all(np.allclose(drawn[name], alone[name]) for name in lines)


def is_measured(window) -> bool:
    """Whether all cells of the scorecard are known."""
    if "scorecard" not in window.workspaces.seen:
        return True
    return all(None not in row for row in window.panels["scorecard"].figure.view().scores)


@pytest.mark.thorough
def test_clocks_cards_and_curves_keep_their_own_titles_and_colours_in_one_script(qtbot, window, run_plots):
    window.store.replace(Document("a b c", seq_len=24).with_encoding(Rotary(16, scaling=Yarn(4.0, 64))), "a rotation")
    scripts = []
    for name in ("rotation", "story"):
        window.workspaces.choose(name)
        settle()
        qtbot.waitUntil(lambda: is_measured(window))
        script = copied(window)
        drawn = [panel for panel in window.workspaces.seen if f"def draw_{panel}(fig):" in script]
        lacking = [panel for panel in window.workspaces.seen if spec_of(panel).missing(window.store.document)]
        assert set(drawn) | set(lacking) == set(window.workspaces.seen), name
        scripts.append(script)
    for found in run_plots(scripts):
        assert "(a)" in "".join(found["words"])


def test_without_a_panel_to_draw_a_sentence_says_so_and_the_clipboard_stays(window, answers):
    QGuiApplication.clipboard().setText("mine")
    for name in window.workspaces.shown:
        window.workspaces.show_panel(name, False)
    said = []
    answers.expect(lambda dialog: (said.append(words_of(dialog)), dismiss(dialog)))
    assert copied(window) == "mine"
    assert "o panel on the screen can be drawn now" in said[0]
