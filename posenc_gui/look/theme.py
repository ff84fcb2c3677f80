"""The style of the program, from which widgets inherit palette and font, exceptions for some widgets, and scroll areas.

The application owns the style, as it owns Qt's palette and font. A widget with other letters or colours than the
inherited ones is dressed once, and again by ``apply_style`` after each change of the style.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QScrollArea, QToolTip, QWidget
from typing_extensions import override

from posenc_gui.look.style import LIGHT, TEXT_PX, Style, bar_palette, blend, control_palette, text_palette

_STYLE, _DRESS = "posencStyle", "posencDress"

BAR_PX, _LEAST_HANDLE = 12, 30
"""Logical pixels of scroll bars."""

# PySide's stubs require bytes, which PySide itself refuses.
_CONTROLS: tuple[Any, ...] = (
    *("QLineEdit", "QPlainTextEdit", "QAbstractSpinBox", "QComboBox", "QSlider", "QTreeWidget"),
    *("QPushButton", "QToolButton", "QCheckBox", "QRadioButton"),
)
_BARS: tuple[Any, ...] = ("QMenuBar", "QToolBar", "QStatusBar")


class _Dress(Struct, frozen=True):
    """Letters of ``px`` logical pixels before the text's scale, and colours; empty values are inherited."""

    px: int
    semibold: bool
    role: str
    wrong: bool
    palette: Callable[[Style], QPalette] | None
    sheet: Callable[[Style], str] | None

    def palette_in(self, style: Style) -> QPalette:
        """The palette, with unset colours inherited."""
        if self.palette is not None:
            return self.palette(style)
        if self.wrong:
            return control_palette(style, wrong=True)
        return text_palette(self.role, style) if self.role else QPalette()

    def put_on(self, widget: QWidget, style: Style) -> None:
        """Apply the set values to the widget."""
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
    """Set a widget's own font or colours, in place of earlier ones; the rest is inherited.

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


def enlarged(px: int) -> int:
    """A length that has room for text: more pixels with larger text."""
    return round(px * max(1.0, present_style().text_scale))


def flatten_scroll_bars(area: QAbstractScrollArea) -> None:
    """Give the scroll bars of an area a plain handle without arrows, in the style's colours."""
    for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
        dress(bar, sheet=_scroll_bar_sheet)


def scrolling(content: QWidget) -> QScrollArea:
    """A scroll area for content of the same width."""
    area = ScrollArea(content)
    area.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # not a stop of the Tab key
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


class ScrollArea(QScrollArea):
    """An area with flat scroll bars that asks for another layout if its least size changes: Qt's own does not."""

    _kept = QSize()
    """The minimum size that the layout has cached."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        flatten_scroll_bars(self)
        self.setWidget(content)

    @override
    def minimumSizeHint(self) -> QSize:
        self._kept = self.least_size()
        return self._kept

    def least_size(self) -> QSize:
        """The size in pixels below which a layout shrinks other widgets first: here the width of the content."""
        content, least = self.widget(), super().minimumSizeHint()
        return least if content is None else least.expandedTo(QSize(content.minimumSizeHint().width() + BAR_PX, 0))

    @override
    def event(self, event: QEvent) -> bool:
        # A new height of the content needs no layout of the window, only another scroll range.
        if event.type() == QEvent.Type.LayoutRequest and self.least_size() != self._kept:
            self.updateGeometry()
        return super().event(event)


def _scroll_bar_sheet(style: Style) -> str:
    handle, over = blend(style.muted, style.ground, 0.45).name(), style.muted
    return (
        f"QScrollBar {{ background: transparent; border: none; margin: 0; }}"
        f"QScrollBar:vertical {{ width: {BAR_PX}px; }} QScrollBar:horizontal {{ height: {BAR_PX}px; }}"
        f"QScrollBar::handle {{ background: {handle}; border-radius: 3px; margin: 3px; }}"
        f"QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {over}; }}"
        f"QScrollBar::handle:vertical {{ min-height: {_LEAST_HANDLE}px; }}"
        f"QScrollBar::handle:horizontal {{ min-width: {_LEAST_HANDLE}px; }}"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
    )


def apply_style(style: Style) -> None:
    """Apply this style to everything: inheriting widgets, dressed widgets, and tool tips."""
    application = QCoreApplication.instance()
    assert application is not None
    if application.property(_STYLE) == style:
        return
    application.setProperty(_STYLE, style)
    # First: a widget repeats its layout when its inherited font changes.
    for window in QApplication.topLevelWidgets():
        for widget in (window, *window.findChildren(QWidget)):
            worn = widget.property(_DRESS)
            if worn is not None:
                worn.put_on(widget, style)
    font = style.font(TEXT_PX)
    if QApplication.font() != font:  # Qt repeats the layout of every widget
        QApplication.setFont(font)
    QApplication.setPalette(style.palette())
    for name in _CONTROLS:
        QApplication.setPalette(control_palette(style), name)
    for name in _BARS:
        QApplication.setPalette(bar_palette(style), name)
    QToolTip.setPalette(style.palette())
