"""Positions of a model, read from its files."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.model_config.asked import Asked, asked_encodings
    from posenc_core.model_config.config import MAXIMUM_BYTES, ModelConfig, part_of, rope_from_config
    from posenc_core.model_config.evidence import Evidence, evidence_named, evidence_of_layer, evidence_of_part
    from posenc_core.model_config.folder import CONFIG
    from posenc_core.model_config.layers import layers_of, parameters_at, rotary_at
    from posenc_core.model_config.opening import model_files, model_in, open_model
    from posenc_core.model_config.writing_back import FORMS, written_back
    from posenc_core.session import FoundTable, Layer, LayerGroup, Model
else:
    __getattr__ = on_demand(__name__)
