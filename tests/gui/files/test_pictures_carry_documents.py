"""A thousand documents of all families, each exported as a picture and opened from it again."""

from collections.abc import Callable
from pathlib import Path

import pytest
from amounts import draws
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from panel_bench import VECTOR_PANELS
from PySide6.QtCore import QUrl
from strategies import documents
from window_bench import drop

from posenc_core import Document
from posenc_gui.export.pictures import PictureOptions, write_picture
from posenc_gui.files.session import open_session

ROUNDS, DROPPED = 1000, 40
SMALL = PictureOptions(scale=0.1, size=(260, 180), caption=False)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures") / "any.png"


@draws(10, ROUNDS)
@given(document=documents())
def test_any_document_comes_back_from_its_picture(
    qapp: object, path: Path, count: Callable[[str, int], None], document: Document
) -> None:
    write_picture("tokens", document, path, "png", SMALL)  # the quickest to paint
    assert open_session(path) == document
    count("documents exported as a picture and opened from it", 1)


@draws(3, DROPPED, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(document=documents(), panel=st.sampled_from(VECTOR_PANELS))
def test_any_picture_dropped_on_the_window_shows_its_document(
    window, path: Path, count: Callable[[str, int], None], document: Document, panel: str
) -> None:
    """All draws share a window: each document replaces the last, as an unsaved session without a name."""
    write_picture(panel, document, path, "png", SMALL)
    window.store.mark_saved()
    assert drop(window, QUrl.fromLocalFile(str(path)))
    assert window.store.document == document
    assert window.files.path is None
    count("pictures dropped on the window", 1)
