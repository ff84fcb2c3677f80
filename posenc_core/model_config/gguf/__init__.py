"""GGUF files: the keys of their header, and the positions that they describe, as llama.cpp reads both."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.model_config.gguf.architectures import sliding_of
    from posenc_core.model_config.gguf.header import GgufHeader, Keys, read_gguf
    from posenc_core.model_config.gguf.model import gguf_model
    from posenc_core.model_config.gguf.rotation import SLIDES, refusal_of, rotation_of
else:
    __getattr__ = on_demand(__name__)
