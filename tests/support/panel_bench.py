"""A panel by itself on the screen."""

from pixels import settle

from posenc_core import Document
from posenc_gui.figures.panel import Panel
from posenc_gui.look.style import LIGHT, Style
from posenc_gui.panels import PANELS, figure_class, spec_of


def shown(qtbot, name: str, document: Document, size: tuple[int, int] = (640, 480), style: Style = LIGHT) -> Panel:
    """The panel of that name with the document, on the screen and with the keyboard."""
    panel = Panel(figure_class(name)(style))
    qtbot.addWidget(panel)
    panel.resize(*size)
    panel.show_document(document)
    panel.show()
    qtbot.waitExposed(panel)
    panel.activateWindow()
    settle()
    return panel


VECTOR_PANELS = tuple(name for name in PANELS if not spec_of(name).has_numbers)
"""The panels that draw the tokens' own numbers, whatever the encoding."""
