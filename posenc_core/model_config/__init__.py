"""What a model's files say about its positions."""

from posenc_core.model_config.config import MAXIMUM_BYTES, ModelConfig
from posenc_core.model_config.model import FoundTable, Layer, LayerGroup, Model
from posenc_core.model_config.rope import rope_from_config
