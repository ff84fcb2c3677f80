"""A dialog that shows the progress of long work and can cancel it."""

from types import TracebackType
from typing import Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressDialog, QWidget

PATIENCE_MS = 100
"""Longer work shows its progress."""

_STEPS = 100


class ProgressDialog:
    """Context manager. Call with the fraction done; returns False once the user cancels."""

    def __init__(self, words: str, parent: QWidget) -> None:
        self._words, self._parent = words, parent
        self._dialog: QProgressDialog | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()

    def __call__(self, done: float) -> bool:
        """Show the fraction done and process events; only Cancel can be pressed."""
        if self._dialog is None:
            self._dialog = QProgressDialog(self._words, "Cancel", 0, _STEPS, self._parent)
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumDuration(PATIENCE_MS)
        self._dialog.setValue(min(_STEPS - 1, round(_STEPS * done)))
        return not self._dialog.wasCanceled()
