"""The one cursor: hovering, holding, letting go, and walking through the tokens."""

from dataclasses import replace

import pytest

from posenc_core import ENCODINGS, Document, Sinusoidal
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.cursor_control import CursorControl


@pytest.fixture
def control(qapp):
    control = CursorControl()
    control.seen = []
    control.cursorChanged.connect(control.seen.append)
    return control


def test_the_cursor_follows_the_mouse(control):
    for cursor in (Cursor(0, 0), Cursor(5, 7), Cursor(59, 1)):
        control.point(cursor)
        assert control.cursor == cursor
    assert control.seen == [Cursor(0, 0), Cursor(5, 7), Cursor(59, 1)]


def test_the_same_cell_is_told_once(control):
    control.point(Cursor(3, 3))
    control.point(Cursor(3, 3))
    assert control.seen == [Cursor(3, 3)]


def test_a_held_cell_stays_while_the_mouse_moves_on(control):
    control.point(Cursor(3, 3, pinned=True))
    control.point(Cursor(9, 1))
    assert control.cursor == Cursor(3, 3, pinned=True)


def test_a_click_elsewhere_holds_that_cell_and_a_second_click_there_lets_go(control):
    control.point(Cursor(3, 3, pinned=True))
    control.point(Cursor(4, 1, pinned=True))
    assert control.cursor == Cursor(4, 1, pinned=True)
    control.point(Cursor(4, 1, pinned=True))
    assert control.cursor == Cursor(4, 1)
    control.point(Cursor(5, 5))
    assert control.cursor == Cursor(5, 5)


def test_letting_go_stays_at_the_cell(control):
    control.hold(Cursor(4, 2))
    assert control.cursor == Cursor(4, 2, pinned=True)
    control.release()
    assert control.cursor == Cursor(4, 2)


@pytest.mark.parametrize(
    ("document", "kept"),
    [
        (Document(seq_len=10, encoding=Sinusoidal(4)), Cursor(9, 3, True)),
        (Document(seq_len=1, encoding=Sinusoidal(1)), Cursor(2, 0, True)),
        (Document("", seq_len=1, encoding=Sinusoidal(2)), Cursor(0, 1, True)),
        (Document("a " * 50, seq_len=5), Cursor(40, 6, True)),
        (Document(), Cursor(40, 6, True)),
    ],
)
def test_the_cursor_stays_within_the_table(control, document, kept):
    control.show_document(Document(seq_len=100))
    control.hold(Cursor(40, 6))
    control.show_document(document)
    assert control.cursor == kept


def test_tokens_follow_each_other_round_and_round(control):
    control.show_document(Document("Dan loves icecream"))
    control.hold(Cursor(1, 5))
    for position in (2, 0, 1):
        control.next_token()
        assert control.cursor == Cursor(position, 5, pinned=True)
    for position in (0, 2, 1):
        control.previous_token()
        assert control.cursor == Cursor(position, 5, pinned=True)


def test_from_beyond_the_sentence_the_first_token_is_next(control):
    control.hold(Cursor(30, 5))
    control.next_token()
    assert control.cursor == Cursor(0, 5, pinned=True)


def test_without_tokens_nothing_moves(control):
    control.show_document(Document(""))
    before = control.cursor
    for act in (control.next_token, control.previous_token):
        act()
    assert control.cursor == before


@pytest.mark.parametrize("family", [name for name, kind in ENCODINGS.items() if kind.relative])
def test_a_relative_family_starts_at_the_previous_token_seen_from_the_last(control, family):
    control.hold(Cursor(2, 3))
    document = Document("Dan loves icecream").edited("family", family)
    column = min(3, document.encoding.n_columns - 1)
    control.show_document(document)
    assert control.cursor == Cursor(-1, column, pinned=True)
    control.show_document(Document("Dan loves icecream"))
    assert control.cursor == Cursor(1, column, pinned=True)  # the same token as a position


@pytest.mark.parametrize("sentence", ["Hello", ""])
def test_without_a_previous_token_a_relative_family_starts_at_the_query_itself(control, sentence):
    control.show_document(Document(sentence).edited("family", "alibi"))
    assert control.cursor == Cursor(0, 2)


@pytest.mark.parametrize("family", ["sinusoidal", "t5"])
@pytest.mark.parametrize("held", [True, False])
def test_the_cursor_goes_to_the_last_token_when_its_own_is_gone(control, family, held):
    document = Document("Dan loves icecream and cake").edited("family", family)
    control.show_document(document)
    cursor = Cursor(3 if family == "sinusoidal" else -3, 1)
    (control.hold if held else control.point)(cursor)
    control.show_document(replace(document, sentence="Dan loves"))
    assert control.cursor == Cursor(1 if family == "sinusoidal" else -1, 1, pinned=held)
    control.show_document(replace(document, sentence="Hello"))
    assert control.cursor == Cursor(0, 1, pinned=held)


def test_a_cell_beyond_the_sentence_stays_while_one_types(control):
    control.hold(Cursor(30, 5))
    control.show_document(Document("Hello"))
    assert control.cursor == Cursor(30, 5, pinned=True)


def test_a_cell_beyond_the_table_stays_while_the_table_does(control):
    control.hold(Cursor(5000, 5))
    control.show_document(Document().edited("target_length", 8192))
    assert control.cursor == Cursor(5000, 5, pinned=True)
    control.show_document(Document(seq_len=100))
    assert control.cursor == Cursor(99, 5, pinned=True)
