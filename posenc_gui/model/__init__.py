"""The document, its history and the cursor."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.model.course import Course, POSITIONS, TARGET_LENGTHS, TOKENS, even_stops, field_course
    from posenc_gui.model.cursor import Cursor, PositionAxis, cursor_pair, has_clocks, has_wavelengths, n_components
    from posenc_gui.model.cursor import no_value_sentence, pair_column, seen_by, token_pair, turns_columns, turns_pairs
    from posenc_gui.model.cursor import valued
    from posenc_gui.model.cursor_control import CursorControl
    from posenc_gui.model.document_store import DocumentStore
    from posenc_gui.model.history import brief
    from posenc_gui.model.panel_spec import (
        Need,
        PanelSpec,
        compares_rows,
        difference_need,
        every_encoding,
        second_need,
        texts_beside,
    )
    from posenc_gui.model.subjects import Subject, encoding_at, subject_derivation
    from posenc_gui.model.timeline import Timeline
    from posenc_gui.model.token_pairs import (
        pair_derivation,
        pair_number,
        pair_numbers,
        pair_refusal,
        pair_words,
        query_words,
        sides_words,
    )
    from posenc_gui.model.wording import (
        angle_words,
        column_facts_words,
        column_noun,
        column_words,
        has_patches,
        is_head,
        may_be_logarithmic,
        position_noun,
        position_words,
        source_words,
        token_details,
        token_words,
        value_title,
        wavelength_unit,
    )
else:
    __getattr__ = on_demand(__name__)
