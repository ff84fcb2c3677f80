"""What a model's files say about its positions."""

from posenc_core.model_config.config import MAXIMUM_BYTES, ModelConfig, rope_from_config
from posenc_core.model_config.model import FoundTable, Layer, LayerGroup, Model
from posenc_core.model_config.opening import open_model
