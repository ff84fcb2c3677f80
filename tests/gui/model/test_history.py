"""Memory of ten thousand undo steps, and the order in which steps are dropped."""

import gc
import tracemalloc

import pytest

from posenc_core import Document
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.model.history import MAXIMUM_BYTES, MAXIMUM_STEPS

LONG = "many words and more of them " * 7000
"""Nearly the longest sentence that a document takes."""


def store_with(document, maximum_bytes=MAXIMUM_BYTES):
    return DocumentStore(document, maximum_bytes=maximum_bytes)


@pytest.mark.thorough
def test_ten_thousand_steps_in_a_long_sentence_hold_in_little_memory(qapp):
    store = store_with(Document(LONG))
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(MAXIMUM_STEPS + 100):
            if number % 10:
                store.edit("base", 100.0 + number)
            else:
                store.edit("sentence", f"{LONG}{number} ")
        kept = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert len(store.history.texts) == MAXIMUM_STEPS
    assert kept < 32 * 2**20  # a thousand sentences would be 200 MB
    for _ in range(MAXIMUM_STEPS):
        store.undo()
    assert not store.history.can_undo
    assert store.document.value("base") == 199.0  # after the hundred that were forgotten


def test_texts_that_have_nothing_in_common_push_the_oldest_steps_out(qapp):
    limit = 100_000
    store = store_with(Document(""), limit)
    texts = [chr(ord("a") + number) * 5000 for number in range(26)]
    for text in texts:
        store.edit("sentence", text)
        assert store.history.n_bytes <= limit
    kept = len(store.history.texts)
    assert 3 < kept < 12
    assert store.history.undo_text == "typing"
    for text in texts[-2 : -2 - kept : -1]:
        store.undo()
        assert store.document.sentence == text
    assert not store.history.can_undo
    for text in texts[-kept:]:
        store.redo()
        assert store.document.sentence == text


def test_forgetting_keeps_what_is_saved_marked_as_saved(qapp, tmp_path):
    store = store_with(Document(""), 100_000)
    for number in range(40):
        store.edit("sentence", chr(ord("A") + number) * 5000)
        if number == 38:
            store.set_saved(tmp_path / "a.posenc")
    assert not store.is_saved
    store.undo()
    assert store.is_saved
    store.edit("sentence", "x" * 9000)
    for number in range(20):
        store.edit("sentence", chr(ord("A") + number) * 5000)
    while store.history.can_undo:
        store.undo()
        assert not store.is_saved


def test_the_offered_undo_is_the_same_when_the_oldest_step_is_dropped(qapp):
    store = store_with(Document(""), 100_000)
    for number in range(60):
        store.edit("sentence", chr(ord("A") + number % 50) * 5000)
        store.edit("base", 100.0 + number)
        assert store.history.can_undo
        assert f"→ {100 + number}" in store.history.undo_text


def test_a_drag_stays_one_step_when_older_ones_are_forgotten(qapp):
    store, drag = store_with(Document(""), 100_000), object()
    for number in range(30):
        store.edit("sentence", chr(ord("A") + number) * 5000)
    before = len(store.history.texts)
    for base in range(100, 200):
        store.edit("base", float(base), drag)
    assert len(store.history.texts) <= before + 1
    store.undo()
    assert store.document.value("base") == 10_000.0


def test_the_values_that_a_drag_passed_are_not_kept(qapp):
    store = store_with(Document())
    store.edit("base", 99.0, gesture="drag")
    gc.collect()
    before = sum(type(each) is Document for each in gc.get_objects())
    for number in range(200):
        store.edit("base", 100.0 + number, gesture="drag")
    gc.collect()
    assert len(store.history.texts) == 1
    assert sum(type(each) is Document for each in gc.get_objects()) <= before


def test_typing_in_a_long_sentence_is_undone_letter_by_letter_exactly(qapp):
    store, place = store_with(Document(LONG)), len(LONG) // 2
    text = LONG
    for letter in "some more words":
        text = text[:place] + letter + text[place:]
        place += 1
        store.edit("sentence", text)
    assert store.history.n_bytes < 100_000
    while store.history.can_undo:
        store.undo()
    assert store.document.sentence == LONG
    while store.history.can_redo:
        store.redo()
    assert store.document.sentence == text


@pytest.mark.parametrize("steps", [1, 5])
def test_a_step_larger_than_all_that_may_be_kept_can_still_be_undone(qapp, steps):
    store = store_with(Document(""), 1000)
    for number in range(steps):
        store.edit("sentence", chr(ord("a") + number) * 50_000)
    assert len(store.history.texts) == 1
    store.undo()
    assert store.document.sentence == ("" if steps == 1 else "d" * 50_000)
