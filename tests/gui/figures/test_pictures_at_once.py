"""Families with closed forms never enter the code for pictures that are computed part by part."""

import pytest
from families import FAMILIES, PART_BY_PART, document_of
from panel_bench import VECTOR_PANELS, shown
from pixels import settle

from posenc_core import Document, LearnedTable, Sinusoidal
from posenc_core.progressive import PartialPicture
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.rendering.jobs import RenderJob
from posenc_gui.figures.rendering.progressive import BackgroundRenderer
from posenc_gui.model.cursor import Cursor

CLOSED_FORMS = sorted(set(FAMILIES) - PART_BY_PART)


@pytest.fixture
def entered(monkeypatch):
    """The names of the entries to the code for slow pictures that were called."""
    calls: list[str] = []
    for owner, name in (
        (PartialPicture, "__init__"), (BackgroundRenderer, "render"), (BackgroundRenderer, "_partial"),
        (BackgroundRenderer, "_begin"), (RenderJob, "__init__"),
    ):  # fmt: skip
        entry = getattr(owner, name)

        def noted(*given, entry=entry, name=f"{owner.__name__}.{name}", **named):
            calls.append(name)
            return entry(*given, **named)

        monkeypatch.setattr(owner, name, noted)
    return calls


def test_only_families_without_closed_forms_are_computed_part_by_part():
    assert {name for name in FAMILIES if document_of(name).encoding.reading is not None} == PART_BY_PART


@pytest.mark.one_of(3)
@pytest.mark.parametrize("family", CLOSED_FORMS)
def test_panels_and_files_of_a_closed_form_never_enter_the_code_for_slow_pictures(qtbot, entered, family):
    for name in VECTOR_PANELS:
        panel = shown(qtbot, name, Document(encoding=Sinusoidal(64), seq_len=300))
        panel.show_document(document_of(family, seq_len=5000))
        panel.show_cursor(Cursor(1, 1))
        settle()
        panel.figure.viewport.reset()
        settle()
        panel.hide()
        picture_bytes(Picture(name, document_of(family)), "png", PictureOptions(scale=1.0), lambda done: True)
    assert entered == []


def test_a_slow_table_enters_the_code_for_slow_pictures(qtbot, entered):
    table = Document("", encoding=LearnedTable.untrained(40_000, 64), seq_len=40_000)
    panel = shown(qtbot, "heatmap", table)
    assert {"BackgroundRenderer.render", "PartialPicture.__init__"} <= set(entered)
    panel.hide()
