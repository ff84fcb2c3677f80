"""The window for the keyboard and for screen readers: the order of the Tab key, and the description of a picture."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import cast

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleValueChangeEvent
from PySide6.QtWidgets import QAccessibleWidget, QDockWidget, QMainWindow, QScrollArea, QTabBar, QWidget
from typing_extensions import override

from posenc_gui.figures import FigureView, Panel
from posenc_gui.look import WhatsThis
from posenc_gui.window.status_line import StatusLine


class PictureInterface(QAccessibleWidget):
    """A panel for a screen reader: a picture whose value is the sentence about the cell under the cursor."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel, QAccessible.Role.Graphic, "")

    @override
    def text(self, kind: QAccessible.Text) -> str:
        if kind != QAccessible.Text.Value:
            return super().text(kind)
        panel = cast(Panel, self.object())
        if spoken := _spoken(panel):
            return spoken
        window = panel.window()
        status = window.statusBar() if isinstance(window, QMainWindow) else None
        return status.sentence if isinstance(status, StatusLine) else ""


def assist(window: QMainWindow) -> None:
    """Let *What's this?* explain the window's controls, and screen readers see its panels as pictures with values.

    To be called before the first panel is made, since Qt keeps what it finds for it then, and after all other controls,
    since Qt asks the factory about each.
    """
    window.installEventFilter(WhatsThis(window))
    offer_pictures()


@cache
def offer_pictures() -> None:
    """Let screen readers see panels as pictures with values; once for all windows."""
    QAccessible.installFactory(_interface)


def _interface(_kind: str, about: QObject) -> QAccessibleInterface | None:
    return PictureInterface(about) if isinstance(about, Panel) else None


def _spoken(panel: Panel) -> str:
    """Text on the marked part of a panel, or on what its picture needs; empty if that is the cursor's cell."""
    need = panel.spec.missing(panel.figure.document) if panel.view.isHidden() else None
    return panel.figure.pointing.spoken() if need is None else need.sentence


def tell_of_cell(panels: Sequence[Panel], sentence: str) -> None:
    """Notify a screen reader, if one is running, of a new cell under the cursor."""
    if QAccessible.isActive():
        for panel in panels:
            if panel.hasFocus():
                QAccessible.updateAccessibility(QAccessibleValueChangeEvent(panel, _spoken(panel) or sentence))


def move_focus(window: QWidget, sections: Sequence[QWidget], forward: bool) -> bool:
    """Move the keyboard focus to the next or previous control; returns whether there is such a control."""
    ring = tab_ring(window, sections)
    focused = window.focusWidget()
    if not ring:
        return False
    if focused in ring:
        at = ring.index(focused) + (1 if forward else -1)
    else:  # the scroll area has the focus: its first control is next
        inside = (i for i, each in enumerate(ring) if focused is not None and focused.isAncestorOf(each))
        at = next(inside, 0 if forward else -1)
    control = ring[at % len(ring)]
    control.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    for around in _around(control):
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(control)
    return control is not focused


def tab_ring(window: QWidget, sections: Sequence[QWidget]) -> list[QWidget]:
    """The window's controls in the order of the Tab key.

    The sections follow each other, then controls outside of them. Panels follow each other from the left to the
    right, then downwards; controls of one section in the order of their creation.
    """
    # Not nextInFocusChain: it makes each control the owner of the next one's wrapper, so that the deletion of any
    # control invalidates the wrappers of all later ones.
    found = [control for control in window.findChildren(QWidget) if _is_reached(control, window)]
    return sorted(found, key=lambda control: (_section(control, sections), _place(control, window)))


def _is_reached(control: QWidget, window: QWidget) -> bool:
    has_policy = control.focusPolicy() & Qt.FocusPolicy.TabFocus
    is_there = control.isEnabled() and control.isVisible() and control.window() is window
    if isinstance(control, QTabBar) and control.visibleRegion().isEmpty():  # Qt keeps the tab bars of single docks
        return False
    if isinstance(control, FigureView) or isinstance(control.parentWidget(), FigureView):
        return False  # the proxy is around it: calling it makes a reference cycle that PySide never frees
    return bool(has_policy) and is_there and control.focusProxy() is None and not _is_behind(control)


def _is_behind(control: QWidget) -> bool:
    """Whether the control is in a dock tabbed behind another dock: Qt calls such a dock visible."""
    docks = (each for each in _around(control) if isinstance(each, QDockWidget))
    return any(each.visibleRegion().isEmpty() for each in docks)


def _section(control: QWidget, sections: Sequence[QWidget]) -> int:
    return next((i for i, each in enumerate(sections) if each is control or each.isAncestorOf(control)), len(sections))


def _place(control: QWidget, window: QWidget) -> tuple[int, int]:
    """Down and across of the panel around the control, the same for all controls outside of panels."""
    panel = next((each for each in _around(control) if isinstance(each, Panel)), None)
    corner = QPoint(0, 0) if panel is None else panel.mapTo(window, QPoint(0, 0))
    return corner.y(), corner.x()


def _around(control: QWidget) -> Iterator[QWidget]:
    """The control and the widgets that contain it, from the inside."""
    around: QWidget | None = control
    while around is not None:
        yield around
        around = around.parentWidget()
