"""Style, numbers, formulas and small dialogs."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.look.choice_dialog import ChoiceDialog
    from posenc_gui.look.controls import GAP, HIT_PX, OUTER_MARGIN, Invitation, LateContent, Note, SmallLabel
    from posenc_gui.look.controls import (
        WhatsThis,
        column_of,
        explain_controls,
        flatten_scroll_bars,
        lay_out_now,
        remove_icons,
    )
    from posenc_gui.look.controls import scrolling
    from posenc_gui.look.message_boxes import PATIENCE_MS, MessageBox, ProgressDialog, ask_choice, ask_to_save, inform
    from posenc_gui.look.message_boxes import show_about, warn
    from posenc_gui.look.number_format import NO_NUMBER, as_written, counted, decimals_for, signed, significant
    from posenc_gui.look.number_format import true_minus, unit_over, wavelength_text, with_decimals
    from posenc_gui.look.plain_text import PlainLabel, menu_text, plain_tip
    from posenc_gui.look.qt import make_application
    from posenc_gui.look.resources import DESKTOP_ID, resource
    from posenc_gui.look.style import DARK, FAMILY, LABEL_PX, LAYER_CURSOR, LAYER_DATA, LAYER_GUIDES, LAYER_TOKENS
    from posenc_gui.look.style import LIGHT, TEXT_PX, THEMES, Style, blend
    from posenc_gui.look.text_layout import Paragraph, Run
    from posenc_gui.look.text_view import TextView
    from posenc_gui.look.theme import apply_style, dress, present_style
else:
    __getattr__ = on_demand(__name__)
