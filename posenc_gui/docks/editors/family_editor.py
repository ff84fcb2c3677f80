"""The editor of the family: a combo box that opens a list with pictures and a filter."""

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from posenc_gui.docks.editors.choice_editors import ChoiceBox, ChoiceEditor

if TYPE_CHECKING:
    from posenc_gui.docks.editors.family_list import FamilyList


class FamilyBox(ChoiceBox):
    """A choice of families whose list is a ``FamilyList``, made when the box is first opened."""

    @override
    def showPopup(self) -> None:
        from posenc_gui.docks.editors.family_list import ListedFamily

        self.opening.emit()
        families, group = [], ""
        for row in range(self.count()):
            value = self.itemData(row)
            if value is None:
                group = self.itemText(row)
            else:
                families.append(ListedFamily(value[0], self.itemText(row), group, row))
        self._list.open_beside(self, families, self.currentIndex())

    @override
    def hidePopup(self) -> None:
        super().hidePopup()
        if "_list" in vars(self):
            self._list.hide()

    @cached_property
    def _list(self) -> "FamilyList":
        from posenc_gui.docks.editors.family_list import FamilyList  # imported when a list is first opened

        made = FamilyList(self)
        made.chosen.connect(self._choose)
        return made

    def _choose(self, row: int) -> None:
        self.setCurrentIndex(row)
        self.activated.emit(row)


class FamilyEditor(ChoiceEditor):
    """The editor of a document's family."""

    BOX: ClassVar[type[ChoiceBox]] = FamilyBox
