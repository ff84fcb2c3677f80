"""A card in the window for one figure, its title and its note, which accepts the keyboard focus."""

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures.controls import Card, NeedInvitation
from posenc_gui.figures.figure import Figure
from posenc_gui.figures.figure_view import FigureView
from posenc_gui.figures.panel_controls import PanelControls, make_controls
from posenc_gui.figures.panel_header import MAXIMISE_PX, PanelHeader
from posenc_gui.figures.rendering.progressive import BackgroundRenderer
from posenc_gui.look import Style, present_style
from posenc_gui.model import Cursor, PanelSpec

_CORNER_GAP = 4


class Panel(Card):
    """One figure with its header.

    A hidden panel computes nothing: it keeps the newest document and cursor, and passes them to its figure when it is
    shown, or when ``figure`` or ``view`` is read.

    ``cursorMoved`` carries the Cursor chosen here by mouse or keys, ``painted`` the panel itself once its figure is on
    the screen, ``fieldEdited`` an edit of the document made here, ``encodingsEdited`` the new encodings, the index of
    the chosen one, and the text of the undo step, ``documentEdited`` another document. ``viewAsked`` carries a
    workspace and a panel to show. ``maximiseAsked`` carries the panel to maximise or restore, ``menuAsked`` the
    panel and the place on the screen of its menu.
    """

    cursorMoved = Signal(object)
    painted = Signal(object)
    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)
    documentEdited = Signal(object, str)
    viewAsked = Signal(str, str)
    maximiseAsked = Signal(object)
    menuAsked = Signal(object, QPoint)

    def __init__(self, figure: Figure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure = figure
        self._document: Document | None = None  # not yet passed to the figure
        self._cursor: tuple[Cursor | None] | None = None
        self._is_catching_up = False
        self.spec = figure.spec
        self.setAccessibleName(self.spec.title)
        self.setAccessibleDescription(f"{self.spec.explanation} {self.spec.handling}".strip())
        self._view = FigureView(figure, self)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._view.setFocusProxy(self)
        self._renderer = BackgroundRenderer(self)
        figure.pictures.use(self._renderer)
        self._header = PanelHeader(self.spec.title, self.spec.hint, self._renderer)
        self._header.explain(self.spec.explanation)
        self._header.maximise.setParent(self)
        self._header.maximise.clicked.connect(self._ask_maximise)
        box = self._box = QVBoxLayout(self)
        box.setContentsMargins(7, 4, 7, 4)
        box.setSpacing(2)
        box.addLayout(self._header)
        box.addWidget(self._view, 1)
        self._controls: PanelControls | None = None  # made for the first document that uses one
        self._invitation: NeedInvitation | None = None  # made for the first need
        figure.fieldEdited.connect(self.fieldEdited)
        figure.encodingsEdited.connect(self.encodingsEdited)
        figure.documentEdited.connect(self.documentEdited)
        figure.viewAsked.connect(self.viewAsked)
        figure.marksChanged.connect(self._view.tell_mark)
        figure.cursorMoved.connect(self._pointed)
        figure.noteChanged.connect(self._note_changed)
        self._header.switches.chosen.connect(self._choose)
        self._renderer.arrived.connect(figure.update_all)
        self._renderer.changed.connect(self._note_changed)
        self._view.painted.connect(self._figure_painted)
        self._view.problemChanged.connect(self._note_changed, Qt.ConnectionType.QueuedConnection)
        self.show_style(figure.style)

    @property
    def figure(self) -> Figure:
        """The figure, which has the newest document and cursor."""
        self._catch_up()
        return self._figure

    @property
    def view(self) -> FigureView:
        """The widget that shows the figure, with the newest document and cursor."""
        self._catch_up()
        return self._view

    def show_document(self, document: Document) -> None:
        """Draw this document as soon as the panel is visible."""
        self._document = document
        if self.isVisible():
            self._catch_up()

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Mark this cell as soon as the panel is visible."""
        self._cursor = (cursor,)
        if self.isVisible():
            self._catch_up()

    def _catch_up(self) -> None:
        """Pass the changes while it was hidden to the figure, and show its note once."""
        document, cursor, self._document, self._cursor = self._document, self._cursor, None, None
        if document is None and cursor is None:
            return
        self._is_catching_up, before = True, self._figure.document
        try:
            if document is not None:
                self._figure.show_document(self._show_parts(document))
            if cursor is not None:
                self._figure.show_cursor(*cursor)
                if cursor[0] is not None and cursor[0].pinned:
                    self._figure.viewport.show_cell(cursor[0])
            if self._controls is not None and (document is not None or self._figure.document is not before):
                self._controls.show_stand_ins(self._figure.document)
        finally:
            self._is_catching_up = False
        self._note_changed()

    def _show_parts(self, document: Document) -> Document:
        """Show the figure and its controls, or what it needs; returns the document to draw, at need a suggested one."""
        need, suggested = self.spec.missing(document), self.spec.suggested(document)
        is_drawn = need is None or suggested is not None
        if need is not None:
            self._invitation = self._invitation or _add_invitation(self, self._box)
            self._invitation.show_need(need, document, is_beside=is_drawn)
        if self._invitation is not None:
            self._invitation.setVisible(need is not None)
            self._box.setStretchFactor(self._invitation, 0 if is_drawn else 1)
            self._view.setVisible(is_drawn)
            self.setMinimumSize(*_least_size(self.spec, self._header, None if is_drawn else self._invitation))
        has_controls = not set(self.spec.controls).isdisjoint(self.spec.used_controls(document))
        if has_controls:
            self._controls = self._controls or _add_controls(self, self._box)
        if self._controls is not None:
            self._controls.setVisible(is_drawn and has_controls)
            self._controls.show_document(document)
        return suggested or document

    def show_refusal(self, name: str, value: object, sentence: str) -> None:
        """Show why the document refuses a value, at the field's editor if the panel has it."""
        if self._controls is not None:
            self._controls.show_refusal(name, value, sentence)

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._view.setBackground(style.paper)
        self._figure.show_style(style)
        lacking = self._invitation if self._view.isHidden() else None
        self.setMinimumSize(*_least_size(self.spec, self._header, lacking))
        self._note_changed()  # larger letters need another line, or fewer words

    @override
    def sizeHint(self) -> QSize:
        return QSize(*self.spec.export_size)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() < self._view.y():
            self._ask_maximise()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at_keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        place = self.mapToGlobal(self._view.geometry().center()) if at_keyboard else event.globalPos()
        self.menuAsked.emit(self, place)

    def show_mark(self, words: str) -> None:
        """Show words beside the title, in one line, until others are shown; empty for none."""
        self._header.mark.setText(words)
        self._header.mark.setVisible(bool(words))
        self._note_changed()

    def show_maximised(self, is_maximised: bool) -> None:
        """Offer in the header to be shown alone, or to bring the other panels back."""
        self._header.maximise.show_maximised(is_maximised)

    def _ask_maximise(self) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.maximiseAsked.emit(self)

    def stop(self) -> bool:
        """Stop computing the picture and keep its known parts; returns whether it was being computed."""
        was_busy = self._renderer.is_busy
        self._renderer.stop()
        return was_busy

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, is_shifted = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if (key == Qt.Key.Key_Escape and self.stop()) or self.figure.pressed(key, is_shifted):
            return
        moved = self.figure.pointing.moved(key, 10 if is_shifted else 1)
        if moved is not None:
            self.figure.viewport.show_cell(moved)
            self.cursorMoved.emit(moved)
        elif key == Qt.Key.Key_Home:
            self.figure.viewport.reset()
        else:
            super().keyPressEvent(event)

    def _pointed(self, cursor: Cursor) -> None:
        if cursor.pinned:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.cursorMoved.emit(cursor)

    def _figure_painted(self) -> None:
        self.painted.emit(self)

    def _note_changed(self) -> None:
        """Show the note beside the title if it fits there, else in a separate line."""
        if not self.isVisible() or self._is_catching_up:
            return
        figure, scale = self.figure, self.devicePixelRatioF()
        shown = (figure.document.encoding, self.width(), self.height(), figure.style.text_scale)
        if self._view.isHidden():  # the invitation says all there is to say
            self._header.switches.show_switches(())
            self._header.show_words("", "", "", shown, self.size(), False)
            return
        note, problem = figure.pointing.note(scale), self._view.problem
        if problem and problem.split(";")[0] not in note:
            note = f"{note} · {problem}" if note else problem
        self._header.switches.show_switches(figure.viewport.switches())
        widest = self._renderer.widest(note) if figure.pictures.takes_long(scale) else ""
        is_problem = bool(problem or figure.problem or figure.pointing.is_refusal)
        self._header.show_words(figure.pointing.subtitle(), note, widest, shown, self.size(), is_problem)

    def _choose(self, switch: str, value: str | int) -> None:
        self.figure.viewport.choose(switch, value)
        self._note_changed()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._header.maximise.move(self.width() - MAXIMISE_PX - _CORNER_GAP, _CORNER_GAP)
        self._note_changed()
        if not self._header.has_its_height:
            self._box.invalidate()  # the figure's new size moved the note while the header got its height

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._note_changed()  # labels have their new fonts after the new style is shown

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._renderer.finish()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()
        self._note_changed()


def _least_size(spec: PanelSpec, header: PanelHeader, lacking: NeedInvitation | None) -> tuple[int, int]:
    """The width and height in pixels in which the title is whole, and the figure or what it is lacking has room."""
    style = present_style()
    if lacking is None:
        wide, high = spec.least_size[0], round(spec.least_size[1] * max(1.0, style.text_scale))
    else:
        wide, high = lacking.least_size(style)
    return max(wide, header.least_width), high


def _add_invitation(panel: Panel, box: QVBoxLayout) -> NeedInvitation:
    """The panel's need, at the end of its box."""
    invitation = NeedInvitation(panel)
    invitation.fieldEdited.connect(panel.fieldEdited)
    invitation.encodingsEdited.connect(panel.encodingsEdited)
    box.addWidget(invitation, 1)
    return invitation


def _add_controls(panel: Panel, box: QVBoxLayout) -> PanelControls:
    """The panel's editors, below the header in its box."""
    controls = make_controls(panel.spec)
    controls.fieldEdited.connect(panel.fieldEdited)
    box.insertWidget(1, controls)
    return controls
