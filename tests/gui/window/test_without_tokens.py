"""Families that count by content in a text without tokens: nothing is drawn for them, and nothing fails."""

import pytest
from documents import with_values
from pixels import settle

from posenc_core import Document
from posenc_core.encodings import ENCODINGS
from posenc_core.session.seen import seen_document
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import WORKSPACES

BY_CONTENT = sorted(name for name, kind in ENCODINGS.items() if kind.needs_content)


def _document(family: str) -> Document:
    return with_values(Document("", seq_len=12).edited("family", family), pair_vectors="simulated")


@pytest.mark.parametrize("family", BY_CONTENT)
def test_no_distance_has_a_value(family: str) -> None:
    encoding = seen_document(_document(family), 0).encoding
    assert not any(encoding.has_value(distance) for distance in (-1, 0, 1))
    with pytest.raises(ValueError, match="the text has no tokens"):
        encoding.explain(0, 0)
    low, high = encoding.range_over(-11, 1)
    assert low < high


@pytest.mark.one_of(2)
@pytest.mark.parametrize("family", BY_CONTENT)
def test_every_workspace_opens_and_a_typed_word_has_values_again(window, family: str) -> None:
    window.store.begin(_document(family), "a text without tokens")
    for workspace in WORKSPACES:
        window.workspaces.choose(workspace)
        window.cursor_control.point(Cursor(0, 0, True))
        settle()
    window.store.edit("sentence", "a word")
    settle()
    assert seen_document(window.store.document, 1).encoding.has_value(-1)
