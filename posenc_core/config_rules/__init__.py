"""What keys of a config.json mean: facts of the model classes, widths, bases, scalings, and the plan over layers."""

from posenc_core.config_rules.facts import Notes, Values, facts_of
from posenc_core.config_rules.fixed_positions import checked, encoding_of, length_key, other_positions, refusal
from posenc_core.config_rules.layer_types import integer
from posenc_core.config_rules.layers import check_known, check_rotary, kinds_of, layers_of, no_position, rotary_at
from posenc_core.config_rules.rope_parameters import some_names
