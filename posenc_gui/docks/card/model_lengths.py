"""The lengths of a model, and a button for each that shows as many positions."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from posenc_core.fields import SEQ_LEN
from posenc_core.session import Model
from posenc_gui import look
from posenc_gui.docks.card.claim_note import ClaimNote
from posenc_gui.look import SmallLabel, counted
from posenc_gui.model.card import lengths_claim


class ModelLengths(QWidget):
    """Both lengths of a model in words, and a button for each that shows as many positions."""

    lengthChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._words = ClaimNote("ink")
        self._show = SmallLabel("Show")
        self._buttons = (look.small_button(), look.small_button())
        for button in self._buttons:
            button.setCheckable(True)
        look.column_of(self, self._words).addLayout(look.row_of(self._show, *self._buttons, None))
        self._lengths: tuple[int, ...] = ()
        for place, button in enumerate(self._buttons):
            button.clicked.connect(partial(self._choose, place))

    def show_model(self, model: Model) -> None:
        """Offer the lengths that the model names."""
        claim = lengths_claim(model)
        found = (model.trained_length, model.target_length)
        offered = list(dict.fromkeys(each for each in found if each is not None))
        too_long = max(offered, default=0) > SEQ_LEN.maximum
        most = f" {counted(SEQ_LEN.maximum)} positions can be shown." if too_long else ""
        self._words.show_claim(claim, claim.text + most)
        self._lengths = tuple(min(each, SEQ_LEN.maximum) for each in offered)
        for button in self._buttons:
            button.hide()
        for button, length, shown in zip(self._buttons, offered, self._lengths, strict=False):
            button.setText(counted(shown))
            tip = f"Set seq_len to {counted(shown)}, a length that the model names"
            look.describe(button, f"Show {counted(shown)} of {counted(length)} positions", tip)
            button.show()
        self._show.setVisible(bool(self._lengths))

    def show_length(self, length: int) -> None:
        """Mark the length that is shown."""
        for button, offered in zip(self._buttons, self._lengths, strict=False):
            button.setChecked(offered == length)
        self._colour()

    def _choose(self, place: int) -> None:
        self._buttons[place].setChecked(True)
        self._colour()
        self.lengthChosen.emit(self._lengths[place])

    def _colour(self) -> None:
        """Fill the checked button."""
        for button in self._buttons:
            palette = look.checked_palette if button.isChecked() else look.unchecked_palette
            look.dress(button, look.LABEL_PX, palette=palette)
