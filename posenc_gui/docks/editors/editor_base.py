"""The base of all editors of fields: label, control and sentence about a wrong value; mixins and keys of controls."""

import re
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from typing_extensions import override

from posenc_core.fields import Field
from posenc_gui.look import GAP, Note, PlainLabel, SmallLabel, WidgetMixin, dress, plain_tip

ARROWS = frozenset(
    getattr(Qt.Key, f"Key_{name}") for name in ("Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End")
)

_LONGEST_LINE = 16
"""Characters of a label's line; longer names are broken."""


class FieldEditor(QWidget):
    """The editor of one parameter, which shows the field's default before its first value.

    ``edited`` carries the field's name, an allowed value, and the gesture (a slider drag, a held key) that it is part
    of, or None; ``show_value`` does not send it. ``label`` and ``message``, the sentence about a wrong value, are
    separate widgets, so that a form can align them.
    """

    edited = Signal(str, object, object)

    KEYS: ClassVar[frozenset[Qt.Key]] = frozenset()
    """Keys that the control needs; the window's shortcuts on them do not act while it has the focus."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.label = SmallLabel(field.label)
        self.message = Note("error")
        self._shown: Any = field.default
        self._latest: Any = field.default
        self._control: QWidget = self
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(GAP)

    def _take_control(self, control: QWidget, stretch: int = 0) -> None:
        """Add the widget that turns red and that is the label's buddy.

        It is not the editor's focus proxy, as Tab would then skip the widgets before it.
        """
        self._control = control
        self._box.addWidget(control, stretch)
        self.label.setBuddy(control)
        name_for_readers(control, self.field.label.replace("&", ""))
        for widget in (self.label, self, control):
            widget.setToolTip(plain_tip(self.field.tool_tip))
        control.setAccessibleDescription(self.field.tool_tip)
        self._write(self._shown)

    def show_label(self, text: str) -> None:
        """Label the control, in several lines if the name is long; the letter after ``&`` is its mnemonic."""
        self.label.setText("\n".join(_lines_of(text)))

    def show_short_label(self, is_short: bool) -> None:
        """Label the control with the field's short label, if it has one and if ``is_short``, else with the whole."""
        if self.field.short:
            self.show_label(self.field.short if is_short else self.field.label)

    def needed_width(self) -> int:
        """The width in pixels that the control needs beside its label, 0 if it adapts to any."""
        return 0

    def wanted_width(self) -> int:
        """The width in pixels of all parts, such as a slider that is hidden in less; at least ``needed_width``."""
        return self.needed_width()

    @property
    def is_wrong(self) -> bool:
        """Whether the control shows a refused value."""
        return bool(self.message.sentence)

    def show_value(self, value: Any) -> None:
        """Show the document's value; an unfinished or refused text stays while that value does not change."""
        if value != self._shown:
            self._shown = self._latest = value
            self.restore()

    def restore(self) -> None:
        """Restore the document's value, and clear the error."""
        self.show_error(None)
        self._latest = self._shown
        self._write(self._shown)

    def show_error(self, sentence: str | None) -> None:
        """Turn the control red and show the sentence; None clears the error."""
        if sentence:
            self._latest = self._shown
        if (sentence or "") != self.message.sentence:
            self.message.show_sentence(sentence or "")
            about = f"{sentence}\n{self.field.tool_tip}" if sentence else self.field.tool_tip
            self._control.setAccessibleDescription(about)
            dress(self._control, wrong=self.is_wrong)

    def show_missing(self, text: str) -> None:
        """Show the value used for an empty text; other editors have none."""

    def show_ends(self, first: int, last: int) -> None:
        """Let a slider and arrows reach these numbers; other editors have none."""

    def _write(self, value: Any) -> None:
        """Show a value in the control, without a signal."""
        raise NotImplementedError

    def _is_unfinished(self) -> bool:
        """Whether the control has a text that is not reported yet."""
        return False

    def _report_text(self, text: str, gesture: object = None) -> None:
        """Report the value of the text, or show its fault."""
        try:
            value = self.field.parse(text)
        except ValueError as error:
            self.show_error(str(error))
        else:
            self._report(value, gesture)

    def _report(self, value: Any, gesture: object = None) -> None:
        """Report a value, unless it is the last one that was shown or reported."""
        if value != self._latest:
            self.show_error(None)
            self._latest = value
            self.edited.emit(self.field.name, value, gesture)
        elif value == self._shown:
            self.restore()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._can_escape(event):
            self.restore()
        else:
            super().keyPressEvent(event)

    def _can_escape(self, key: QKeyEvent) -> bool:
        """Whether the key is Escape and the control has a text to discard."""
        return key.key() == Qt.Key.Key_Escape and (self.is_wrong or self._is_unfinished())

    @override
    def event(self, event: QEvent) -> bool:
        key = asked_key(event)
        if key and ((is_plain(key) and key.key() in self.KEYS) or self._can_escape(key)):
            event.accept()
            return True
        return super().event(event)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self.label.setEnabled(self.isEnabled())


