"""A page in Debian's chromium: its numbers, pointing, keys, themes; no request, nothing in the console."""

import numpy as np
import pytest
from browser import Browser

from posenc_core import Document, IntegerIndex, Sinusoidal, tile
from posenc_gui.files import preset
from posenc_gui.look import DARK, LIGHT
from posenc_gui.webpage import write_page

pytestmark = pytest.mark.thorough

DOCUMENT = Document("Dan <b>loves</b> </script><img src=x onerror=alert(1)>", encoding=Sinusoidal(8), seq_len=20)


@pytest.fixture
def shown(tmp_path):
    """A function that opens a document's page in a browser; it fails for requests and for what the console says."""
    with Browser(tmp_path / "profile") as browser:

        def show(document=DOCUMENT):
            write_page(document, tmp_path / "page.html")
            browser.open(tmp_path / "page.html")
            return browser

        yield show
        assert browser.requests == [(tmp_path / "page.html").as_uri()]
        assert browser.trouble == []


BOX = """
    const heatmap = figures.find((each) => each instanceof Heatmap);
    const box = heatmap.box({position}, {column}, heatmap.area);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
"""


def cell(browser, position, column):
    """The place of a cell of the heatmap on the screen."""
    place = """
        heatmap.canvas.scrollIntoView();
        const canvas = heatmap.canvas.getBoundingClientRect();
        return [canvas.left + x, canvas.top + y];
    """
    return browser.run(f"(() => {{ {BOX.format(position=position, column=column)} {place} }})()")


def pixel(browser, position, column):
    """The colour of a cell of the heatmap, away from the cursor's frame."""
    read = """
        const copy = new OffscreenCanvas(1, 1).getContext("2d");
        copy.drawImage(heatmap.canvas, x, y, 1, 1, 0, 0, 1, 1);
        const parts = copy.getImageData(0, 0, 1, 1).data.slice(0, 3);
        return "#" + Array.from(parts, (part) => part.toString(16).padStart(2, "0")).join("");
    """
    return browser.run(f"(() => {{ {BOX.format(position=position, column=column)} {read} }})()")


def test_every_number_is_the_core_s_and_has_its_derivation(shown):
    browser = shown()
    found = browser.run("""Array.from({ length: 160 }, (_, i) => {
        moveTo(Math.floor(i / 8), i % 8);
        return [Number(byId("value").dataset.exact), byId("value").textContent, byId("derivation").textContent];
    })""")
    table = DOCUMENT.encoding.values(np.arange(20), np.arange(8))
    assert [exact for exact, _, _ in found] == table.ravel().tolist()
    assert [float(text.replace("−", "-")) for _, text, _ in found] == pytest.approx(table.ravel().tolist(), rel=1e-7)
    for (position, column), (_, _, derivation) in zip(np.ndindex(20, 8), found, strict=True):
        for step in DOCUMENT.encoding.explain(position, column).steps:
            assert step.text in derivation
    assert browser.run("document.querySelectorAll('#derivation math mfrac').length") > 0
    assert browser.run("document.querySelector('#derivation math').getBoundingClientRect().width") > 20


def test_pointing_moves_the_cursor_and_a_click_holds_it(shown):
    browser = shown()
    browser.point(*cell(browser, 7, 3))
    assert browser.text("words") == "position 7 · column 3 (pair 1, cos)"
    browser.point(*cell(browser, 9, 2), click=True)
    assert browser.text("held") == "held"
    browser.point(*cell(browser, 4, 5))
    assert browser.text("words") == "position 9 · column 2 (pair 1, sin)"
    browser.press("Escape")
    browser.point(*cell(browser, 4, 4))
    assert browser.text("words").startswith("position 4 ")


def test_keys_and_the_slider_move_the_cursor(shown):
    browser = shown()
    browser.press("End")
    assert browser.text("words") == "position 19 · column 0 (pair 0, sin)"
    for key in ("Home", "ArrowDown", "ArrowRight", "ArrowRight"):
        browser.press(key)
    assert browser.text("words") == "position 1 · “<b>loves</b>” · column 2 (pair 1, sin)"
    browser.run("document.querySelector('#waves canvas').focus()")
    for key in ("ArrowRight", "ArrowUp"):
        browser.press(key)
    assert browser.text("words").startswith("position 2 ")
    assert browser.text("words").endswith("column 3 (pair 1, cos)")
    browser.run("byId('slider').focus()")
    browser.press("ArrowRight")
    assert browser.text("words").startswith("position 3 ")


