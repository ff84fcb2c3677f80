"""A form for any fields of a document: labels in one column, editors in another, a mnemonic for each."""

from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget
from typing_extensions import override

from posenc_core import Document, Embedding
from posenc_core.fields import Field
from posenc_gui.docks.editors.editor_base import FieldEditor
from posenc_gui.look import GAP, grid_of

EDITORS = {
    "integer": ("number_editors", "IntegerEditor"),
    "real": ("number_editors", "RealEditor"),
    "choice": ("choice_editors", "ChoiceEditor"),
    "choices": ("choice_editors", "ChoicesEditor"),
    "flag": ("choice_editors", "FlagEditor"),
    "optional": ("text_editors", "OptionalEditor"),
    "numbers": ("text_editors", "NumbersEditor"),
    "text": ("text_editors", "TextEditor"),
    "formula": ("formula_editor", "FormulaEditor"),
}
"""By the kind of field, the module here and the class, which are loaded for the first such field."""


class FieldForm(QWidget):
    """Editors one below the other, each with its label before it and the sentence about a wrong value below it.

    ``fieldEdited`` carries the field's name, a value that the field allows, and the gesture or None. The document may
    still refuse the value because of other fields; then call ``show_refusal`` with the reason.
    """

    fieldEdited = Signal(str, object, object)

    def __init__(
        self,
        editors: Sequence[FieldEditor],
        taken: Iterable[str] = (),
        parent: QWidget | None = None,
        across: bool = False,
    ) -> None:
        """``taken``: letters that are mnemonics elsewhere. ``across`` puts the editors side by side."""
        super().__init__(parent)
        labels = with_own_letters([editor.field.label for editor in editors], taken)
        for editor, label in zip(editors, labels, strict=True):
            editor.show_label(label)
        self.letters = frozenset(filter(None, map(letter_of, labels)))
        self._editors = {editor.field.name: editor for editor in editors}
        self._document: Document | None = None
        self._refused: dict[str, tuple[Any, str]] = {}
        self._across = across
        # The sentence is closer to its own editor than to the next one.
        self._grid = grid_of(self, GAP, GAP // 2)
        if not across:
            self._grid.setColumnStretch(1, 1)
        self._a_line, self._shown = 0, list(editors)
        for index, editor in enumerate(editors):
            editor.setContentsMargins(0, GAP // 4, 0, GAP // 4)
            if not across:
                self._grid.addWidget(editor.label, 3 * index, 0, Qt.AlignmentFlag.AlignVCenter)
                self._grid.addWidget(editor, 3 * index, 1)
                self._grid.addWidget(editor.message, 3 * index + 2, 0, 1, 2)
            editor.edited.connect(self._send)
        if across:
            self._place(max(1, len(editors)))

    def fit_across(self, width: int) -> int:
        """Put as many editors into a line as fit into a width in pixels, at least one; returns the number of lines.

        Labels are shortened if whole labels would need another line.
        """
        for is_short in (False, True):
            for editor in self._shown:
                editor.show_short_label(is_short)
            if self._width_of(len(self._shown)) <= width:
                break
        fitting = (count for count in range(len(self._shown), 1, -1) if self._width_of(count) <= width)
        a_line = next(fitting, 1)
        self._place(a_line)
        return -(-len(self._shown) // a_line)

    def _width_of(self, a_line: int) -> int:
        """The width in pixels that lines of this many editors need."""
        needed = 0
        for place in range(a_line):
            column = self._shown[place::a_line]
            needed += max(each.label.sizeHint().width() for each in column) + 2 * GAP
            needed += max(max(each.minimumSizeHint().width(), each.minimumWidth()) for each in column)
        return needed - GAP  # nothing is at the right of the last one

    def show_only(self, names: Collection[str]) -> bool:
        """Show the editors across of these names alone, in a line until they are fitted; returns whether any moved."""
        shown = [editor for name, editor in self._editors.items() if name in names]
        if shown == self._shown:
            return False
        for editor in self._editors.values():
            for widget in (editor.label, editor, editor.message):
                self._grid.removeWidget(widget)
                is_shown = editor in shown and (widget is not editor.message or editor.is_wrong)
                widget.setVisible(is_shown)
        self._a_line, self._shown = 0, shown
        self._place(max(1, len(shown)))
        return True

    def _place(self, a_line: int) -> None:
        """Put ``a_line`` editors into each line, and the sentences about wrong values below it."""
        if a_line == self._a_line:
            return
        self._a_line = a_line
        for column in range(max(self._grid.columnCount(), 2 * a_line + 1)):
            self._grid.setColumnStretch(column, int(column == 2 * a_line))
        for index, editor in enumerate(self._shown):
            line, place = divmod(index, a_line)
            row = line * (a_line + 1)
            self._grid.addWidget(editor.label, row, 2 * place, Qt.AlignmentFlag.AlignVCenter)
            has_label = bool(editor.label.text())  # a check box is its own label, and starts where labels start
            self._grid.addWidget(editor, row, 2 * place + has_label, 1, 2 - has_label)
            self._grid.addWidget(editor.message, row + 1 + place, 0, 1, 2 * a_line)

    def editor(self, name: str) -> FieldEditor:
        """The editor of the field of that name; KeyError for an unknown one."""
        return self._editors[name]

    def show_document(self, document: Document) -> None:
        """Shows the document's values; a refused value stays, with its error, while it would be refused still."""
        self._document = document
        for name, editor in self._editors.items():
            editor.show_value(document.value(name))
        for name in tuple(self._refused):
            self._judge_again(name)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the font of the labels may have changed
            self._place_editors()
        return super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_editors()

    def _place_editors(self) -> None:
        """Put an editor below its label if it has too little room beside it, unless all share a line.

        A slider counts where it has the room below the label.
        """
        if self._across:
            return
        labels = max(self.label_width(), self._grid.columnMinimumWidth(0))
        beside = self.width() - labels - self._grid.horizontalSpacing()
        for row, editor in enumerate(self._editors.values()):
            is_below = editor.needed_width() > beside or beside < editor.wanted_width() <= self.width()
            place = (3 * row + 1, 0, 1, 2) if is_below else (3 * row, 1, 1, 1)
            if self._grid.getItemPosition(self._grid.indexOf(editor)) != place:
                self._grid.addWidget(editor, *place)

    def label_width(self) -> int:
        """The width in pixels of the widest label."""
        return max((editor.label.sizeHint().width() for editor in self._shown), default=0)

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document refuses a value of this field, if the form has it; the value stays."""
        if name in self._editors:
            self._refused[name] = (value, sentence)
            self._editors[name].show_error(sentence)

    def _send(self, name: str, value: Any, gesture: object) -> None:
        self._refused.pop(name, None)
        self.fieldEdited.emit(name, value, gesture)

    def _refusal(self, name: str, value: Any) -> str | None:
        """The reason why the document refuses the value, None if it accepts it."""
        if self._document is None:
            return None
        try:
            self._document.edited(name, value)
        except (TypeError, ValueError) as error:
            return str(error)
        return None

    def _judge_again(self, name: str) -> None:
        """Updates the error of a refused value, unless a different error has replaced it."""
        editor = self._editors[name]
        value, said = self._refused.pop(name)
        if editor.message.sentence != said:
            return
        sentence = self._refusal(name, value)
        if sentence is None:
            editor.restore()
        else:
            self._refused[name] = (value, sentence)
            editor.show_error(sentence)


def align_labels(*forms: FieldForm) -> None:
    """Give the label columns of the forms the same width."""
    width = max(form.label_width() for form in forms)
    for form in forms:
        layout = form.layout()
        assert isinstance(layout, QGridLayout)
        layout.setColumnMinimumWidth(0, width)


def make_editor(field: Field) -> FieldEditor:
    """A new editor for the field; TypeError for a kind without an editor."""
    if field.kind not in EDITORS:
        raise TypeError(f"there is no editor for {field.name}, a field of kind {field.kind}")
    home, name = EDITORS[field.kind]
    kind: type[FieldEditor] = getattr(import_module(f"posenc_gui.docks.editors.{home}"), name)
    return kind(field)


def letter_of(label: str) -> str:
    """The label's mnemonic in lower case, empty if it has none."""
    return QKeySequence.mnemonic(label).toString().rpartition("+")[2].lower()


def with_own_letters(labels: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """The labels with distinct mnemonics that are not taken, on as many labels as possible.

    A label uses a letter that is free. If all its letters are in use, another label may change its letter (augmenting
    paths of bipartite matching).
    """
    owner: dict[str, int] = dict.fromkeys(taken, -1)

    def find(index: int, tried: set[str]) -> bool:
        letters = [letter for letter in _letters(labels[index]) if owner.get(letter) != -1]
        for letter in sorted(letters, key=owner.__contains__):  # the free ones first
            if letter in tried:
                continue
            tried.add(letter)
            if letter not in owner or find(owner[letter], tried):
                owner[letter] = index
                return True
        return False

    for index in range(len(labels)):
        find(index, set())
    found = {index: letter for letter, index in owner.items() if index >= 0}
    return [_underlined(label, found.get(index, "")) for index, label in enumerate(labels)]


def _letters(label: str) -> list[str]:
    """The letters of a label, its own first, without those that an underline makes illegible, such as g and q."""
    own = letter_of(label)
    letters = [letter for letter in label.lower() if letter in "abcdefhiklmnorstuvwxz"]
    return list(dict.fromkeys([own, *letters] if own else letters))


def _underlined(label: str, letter: str) -> str:
    """The label with its first such letter underlined; unchanged if it underlines that letter already."""
    if letter and letter_of(label) == letter:
        return label
    plain = label.replace("&", "")
    place = plain.lower().find(letter)
    return f"{plain[:place]}&{plain[place:]}" if letter else plain


MENU_LETTERS = frozenset("fevgh")
"""Mnemonics of the window's menus, which take precedence over labels."""

_TOKENS_LETTER = "t"
EMBEDDING_TAKEN = MENU_LETTERS | {_TOKENS_LETTER}
ENCODING_TAKEN = EMBEDDING_TAKEN | set(
    map(letter_of, with_own_letters([field.label for field in Embedding.FIELDS], EMBEDDING_TAKEN))
)
"""Mnemonics of the menus, of the tokenizer and of the embedding's form, which a family's form does not use."""
