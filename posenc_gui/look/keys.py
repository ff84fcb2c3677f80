"""Keys that a control needs for itself, although the window may have a shortcut on them."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

ARROWS = frozenset(
    getattr(Qt.Key, f"Key_{name}") for name in ("Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End")
)


def asked_key(event: QEvent) -> QKeyEvent | None:
    """The key of an event by which Qt asks the control whether it wants a key before the window's shortcuts.

    Whoever accepts such an event gets the key; None for all other events.
    """
    asks = event.type() == QEvent.Type.ShortcutOverride
    return event if asks and isinstance(event, QKeyEvent) else None


def is_plain(key: QKeyEvent) -> bool:
    """Whether the key is pressed without Ctrl, Alt, Shift or Meta."""
    return not key.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def is_undo(key: QKeyEvent) -> bool:
    """Whether the key is the system's for undo."""
    return key.matches(QKeySequence.StandardKey.Undo)


def is_redo(key: QKeyEvent) -> bool:
    """Whether the key is the system's for redo."""
    return key.matches(QKeySequence.StandardKey.Redo)


def is_copy(key: QKeyEvent) -> bool:
    """Whether the key is the system's for copying."""
    return key.matches(QKeySequence.StandardKey.Copy)