def _lines_of(name: str) -> list[str]:
    """A name in lines of at most ``_LONGEST_LINE`` characters, broken after underscores."""
    lines = [""]
    for part in re.findall("[^_]*_|[^_]+", name):
        if lines[-1] and len((lines[-1] + part).replace("&", "")) > _LONGEST_LINE:
            lines.append("")
        lines[-1] += part
    return lines


def name_for_readers(control: QWidget, name: str) -> None:
    """Name a control for screen readers: Qt exposes only sibling labels."""
    control.setAccessibleName(name)
    label = PlainLabel(name, control.parentWidget())
    label.setBuddy(control)
    label.hide()


class TypedEditor(FieldEditor):
    """An editor of a text, which is read on Enter and on leaving."""

    KEYS = ARROWS

    def _typed(self) -> str:
        """The text in the control."""
        raise NotImplementedError

    def _text_of(self, value: Any) -> str:
        """The text of a value."""
        return self.field.format(value)

    @override
    def _is_unfinished(self) -> bool:
        return self._typed() != self._text_of(self._shown)

    def _finish(self) -> None:
        if self._is_unfinished() or self.is_wrong:
            self._report_text(self._typed())


class TextLine(QLineEdit):
    """A line edit that leaves undo and redo to the window if its own text has none."""

    @override
    def event(self, event: QEvent) -> bool:
        return not leaves_to_window(event, self) and super().event(event)


class WheelWithFocus(WidgetMixin):
    """Mixin of a widget that reacts to the wheel only with the focus, so that a form can be scrolled over it."""

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Gestures(WidgetMixin):
    """Mixin of a widget whose ``_gesture`` is the same object while a mouse button or a key is held.

    Turns of the wheel belong to the previous gesture.
    """

    _gesture: object

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._gesture = object()
        super().mousePressEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self._gesture = object()
        super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._gesture = object()
        super().focusOutEvent(event)


def asked_key(event: QEvent) -> QKeyEvent | None:
    """The key of a ``ShortcutOverride`` event, None for other events.

    A control that accepts the event receives the key instead of the window's shortcut.
    """
    return event if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride else None


def is_plain(key: QKeyEvent) -> bool:
    """Whether the key is pressed without Ctrl, Alt, Shift or Meta."""
    return not key.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def leaves_to_window(event: QEvent, typed: QLineEdit | QTextDocument) -> bool:
    """Whether the event is an undo or redo for which the typed text has nothing; it is then ignored."""
    key, keys = asked_key(event), QKeySequence.StandardKey
    undoes, redoes = key and key.matches(keys.Undo), key and key.matches(keys.Redo)
    if (undoes and not typed.isUndoAvailable()) or (redoes and not typed.isRedoAvailable()):
        event.ignore()
        return True
    return False


def is_copy(key: QKeyEvent) -> bool:
    """Whether the key is the system's shortcut for copying."""
    return key.matches(QKeySequence.StandardKey.Copy)
