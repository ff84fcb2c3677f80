"""A thousand documents of all families, each saved in a file and opened again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from amounts import draws
from hypothesis import given
from strategies import documents

from posenc_core import Document
from posenc_gui.files.session import open_session, save_session

ROUNDS = 1000


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sessions") / "any.posenc"


@draws(20, ROUNDS)
@given(document=documents())
def test_any_document_saved_and_opened_is_the_same(
    path: Path, count: Callable[[str, int], None], document: Document
) -> None:
    """Each over the one before, whose backup is made and removed."""
    save_session(document, path)
    assert open_session(path, document.tables) == document
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    count("documents saved and opened", 1)
