"""Every kind of sentence in every panel: none, one word, very long ones, other scripts."""

import pytest
from documents import with_values
from panel_bench import VECTOR_PANELS, shown
from pixels import coverage, item_rect, painted_words, pixels_of, texts
from PySide6.QtGui import QFontMetricsF

from posenc_core import Document, Sinusoidal
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor

KINDS = [*VECTOR_PANELS, "transposed"]


def made(qtbot, kind, sentence, size=(640, 420), **more):
    document = with_values(Document(sentence, **more), transpose=kind == "transposed")
    return shown(qtbot, "heatmap" if kind == "transposed" else kind, document, size)


def test_without_a_token_the_tokens_say_what_to_do(qtbot):
    for sentence in ("", " \t\n "):
        panel = made(qtbot, "tokens", sentence)
        assert texts(panel.view) == ["Type a sentence above"]
        panel.show_cursor(Cursor(0, 0))
        assert texts(panel.view) == ["Type a sentence above"]
    panel.show_document(Document("now"))
    assert "now" in texts(panel.view)
    assert "Type a sentence above" not in texts(panel.view)


@pytest.mark.parametrize("kind", ["waves", "heatmap", "transposed"])
def test_without_a_token_the_table_is_there_and_has_the_words_room(qtbot, kind):
    panel = made(qtbot, kind, "Dan loves icecream")
    with_words = item_rect(panel.view, panel.figure.area)
    panel.show_document(Document("", view=panel.figure.document.view))
    without = item_rect(panel.view, panel.figure.area)
    assert without.width() * without.height() > with_words.width() * with_words.height()
    assert "position" in texts(panel.view)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "sentence",
    ["one", "שלום עולם טוב", "مرحبا بالعالم", "👩‍👩‍👧 ❤️ 🇩🇪", "数学 物理", "naïve café", "a\tb\nc", "x‮y z"],
)
def test_words_of_any_script_are_written_beside_their_positions(qtbot, kind, sentence):
    panel = made(qtbot, kind, sentence, seq_len=12)
    written = "".join(texts(panel.view))
    for token in panel.figure.document.token_list:
        assert all(letter in written for letter in token.shown), token
    pixels = pixels_of(panel.view)
    for index in range(len(panel.figure.document.token_list)):
        assert (coverage(pixels, LIGHT.token(index), LIGHT.paper) > 0.6).sum() > 4


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(400, 260), (640, 420), (1200, 700)])
def test_the_first_sentence_is_written_whole_at_every_size(qtbot, kind, size):
    panel = made(qtbot, kind, "Dan loves icecream", size)
    panel.show_cursor(Cursor(1, 2))
    words = [text for text in texts(panel.view) if text in ("Dan", "loves", "icecream")]
    axes = 2 if kind == "pairs" else 1
    assert sorted(words) == sorted(["Dan", "icecream", "loves"] * axes)


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_of_100_000_characters_is_cut_and_stays_within_the_picture(qtbot, kind):
    panel = made(qtbot, kind, "Dan " + "W" * 100_000 + " icecream")
    words = painted_words(panel.view)
    long_words = [word for word in words if "WWWW" in word.text]
    assert len(long_words) == (2 if kind == "pairs" else 1)  # on both axes
    for long in long_words:
        assert long.text.endswith("…")
        metrics = QFontMetricsF(LIGHT.font(long.size, semibold=True))
        assert long.x >= 0
        assert long.x + metrics.horizontalAdvance(long.text) <= panel.view.width() + 1
    assert "Dan" in [word.text for word in words]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1000, 30_000])
