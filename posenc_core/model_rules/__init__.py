"""Positions in models' code: facts by ``model_type``, and rules for reading configurations."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.model_rules.facts import Facts, Notes, Values, facts_of
    from posenc_core.model_rules.layer_lists import FULL, integer
    from posenc_core.model_rules.layer_plan import Plan, PlannedLayer, label_of, plan_of
    from posenc_core.model_rules.other_positions import (
        checked,
        default_notes,
        encoding_of,
        is_table,
        kind_of,
        length_key,
        positions_of,
        refusal,
        table_shape_of,
    )
    from posenc_core.model_rules.part_windows import windows_told
    from posenc_core.model_rules.table_rows import first_row_of, tokens_of
    from posenc_core.model_rules.vision_parts import picture_axes, table_beside
    from posenc_core.model_rules.rotation.changed import changed_rotation
    from posenc_core.model_rules.rotation.rope import odd_columns, rotary_of
    from posenc_core.model_rules.rotation.rope_parameters import (
        ALL_LAYERS,
        NULL_FAILS,
        NotShownError,
        RopeParameters,
        labels,
        parameters_of,
        some_names,
    )
    from posenc_core.model_rules.rotation.usual_keys import is_params
    from posenc_core.model_rules.widths import head_width
else:
    __getattr__ = on_demand(__name__)