def test_each_mean_of_a_larger_table_is_reached_and_read_where_it_is_drawn(shown):
    document = Document("a b", encoding=Sinusoidal(700), seq_len=1001)
    browser = shown(document)
    for way, name in (("row(positionOf(cell))", "rows"), ("place(columnOf(cell))", "columns")):
        wrong = browser.run(f"[...Array(table.{name}).keys()].filter((cell) => {way} !== cell)")
        assert wrong == []
    means = tile(document.encoding, (0, 1001), (0, 700), (512, 512))
    browser.run("figures.find((each) => each instanceof Heatmap).canvas.focus()")
    browser.press("Home")
    for row in range(1, 30):
        browser.press("ArrowDown")
        at = browser.run("[row(cursor.position), place(cursor.column), meanAt(cursor.position, cursor.column)]")
        assert at[0] == row
        assert at[2] == pytest.approx(means[row, at[1]], abs=3e-7)


def test_a_hostile_sentence_is_text(shown):
    browser = shown()
    assert browser.run("document.images.length") == 0
    assert browser.run("document.querySelectorAll('main b, aside b, header b').length") == 1, "the value's own"
    assert "</script><img src=x onerror=alert(1)>" in browser.text("caption")


def test_colours_follow_the_reader_s_system(shown):
    browser = shown()
    for style in (LIGHT, DARK):
        browser.show_theme(style.name)
        ground = tuple(int(style.ground[part : part + 2], 16) for part in (1, 3, 5))
        assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb({}, {}, {})".format(*ground)
        shade = browser.run("'#' + content.style[theme()].map.slice(6 * levels[5 * 8 + 3], 6 * levels[5 * 8 + 3] + 6)")
        assert pixel(browser, 5, 3) == shade


def test_the_spectrum_follows_the_pair_of_the_column(shown):
    document = preset("llama-3.1-8b", Document())
    browser = shown(document)
    for column, pair in ((5, 5), (64 + 20, 20), (64 + 45, 45), (63, 63)):
        browser.run(f"moveTo(0, {column})")
        browser.drawn()
        told = browser.run("document.querySelector('#spectrum .legend li:nth-child(2)').textContent")
        wavelength = document.encoding.column_info(pair).wavelength
        assert float(told.rpartition(" ")[2].replace(",", "")) == pytest.approx(wavelength, rel=1e-5)


SQUEEZED = """(() => {
    const found = [], canvas = CanvasRenderingContext2D.prototype, write = canvas.fillText;
    canvas.fillText = function (words, x, y, widest) {
        if (widest < 0.74 * this.measureText(words).width) found.push(words);
        write.call(this, words, x, y, widest);
    };
    figures.forEach((each) => each.paint());
    canvas.fillText = write;
    return found;
})()"""


@pytest.mark.parametrize(
    "document", [DOCUMENT.edited("sentence", "Dan " + "x" * 500), preset("llama-3.1-8b", Document())]
)
def test_no_words_are_squeezed_until_nobody_can_read_them_on_a_telephone(shown, document):
    browser = shown(document)
    browser.call("Emulation.setDeviceMetricsOverride", width=400, height=900, deviceScaleFactor=1, mobile=False)
    browser.drawn()
    assert browser.run(SQUEEZED) == []


@pytest.mark.parametrize("width", [1440, 600, 400])
def test_nothing_is_wider_than_the_window(shown, width):
    browser = shown(DOCUMENT.edited("sentence", "Dan " * 200 + "x" * 500))
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.drawn()
    assert browser.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        (Sinusoidal(4), ["0.000", "1.000", "0.000", "1.000", "0.841", "0.540", "0.010", "1.000"]),
        (IntegerIndex(4), ["0"] * 4 + ["1"] * 4),
    ],
)
def test_numbers_in_boxes_have_the_same_number_of_decimals(shown, encoding, written):
    browser = shown(Document("two words", encoding=encoding, seq_len=8))
    found = "const boxes = figures.find((each) => each instanceof Tokens); "
    assert (
        browser.run(f"(() => {{ {found} return Array.from(boxes.values, (each) => boxes.written(each)); }})()")
        == written
    )
    assert browser.run(f"(() => {{ {found} return boxes.written(-0.0001); }})()") in ("0.000", "−0.0001")
