"""The content of the MODEL dock: the positions in a model's files, layer by layer."""

import json

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from posenc_core import Document
from posenc_core.fields import SEQ_LEN
from posenc_core.session import Model
from posenc_gui import look
from posenc_gui.docks.card.claim_note import ClaimList
from posenc_gui.docks.card.layer_rows import LayerRows
from posenc_gui.docks.card.model_differences import ModelDifferences
from posenc_gui.docks.card.model_lengths import ModelLengths
from posenc_gui.docks.card.share_bar import ShareBar
from posenc_gui.look import GAP, OUTER_MARGIN, Note, counted, dress
from posenc_gui.model.card import KEYS, SURPRISING, claims_of, shares_words

_NOTHING = "No model is open. Drop a model's config.json, its folder or its .gguf file on the window."


_KEPT = "The panels still show the previous encoding: these files have no numbers of this model's positions."
_EDITED = "The chosen encoding, which no layer of this model has: "
_NAME_PX = 15
_CARD_SHARE = 100
"""Share of the card in the room that the buttons leave; without a card, the rest keeps the buttons at the top."""


class ModelDock(QWidget):
    """The card of the model that the document names: surprises, lengths, layers, places of keys, model B.

    ``layerChosen`` carries the index of a layer whose encoding is chosen, ``fieldEdited`` the number of positions,
    ``openAsked`` and ``presetsAsked`` come from the buttons below the card, ``tokenizerAsked`` from the button for the
    model's tokenizer, ``secondAsked`` and ``secondClosed`` from the buttons for model B.
    """

    layerChosen = Signal(int)
    fieldEdited = Signal(str, object, object)
    openAsked = Signal()
    presetsAsked = Signal()
    tokenizerAsked = Signal()
    secondAsked = Signal()
    secondClosed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document.initial()
        self._counted, self._is_edited = "", False
        self._soon = QTimer(self, singleShot=True, interval=0)  # the window is painted before engines are compared
        self._soon.timeout.connect(self._show_engines)
        self._name, self._source = Note("ink"), Note("muted")
        dress(self._name, _NAME_PX, semibold=True, role="ink")
        self._surprises, self._keys = ClaimList("warning"), ClaimList("muted")
        self._tokenizer = look.small_button(
            "Use its tokenizer", "Tokenize with the tokenizer.json in the model's folder"
        )
        self._tokenizer.clicked.connect(self.tokenizerAsked)
        self._copy = look.small_button(
            "Copy card", "Copy all statements of the card with the keys of the files behind them"
        )
        self._copy.clicked.connect(self._copy_card)
        self._keys_menu = look.small_button(
            "Copy keys", "Copy the rotation as keys of a config.json, or options of an engine"
        )
        self._lengths = ModelLengths()
        self._lengths.lengthChosen.connect(self._choose_length)
        self._shares, self._nothing, self._engines = Note("ink"), Note("ink"), Note("ink")
        self._bar = ShareBar()
        self._rows = LayerRows()
        self._rows.chosen.connect(self.layerChosen)
        self._second = ModelDifferences()
        self._second.openAsked.connect(self.secondAsked)
        self._second.closeAsked.connect(self.secondClosed)
        self._card, self._empty, openers = look.scrolling(self._column()), Note("muted", self), _Openers()
        self._empty.setContentsMargins(OUTER_MARGIN, GAP, OUTER_MARGIN, 0)
        openers.open_button.clicked.connect(self.openAsked)
        openers.presets_button.clicked.connect(self.presetsAsked)
        whole = look.column_of(self, self._card, self._empty, openers)
        whole.setStretch(0, _CARD_SHARE)
        whole.addStretch(1)
        self.show_document(Document.initial())

    def _column(self) -> QWidget:
        """The parts of the card, the most important first."""
        card = QWidget()
        column = look.column_of(
            card,
            *(
                self._name,
                self._surprises,
                self._lengths,
                self._engines,
                self._shares,
                self._bar,
                self._rows,
                self._nothing,
                self._source,
                self._keys,
                self._tokenizer,
                self._copy,
                self._keys_menu,
                self._second,
            ),
            margin=OUTER_MARGIN,
        )
        for button in (self._tokenizer, self._copy, self._keys_menu):
            column.setAlignment(button, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return card

    def offer_keys(self, menu: QMenu) -> None:
        """Offer the entries of the menu, each of which copies the rotation in a form."""
        self._keys_menu.setMenu(menu)

    def show_document(self, document: Document) -> None:
        """Show the document's models, and mark the layers that have its encoding."""
        before, self._document = self._document, document
        model = document.model
        self._card.setVisible(model is not None)
        self._empty.setVisible(model is None)
        if model is None:
            other = document.model_b
            second = "" if other is None else f" {other.name} is model B: open a second model to compare the two."
            self._empty.show_sentence(f"{_NOTHING}{second}")
            return
        if model != before.model:
            self._show_model(model)
        if (model, document.model_b) != (before.model, before.model_b):
            self._second.show_models(model, document.model_b)
        rotates = any(each.kind == "rotary" for each in model.layers)
        rotary = document.encoding if rotates and document.encoding.rotation is not None else None
        self._is_edited = not self._rows.mark(document)
        whose = _EDITED if self._is_edited else ""
        self._shares.show_sentence("" if rotary is None else f"{whose}{shares_words(rotary)}.")
        self._bar.show_encoding(rotary)
        self._keys_menu.setVisible(rotary is not None)
        self._lengths.show_length(document.seq_len)
        self._tell_engines()

    def _show_model(self, model: Model) -> None:
        self._name.show_sentence(model.name)
        kind = f"{model.model_type}, " if model.model_type and model.model_type != model.name else ""
        self._source.show_sentence(f"{kind}from {model.source}")
        claims = list(claims_of(model))
        self._surprises.show_claims([each for each in claims if each.topic == SURPRISING])
        self._keys.show_claims([each for each in claims if each.topic == KEYS])
        self._tokenizer.setVisible(model.tokenizer is not None)
        self._lengths.show_model(model)
        self._counted = ""
        self._soon.start()
        has_encoding = any(group.layer.shown is not None for group in model.groups)
        self._nothing.show_sentence("" if has_encoding else _KEPT)
        self._rows.show_model(model)

    def _show_engines(self) -> None:
        """Show the number of engines that agree with the model's class, in one line."""
        model = self._document.model
        if model is None or not model.config:
            return
        from posenc_core.engines import compare_engines  # imported here, after the first paint

        try:
            table = compare_engines(json.loads(model.config), model.target_length or model.trained_length)
        except ValueError:  # a model without rotation, or with a length beyond the comparison of engines
            return
        self._counted = f"{counted(table.length)} tokens {table.words}"
        self._tell_engines()

    def _tell_engines(self) -> None:
        """Show the count of engines, which is about the files, also where the chosen encoding differs from them."""
        more = "; the panel Engines compares the chosen encoding" if self._is_edited else " (View, Panels, Engines)"
        start = "With the numbers of the files, at" if self._is_edited else "At"
        self._engines.show_sentence(f"{start} {self._counted}{more}." if self._counted else "")

    def _choose_length(self, length: int) -> None:
        self.fieldEdited.emit(SEQ_LEN.name, length, None)

    def _copy_card(self) -> None:
        model = self._document.model
        if model is not None:
            QGuiApplication.clipboard().setText("\n".join([model.name, *(each.copied for each in claims_of(model))]))


class _Openers(QWidget):
    """Buttons that open a model, and list the presets."""

    def __init__(self) -> None:
        super().__init__()
        self.open_button = look.small_button("Open model…", "Open a model's folder or file")
        self.presets_button = look.small_button("Presets…", "List the presets of models and encodings")
        margins = (OUTER_MARGIN, GAP, OUTER_MARGIN, GAP)
        look.row_of(self.open_button, self.presets_button, None, holder=self, margins=margins)