def test_of_many_words_some_are_written_and_none_over_another(qtbot, kind, count):
    panel = made(qtbot, kind, " ".join(f"w{i}" for i in range(count)), seq_len=1000, encoding=Sinusoidal(16))
    panel.show_cursor(Cursor(41, 3))
    words = [word for word in painted_words(panel.view) if word.text.startswith("w")]
    assert len(words) >= 3
    boxes = []
    for word in words:
        metrics = QFontMetricsF(LIGHT.font(word.size))
        width = metrics.horizontalAdvance(word.text)
        across = (word.x - 8, word.x) if word.upwards else (word.x, word.x + width)
        high = width * (0.87 if kind == "waves" else 1)  # at an angle of 60 degrees
        boxes.append((*across, *((word.y - high, word.y) if word.upwards else (word.y - 8, word.y))))
        assert across[0] >= -1
        assert across[1] <= panel.view.width() + 1
        assert boxes[-1][2] >= -1
    for index, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
    if kind != "tokens":
        written = texts(panel.view)
        last = max(int(word.text[1:]) for word in words)
        if kind != "pairs":
            numbers = sorted(int(word.text[1:]) for word in words)
            assert numbers == list(range(0, last + 1, numbers[1])), "one in so many"
        axes = 2 if kind == "pairs" else 1
        others = sorted(int(word[1:].replace(",", "")) for word in written if word.startswith("+"))
        assert len(others) == axes
        seen = 2 * count if kind == "pairs" else min(count, 1000)
        assert sum(others) + len(words) == seen, "and the number of the others"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("d_model", "seq_len"), [(1, 1), (1, 50), (7, 1), (2, 2), (8192, 1)])
def test_the_smallest_tables_are_shown(qtbot, kind, d_model, seq_len):
    panel = made(qtbot, kind, "Dan", seq_len=seq_len, encoding=Sinusoidal(d_model))
    panel.show_cursor(Cursor(0, d_model - 1))
    assert "Dan" in texts(panel.view)
    assert (pixels_of(panel.view) != 255).any(axis=2).mean() > 0.005


MANY = "The quick brown fox jumps over the lazy dog and keeps running until the meadows end somewhere else today friend"


@pytest.mark.one_of(3)
@pytest.mark.parametrize("kind", ["waves", "heatmap", "transposed", "pairs"])
@pytest.mark.parametrize("size", [(420, 300), (900, 460)])
def test_pointing_changes_no_word(qtbot, kind, size):
    panel = made(qtbot, kind, MANY, size, seq_len=200)
    n_tokens = len(panel.figure.document.token_list)
    before = [(word.text, word.x, word.y) for word in painted_words(panel.view) if is_word(panel, word)]
    assert before
    for position in range(0, n_tokens, 3):
        panel.show_cursor(Cursor(position, 2))
        words = [(word.text, word.x, word.y) for word in painted_words(panel.view) if is_word(panel, word)]
        assert [text for text, *_ in words] == [text for text, *_ in before]
        for (_, *place), (_, *other) in zip(words, before, strict=True):
            assert place == pytest.approx(other, abs=4), "semibold letters are a little wider"


def is_word(panel, word):
    return word.text.startswith("+") or word.text in {token.shown for token in panel.figure.document.token_list}


def test_words_that_do_not_fit_side_by_side_stand_at_an_angle(qtbot):
    panel = made(qtbot, "waves", "Dan loves icecream", (900, 460), seq_len=60)
    assert not [word for word in painted_words(panel.view) if word.upwards]
    panel.show_document(Document(MANY, seq_len=60))
    panel.figure.viewport.choose("positions", "sentence")
    words = [word for word in painted_words(panel.view) if word.upwards]
    assert [word.text for word in words] == [token.shown for token in panel.figure.document.token_list]


def test_of_words_with_little_room_one_in_so_many_is_written_and_then_how_many_are_left(qtbot):
    panel = made(qtbot, "waves", MANY, (420, 300), seq_len=2000)
    written = [word.text for word in painted_words(panel.view) if is_word(panel, word)]
    tokens = [token.shown for token in panel.figure.document.token_list]
    assert 2 <= len(written) - 1 < len(tokens)
    assert any(written[:-1] == tokens[::every] for every in (2, 5, 10))
    assert written[-1] == f"+{len(tokens) - len(written) + 1}"
