"""The style of the program, from which widgets inherit palette and font, and what some of them have of their own.

The application owns the style, as it owns Qt's palette and font. A widget whose letters or colours are not those that
it would inherit is dressed once, and again by ``apply_style`` whenever the style changes.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from posenc_gui.look.style import LIGHT, TEXT_PX, Style, bar_palette, control_palette, text_palette

_STYLE, _DRESS = "posencStyle", "posencDress"

# PySide's stubs ask for bytes, which it refuses.
_CONTROLS: tuple[Any, ...] = (
    *("QLineEdit", "QPlainTextEdit", "QAbstractSpinBox", "QComboBox", "QSlider", "QTreeWidget"),
    *("QPushButton", "QToolButton", "QCheckBox", "QRadioButton"),
)
_BARS: tuple[Any, ...] = ("QMenuBar", "QToolBar", "QStatusBar")


class _Dress(Struct, frozen=True):
    """Letters of ``px`` logical pixels before the text's scale, and colours; what is empty is inherited."""

    px: int
    semibold: bool
    role: str
    wrong: bool
    palette: Callable[[Style], QPalette] | None
    sheet: Callable[[Style], str] | None

    def palette_in(self, style: Style) -> QPalette:
        """The palette, of which what is not set is inherited."""
        if self.palette is not None:
            return self.palette(style)
        if self.wrong:
            return control_palette(style, wrong=True)
        return text_palette(self.role, style) if self.role else QPalette()

    def put_on(self, widget: QWidget, style: Style) -> None:
        """Give the widget what is set."""
        if self.px:
            widget.setFont(style.font(self.px, semibold=self.semibold))
        if self.sheet is None:
            widget.setPalette(self.palette_in(style))
        else:
            widget.setStyleSheet(self.sheet(style))


def dress(
    widget: QWidget,
    px: int = 0,
    semibold: bool = False,
    role: str = "",
    *,
    wrong: bool = False,
    palette: Callable[[Style], QPalette] | None = None,
    sheet: Callable[[Style], str] | None = None,
) -> None:
    """Give a widget letters or colours of its own, in place of those from before; the rest is inherited.

    ``role`` is the name of the style's colour for its text, such as ``muted``, ``wrong`` shows a control in red. Other
    colours are a palette or a style sheet that a function of the style returns, which must not hold the widget.
    """
    worn = _Dress(px or (TEXT_PX if semibold else 0), semibold, role, wrong, palette, sheet)
    widget.setProperty(_DRESS, worn)
    worn.put_on(widget, present_style())


def present_style() -> Style:
    """The style of the program."""
    application = QCoreApplication.instance()
    style = None if application is None else application.property(_STYLE)
    return LIGHT if style is None else style


def apply_style(style: Style) -> None:
    """Show everything in this style: what inherits it, what is dressed, and tool tips."""
    application = QCoreApplication.instance()
    assert application is not None
    if application.property(_STYLE) == style:
        return
    application.setProperty(_STYLE, style)
    # Before the others: a widget lays out its parts anew when the font changes that it inherits.
    for window in QApplication.topLevelWidgets():
        for widget in (window, *window.findChildren(QWidget)):
            worn = widget.property(_DRESS)
            if worn is not None:
                worn.put_on(widget, style)
    font = style.font(TEXT_PX)
    if QApplication.font() != font:  # Qt lays out every widget anew
        QApplication.setFont(font)
    QApplication.setPalette(style.palette())
    for name in _CONTROLS:
        QApplication.setPalette(control_palette(style), name)
    for name in _BARS:
        QApplication.setPalette(bar_palette(style), name)
    QToolTip.setPalette(style.palette())
