"""The history of the document: what is one step, what it is called, and what undo brings back."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Document, Sinusoidal
from posenc_gui.model.document_store import DocumentStore


@pytest.fixture
def store(qapp):
    return DocumentStore(Document())


def seen_by(store):
    seen = []
    store.documentChanged.connect(seen.append)
    return seen


def names(store):
    return store.history.texts


def type_text(store, text):
    """Each letter by itself, as keys come."""
    for length in range(len(store.document.sentence) + 1, len(text) + 1):
        store.edit("sentence", text[:length])


def test_an_edit_changes_one_thing_and_tells_once(store):
    seen = seen_by(store)
    store.edit("base", 5000.0)
    assert seen == [Document(encoding=Sinusoidal(8, base=5000.0))]
    assert store.document == seen[0]


def test_a_step_is_called_by_what_changed(store):
    for name, value in (("base", 5000.0), ("d_model", 16), ("layout", "concatenated"), ("seq_len", 128)):
        store.edit(name, value)
    store.edit("transpose", True)
    assert names(store) == [
        "base 10,000 → 5,000",
        "d_model 8 → 16",
        "layout interleaved → concatenated",
        "seq_len 60 → 128",
        "transpose false → true",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [("d_model", 0), ("d_model", 2.5), ("base", -1.0), ("base", math.nan), ("layout", "other"), ("sentence", "\ud800")],
)
def test_a_wrong_value_changes_nothing(store, name, value):
    seen = seen_by(store)
    with pytest.raises((TypeError, ValueError), match=name):
        store.edit(name, value)
    assert store.document == Document()
    assert seen == names(store) == []


def test_an_unknown_field_changes_nothing(store):
    with pytest.raises(KeyError):
        store.edit("colour of the sky", 1)
    assert store.document == Document()


def test_the_same_value_is_no_step(store):
    seen = seen_by(store)
    store.edit("base", 10000.0)
    store.edit("sentence", "Dan loves icecream")
    store.replace(Document(), "nothing new")
    assert seen == names(store) == []


def test_undo_and_redo_tell_once_each(store):
    store.edit("base", 5000.0)
    seen = seen_by(store)
    store.undo()
    store.redo()
    assert [document.encoding.base for document in seen] == [10000.0, 5000.0]


def test_a_drag_is_one_step_from_its_start_to_its_end(store):
    drag = object()
    for base in (9000.0, 5000.0, 20.0):
        store.edit("base", base, drag)
    assert names(store) == ["base 10,000 → 20"]
    store.undo()
    assert store.document == Document()
    store.redo()
    assert store.document.encoding.base == 20.0


def test_two_drags_are_two_steps(store):
    for drag, bases in ((object(), (9000.0, 5000.0)), (object(), (400.0, 20.0))):
        for base in bases:
            store.edit("base", base, drag)
    assert names(store) == ["base 10,000 → 5,000", "base 5,000 → 20"]


def test_one_gesture_on_two_fields_is_two_steps(store):
    drag = object()
    store.edit("base", 9000.0, drag)
    store.edit("offset", 3, drag)
    assert names(store) == ["base 10,000 → 9,000", "offset 0 → 3"]


def test_a_drag_back_to_where_it_began_is_no_step(store):
    drag = object()
    for base in (9000.0, 5000.0, 10000.0):
        store.edit("base", base, drag)
    assert store.document == Document()
    assert not store.history.can_undo
    assert store.is_saved


def test_a_word_is_one_step(store):
    type_text(store, "Dan loves icecream in July")
    assert names(store) == ["typing"] * 4
    for sentence in ("Dan loves icecream in ", "Dan loves icecream in", "Dan loves icecream ", "Dan loves icecream"):
        store.undo()
        assert store.document.sentence.rstrip() == sentence.rstrip()


def test_taking_letters_away_is_another_step_than_adding_them(store):
    type_text(store, "Dan loves icecreamsss")
    for text in ("Dan loves icecreamss", "Dan loves icecreams"):
        store.edit("sentence", text)
    assert len(store.history.texts) == 2
    store.undo()
    assert store.document.sentence == "Dan loves icecreamsss"


def test_pasting_is_a_step_of_its_own(store):
    type_text(store, "Dan loves icecreams")
    store.edit("sentence", "Dan loves icecreams and more")
    store.edit("sentence", "Dan loves icecreams and moree")
    assert len(store.history.texts) == 3


def test_typing_after_saving_is_a_new_step(store):
    type_text(store, "Dan loves icecreams")
    store.mark_saved()
    type_text(store, "Dan loves icecreamss")
    assert not store.is_saved
    store.undo()
    assert store.is_saved
    assert store.document.sentence == "Dan loves icecreams"


def test_a_new_edit_after_undo_replaces_what_was_undone(store):
    store.edit("base", 5000.0)
    store.undo()
    store.edit("base", 7000.0)
    assert names(store) == ["base 10,000 → 7,000"]


def test_another_document_is_one_step(store):
    other = Document("other", seq_len=5)
    store.replace(other, "open other.posenc")
    assert names(store) == ["open other.posenc"]
    store.undo()
    assert store.document == Document()


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("d_model"), st.integers(1, 64)),
            st.tuples(st.just("base"), st.floats(1.5, 1e6)),
            st.tuples(st.just("sentence"), st.text("ab \n", max_size=6)),
            st.tuples(st.just("layout"), st.sampled_from(["interleaved", "concatenated"])),
        ),
        max_size=12,
    ),
    st.booleans(),
)
def test_undoing_everything_brings_back_the_beginning_and_redoing_the_end(qapp, edits, dragged):
    store = DocumentStore(Document())
    gesture = object() if dragged else None
    for name, value in edits:
        store.edit(name, value, gesture)
    last, steps = store.document, len(store.history.texts)
    while store.history.can_undo:
        store.undo()
    assert store.document == Document()
    for _ in range(steps):
        store.redo()
    assert store.document == last


def test_a_lessons_document_with_a_file_is_unsaved_once_it_differs_from_the_file(store, tmp_path):
    store.visit(Document("of the lesson"), "lesson", "lesson")
    store.edit("base", 500.0)
    store.set_saved(tmp_path / "mine.posenc")
    assert store.is_saved
    store.undo()
    assert (store.document, store.path) == (Document("of the lesson"), tmp_path / "mine.posenc")
    assert not store.is_saved
