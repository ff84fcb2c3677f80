"""Keys that a control uses although the window has a shortcut for them."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

ARROWS = frozenset(
    getattr(Qt.Key, f"Key_{name}") for name in ("Up", "Down", "Left", "Right", "PageUp", "PageDown", "Home", "End")
)


def asked_key(event: QEvent) -> QKeyEvent | None:
    """The key of a ``ShortcutOverride`` event, None for other events.

    A control that accepts the event gets the key instead of the window's shortcut.
    """
    asks = event.type() == QEvent.Type.ShortcutOverride
    return event if asks and isinstance(event, QKeyEvent) else None


def is_plain(key: QKeyEvent) -> bool:
    """Whether the key is pressed without Ctrl, Alt, Shift or Meta."""
    return not key.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def is_undo(key: QKeyEvent) -> bool:
    """Whether the key is the system's shortcut for undo."""
    return key.matches(QKeySequence.StandardKey.Undo)


def is_redo(key: QKeyEvent) -> bool:
    """Whether the key is the system's shortcut for redo."""
    return key.matches(QKeySequence.StandardKey.Redo)


def is_copy(key: QKeyEvent) -> bool:
    """Whether the key is the system's shortcut for copying."""
    return key.matches(QKeySequence.StandardKey.Copy)
