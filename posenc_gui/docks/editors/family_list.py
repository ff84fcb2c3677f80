"""The list of families: in groups, with pictures, and a line that filters."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QHideEvent, QIcon, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QListView, QWidget
from typing_extensions import override

from posenc_gui.docks.editors.family_pictures import PICTURE_SIZE, FamilyPictures
from posenc_gui.look import GAP, FilterLine, Note, column_of, flatten_scroll_bars, plain_tip, present_style

_MOST_HEIGHT = 560
"""Pixels of the list; further rows are scrolled to."""

_ROW_GAP = 3
"""Pixels above and below a picture."""

_TIP = "Filter by name, year, parameters or words of the glossary"
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}

_NAME, _ROW = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class ListedFamily(Struct, frozen=True):
    """A family of the list: its ``name``, its title with the year, and its group; ``row`` is its number."""

    name: str
    text: str
    group: str
    row: int


class FamilyList(QFrame):
    """A popup with the families below the headings of their groups.

    Typed words filter by title, year, summary, parameters and glossary. ``chosen`` carries the ``row`` of the family
    that is clicked, or chosen with Enter; Escape closes the list.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the click that closes the list must not reopen it
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._families: tuple[ListedFamily, ...] = ()
        self._items: dict[str, QStandardItem] = {}
        self._pictures = FamilyPictures(self)
        self._pictures.made.connect(self._show_made)
        self._model = QStandardItemModel(self)
        self._list = _list_of(self._model)
        self._filter = FilterLine("Filter", "filter families", _TIP, self._list)
        self._filter.setAccessibleDescription(f"{_TIP}. Enter chooses a family.")
        self._filter.textChanged.connect(self._show_matching)
        self._filter.installEventFilter(self)
        self._list.clicked.connect(self._take)
        self._list.installEventFilter(self)
        self._nothing = Note("muted")
        column_of(self, self._filter, self._list, self._nothing, margin=GAP)

    def open_beside(self, box: QWidget, families: Sequence[ListedFamily], present: int) -> None:
        """Show these families below the box, or above it; the one of the row ``present`` is marked."""
        self._families = tuple(families)
        self._fill(present)
        self._filter.clear()
        self._show_matching("")
        self._list.setCurrentIndex(next(self._items[each.name].index() for each in families if each.row == present))
        area = QRect(box.mapToGlobal(QPoint(0, 0)), box.size())
        self.setGeometry(beside(area, self._wanted_size(area.width()), box.screen().availableGeometry()))
        self.show()
        self._list.scrollTo(self._list.currentIndex(), QListView.ScrollHint.PositionAtCenter)
        self._filter.setFocus(Qt.FocusReason.PopupFocusReason)
        self._pictures.begin([each.name for each in families])

    def _fill(self, present: int) -> None:
        """Make a row for each family, and a heading above each group."""
        self._model.clear()
        self._items = {}
        heading = ""
        for family in self._families:
            if family.group != heading:
                heading = family.group
                self._model.appendRow(_heading_row(heading))
            item = QStandardItem(family.text)
            item.setEditable(False)
            item.setData(family.name, _NAME)
            item.setData(family.row, _ROW)
            item.setToolTip(plain_tip(family.text))
            if family.row == present:
                _mark(item)
            self._items[family.name] = item
            self._model.appendRow(item)
            self._show_picture(family.name)

    def _wanted_size(self, least_width: int) -> QSize:
        rows = self._list.sizeHintForRow(1) * self._model.rowCount()
        width = self._list.sizeHintForColumn(0) + self._list.verticalScrollBar().sizeHint().width() + 4 * GAP
        return QSize(max(width, least_width), min(rows + self._filter.sizeHint().height() + 4 * GAP, _MOST_HEIGHT))

    def _show_made(self, name: str) -> None:
        """Show a finished picture, and the family if one of its words was typed."""
        self._show_picture(name)
        if self._filter.text().strip():
            self._show_matching(self._filter.text())

    def _show_picture(self, name: str) -> None:
        if name in self._items:
            shown = self._pictures.pixmap(name, present_style(), self.devicePixelRatioF())
            icon = QIcon(shown)
            icon.addPixmap(shown, QIcon.Mode.Selected)  # else in the colour of the selection
            self._items[name].setIcon(icon)

    def _show_matching(self, text: str) -> None:
        """Show the families with every word of the text; the first one is current if the current one is hidden."""
        typed = text.lower().split()
        found = [each for each in self._families if self._matches(each, typed)]
        rows = {self._items[each.name].row() for each in found}
        groups = {each.group for each in found}
        for row in range(self._model.rowCount()):
            item = self._model.item(row)
            is_heading = item.data(_NAME) is None
            self._list.setRowHidden(row, item.text() not in groups if is_heading else row not in rows)
        if found and self._list.currentIndex().row() not in rows:
            self._list.setCurrentIndex(self._items[found[0].name].index())
        self._nothing.show_sentence("" if found else "No family has these words.")

    def _matches(self, family: ListedFamily, typed: Sequence[str]) -> bool:
        words = f"{family.name} {family.text} {family.group} {self._pictures.words(family.name)}".lower()
        return all(word in words for word in typed)

    def _take(self, index: QModelIndex) -> None:
        """Choose the family of this row and close; a heading is no choice."""
        row = index.data(_ROW)
        if row is not None and not self._list.isRowHidden(index.row()):
            self.hide()
            self.chosen.emit(row)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in _ENTER:
            self._take(self._list.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            return super().eventFilter(watched, event)
        return True

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self._pictures.stop()
        super().hideEvent(event)


def beside(area: QRect, size: QSize, room: QRect) -> QRect:
    """The place of a popup of this size below the area, or above it if there is more room; within the room."""
    below, above = room.bottom() - area.bottom(), area.top() - room.top()
    is_above = size.height() > below and above > below
    height = min(size.height(), above if is_above else below)
    width = min(size.width(), room.width())
    left = max(room.left(), min(area.left(), room.right() - width + 1))
    return QRect(left, area.top() - height if is_above else area.bottom() + 1, width, height)


def _list_of(model: QStandardItemModel) -> QListView:
    shown = QListView(spacing=_ROW_GAP // 2)
    shown.setModel(model)
    shown.setIconSize(PICTURE_SIZE)
    shown.setFrameShape(QFrame.Shape.NoFrame)
    shown.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    shown.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    shown.setAccessibleName("families")
    shown.setAccessibleDescription("Families of encodings in groups: Enter or a click chooses a family.")
    flatten_scroll_bars(shown)
    return shown


def _heading_row(text: str) -> QStandardItem:
    """A row that cannot be chosen."""
    item = QStandardItem(text)
    item.setFlags(Qt.ItemFlag.NoItemFlags)
    _embolden(item)
    return item


def _mark(item: QStandardItem) -> None:
    """Show that the item is the present family, to screen readers too."""
    _embolden(item)
    item.setForeground(QBrush(QColor(present_style().accent)))
    item.setData(f"{item.text()}, chosen", Qt.ItemDataRole.AccessibleTextRole)


def _embolden(item: QStandardItem) -> None:
    font = item.font()
    font.setWeight(QFont.Weight.DemiBold)
    item.setFont(font)
