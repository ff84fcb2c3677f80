"""A figure that nobody uses any more is deleted with its parts."""

import gc
import weakref

import pytest

from posenc_core import Document
from posenc_gui.look.style import LIGHT
from posenc_gui.panels import PANELS, figure_class


@pytest.mark.parametrize("name", PANELS)
def test_a_released_figure_is_deleted(qapp, name):
    figure = figure_class(name)(LIGHT)
    figure.show_document(Document())
    reference = weakref.ref(figure)
    del figure
    gc.collect()
    assert reference() is None
