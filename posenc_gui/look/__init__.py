"""Style, numbers, formulas and small dialogs."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.look.choice_dialog import FilterLine, ask_row, row_list
    from posenc_gui.look.controls import GAP, HIT_PX, OUTER_MARGIN, FitsRoom, FitsText, Invitation, SlimButton
    from posenc_gui.look.controls import WidgetMixin, column_of, describe, dialog_column, explain_controls, flat_button
    from posenc_gui.look.controls import WhatsThis, grid_of
    from posenc_gui.look.controls import lay_out_now, open_with, paint_card, remove_icons, row_of
    from posenc_gui.look.controls import small_button, title_button
    from posenc_gui.look.message_boxes import (
        PATIENCE_MS,
        MessageBox,
        ProgressDialog,
        agrees,
        ask_choice,
        ask_file,
        ask_new_file,
        ask_to_save,
    )
    from posenc_gui.look.message_boxes import inform, show_about, warn
    from posenc_gui.look.number_format import NO_NUMBER, as_read, as_written, counted, decimals_for, signed, significant
    from posenc_gui.look.number_format import with_exponent
    from posenc_gui.look.number_format import true_minus, unit_over, wavelength_text, with_decimals
    from posenc_gui.look.plain_text import (
        Note,
        PlainLabel,
        Shelf,
        SmallLabel,
        TiedLabel,
        glossary_lines,
        menu_text,
        plain_tip,
        tied,
    )
    from posenc_gui.look.qt import make_application
    from posenc_gui.look.resources import DESKTOP_ID, resource
    from posenc_gui.look.style import DARK, FAMILY, LABEL_PX, LAYER_CURSOR, LAYER_DATA, LAYER_GUIDES, LAYER_TOKENS
    from posenc_gui.look.style import LIGHT, TEXT_PX, THEMES, Style, blend, checked_palette, unchecked_palette
    from posenc_gui.look.text_layout import Paragraph, Run
    from posenc_gui.look.text_view import TextView
    from posenc_gui.look.theme import BAR_PX, apply_style, dress, enlarged, flatten_scroll_bars, present_style
    from posenc_gui.look.theme import ScrollArea, scrolling
else:
    __getattr__ = on_demand(__name__)
