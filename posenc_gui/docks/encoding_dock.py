"""The content of the ENCODING dock: the family, its parameters, warnings about them, and the embedding."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_core import Document, Embedding, Encoding
from posenc_core.fields import SEQ_LEN, Field
from posenc_core.session import FAMILY
from posenc_core.text import PAIR_FIELDS
from posenc_gui.docks.editors import ENCODING_TAKEN, FamilyEditor, FieldForm, Fold, align_labels, make_editor
from posenc_gui.docks.encoding_tabs import EncodingTabs
from posenc_gui.look import OUTER_MARGIN, FitsText, Note, column_of, plain_tip, scrolling

if TYPE_CHECKING:
    from posenc_gui.docks.embedding_form import EmbeddingForm

_EMBEDDING_NAMES = frozenset(field.name for field in (*Embedding.FIELDS, *PAIR_FIELDS))


class EncodingDock(FitsText, QWidget):
    """The encoding's form: the family, its parameters, the number of positions, and warnings; below it the embedding's.

    The embedding is folded to its title until a document has one, or has typed queries and keys. It folds again for a
    document without one, unless the user edits there. Its form is made at the first unfolding.

    ``fieldEdited`` carries the field's name, an allowed value, and the gesture or None.
    ``encodingsEdited`` comes from the tabs A to D above the form.
    """

    fieldEdited = Signal(str, object, object)
    encodingsEdited = Signal(object, int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fields: list[tuple[Field, ...]] = [(), (), ()]
        self._tabs = EncodingTabs()
        self._tabs.encodingsEdited.connect(self.encodingsEdited)
        self._family = FieldForm([FamilyEditor(FAMILY)], ENCODING_TAKEN)
        self._family.fieldEdited.connect(self.fieldEdited)
        self._summary = Note("muted")
        self._forms = [FieldForm([]) for _ in self._fields]
        self._label = Note("muted")
        self._warnings = Note("warning")
        self._document = Document.initial()
        self._fold, self._is_embedded = Fold("Embedding", self._make_embedding), False
        content = QWidget()
        self._column = column_of(
            content,
            self._tabs,
            self._family,
            self._summary,
            *self._forms,
            self._label,
            self._warnings,
            self._fold,
            margin=OUTER_MARGIN,
        )
        self._column.addStretch(1)
        column_of(self, scrolling(content))

    @property
    def sections(self) -> tuple[QWidget, ...]:
        """Its parts from above, in the order of the Tab key."""
        return (self._tabs, self._family, *self._forms, self._fold)

    def show_document(self, document: Document) -> None:
        """Show the document's encoding and embedding."""
        self._document, encoding = document, document.encoding
        for place, fields in enumerate(_grouped(encoding)):
            if self._fields[place] != fields:
                self._rebuild(place, fields)
        self._tabs.show_document(document)
        for form in (self._family, *self._forms):
            form.show_document(document)
        self._summary.show_sentence(encoding.summary)
        self._summary.setToolTip(plain_tip(encoding.citation))
        self._label.show_sentence(f"Numbers: {encoding.label}" if encoding.label else "")
        self._warnings.show_sentence("\n\n".join(encoding.warnings))
        if self._fold.content is not None:
            self._fold.content.show_document(document)
        was_embedded, self._is_embedded = self._is_embedded, _is_embedded(document)
        if self._is_embedded and not was_embedded:
            self._fold.unfold()
        elif was_embedded and not self._is_embedded and not self._fold.has_focus:
            self._fold.fold()

    def show_refusal(self, name: str, value: Any, sentence: str) -> None:
        """Show why the document refuses a value, at the field's editor."""
        for form in (self._family, *self._forms):
            form.show_refusal(name, value, sentence)
        if name in _EMBEDDING_NAMES:
            self._fold.unfold()
        if self._fold.content is not None:
            self._fold.content.show_refusal(name, value, sentence)

    @override
    def fit_text(self) -> None:
        align_labels(self._family, *self._forms)

    def _make_embedding(self) -> "EmbeddingForm":
        from posenc_gui.docks.embedding_form import EmbeddingForm  # imported on first use

        form = EmbeddingForm()
        form.fieldEdited.connect(self.fieldEdited)
        form.show_document(self._document)
        return form

    def _rebuild(self, place: int, fields: tuple[Field, ...]) -> None:
        """Replace the form at a place by one for other fields; the focus stays at the field of the same name."""
        self._fields[place] = fields
        old = self._forms[place]
        others = (form.letters for form in (self._family, *self._forms) if form is not old)
        form = FieldForm([make_editor(field) for field in fields], ENCODING_TAKEN.union(*others))
        form.fieldEdited.connect(self.fieldEdited)
        self._forms[place] = form
        self._column.replaceWidget(old, form)
        form.setVisible(bool(fields))
        with QSignalBlocker(old):  # an unfinished text belongs to the old fields
            _hand_over_focus(old, form)
            old.hide()
        # Deleted only in the event loop: one of its editors may have sent this edit.
        old.deleteLater()
        align_labels(self._family, *self._forms)


def _is_embedded(document: Document) -> bool:
    """Whether tokens have vectors, or queries and keys other than ones."""
    fields = (*Embedding.FIELDS[:1], *PAIR_FIELDS[:1])
    return any(document.value(field.name) != field.default for field in fields)


def _grouped(encoding: Encoding) -> tuple[tuple[Field, ...], ...]:
    """The fields before a formula's parameters, its parameters, and the fields after them with the length.

    Each group has a separate form: a formula's editor stays while its parameters change.
    """
    kinds = encoding.FIELDS
    place = next((index for index, field in enumerate(kinds) if not field.every()), len(kinds))
    before, after = ({each.name for field in some for each in field.every()} for some in (kinds[:place], kinds[place:]))
    own = [field for field in encoding.fields if field.name != SEQ_LEN.name]
    groups = [
        tuple(field for field in own if field.name in before),
        tuple(field for field in own if field.name not in before | after),
        tuple(field for field in own if field.name in after),
    ]
    groups[0 if place == len(kinds) else 2] += (SEQ_LEN,)
    return tuple(groups)


def _hand_over_focus(old: QWidget, new: QWidget) -> None:
    """Move the focus from the old form to the control of the same name in the new one."""
    focused = old.window().focusWidget()
    if focused is None or not old.isAncestorOf(focused):
        return
    for control in new.findChildren(QWidget):
        if control.accessibleName() == focused.accessibleName() and control.focusPolicy() & Qt.FocusPolicy.TabFocus:
            control.setFocus()
