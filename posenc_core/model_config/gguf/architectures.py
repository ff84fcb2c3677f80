"""Facts that llama.cpp derives from the name of an architecture, missing in GGUF files.

Sources: llama.cpp as in llama-cpp-python 0.3.36, src/llama-model.cpp (``llama_model_rope_type``, ``load_swa_pattern``),
``load_arch_hparams`` and the graph of each file in src/models.
"""

from msgspec import Struct


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NO_ROTATION = _names("""
    clip gpt2 gptj mpt refact bloom mamba mamba2 jamba jina-bert-v2 t5 t5encoder jais rwkv6 rwkv6qwen2 rwkv7 arwkv7
    wavtokenizer-dec nemotron_h nemotron_h_moe kimi-linear kimi-k3 glm5-next
""")

INTERLEAVED = _names("""
    llama llada llama4 deci baichuan starcoder internlm2 minicpm xverse command-r cohere2 cohere2moe olmo arctic
    deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 muse-glimmer plm chatglm glm4 granite granitemoe granitehybrid
    graniteswitch granite_swa chameleon bailingmoe bailingmoe3 neo-bert smollm3 arcee ernie4_5 ernie4_5-moe mistral3
    eagle3 mistral4 llama-embed maincoder glm-dsa dots3note nanbeige pockettts hy_v4
""")
"""Columns 2i and 2i + 1 turn together (LLAMA_ROPE_TYPE_NORM); converters permute the weights of Llama to fit."""

HALF_SPLIT = _names("""
    falcon falcon-h1 grok dbrx bert jina-bert-v3 modern-bert nomic-bert nomic-bert-moe eurobert stablelm bitnet qwen
    qwen2 dream qwen2moe qwen3 qwen3moe qwen3next llada-moe rnd1 olmo2 olmoe phi2 phi3 phimoe plamo plamo2 plamo3 gemma
    gemma2 gemma3 gemma3n gemma4 gemma4-assistant gemma-embedding starcoder2 openelm gptneox codeshell orion nemotron
    exaone exaone4 exaone-moe minicpm3 bailingmoe2 dots1 hunyuan-moe hunyuan-dense hunyuan_vl jais2 gpt-oss hy_v3 lfm2
    lfm2moe smallthinker seed_oss grovemoe apertus minimax-01 minimax-m2 minimax-m3 cogvlm pangu-embedded afmoe laguna
    mimo2 step35 spark2_5 talkie mellum maple hrm_text glm4moe dflash qwen2vl paddleocr qwen3vl qwen3vlmoe qwen35
    qwen35moe qwen4exp qwen3tts
""")
"""Columns i and i + r/2 turn together (LLAMA_ROPE_TYPE_NEOX, and MROPE and IMROPE of text)."""


class Sliding(Struct, frozen=True):
    """The sliding layers of an architecture.

    ``period``: of this many layers one, the last or with ``full_first`` the first, attends to all tokens; 0 for none,
    None if the file must list the layers. ``inherits``: parameters that sliding layers share with the others if the
    file has no separate base, "base and factor", "base" or nothing, which means the base 10000. ``window``
    is a size in tokens from the code, ``symmetric`` a window of half its size on each side, ``chunked`` a chunk.
    """

    period: int | None = None
    full_first: bool = False
    inherits: str = "base and factor"
    window: int | None = None
    symmetric: bool = False
    chunked: bool = False


SLIDING = {
    "afmoe": Sliding(4),
    "cohere2": Sliding(4),
    "cohere2moe": Sliding(4, full_first=True),
    "deepseek4": Sliding(0),
    "dots3note": Sliding(),
    "exaone-moe": Sliding(4),
    "exaone4": Sliding(4),
    "gemma-embedding": Sliding(6, inherits="", symmetric=True),
    "gemma2": Sliding(2),
    "gemma3": Sliding(6, inherits=""),
    "gemma3n": Sliding(5, inherits=""),
    "gemma4": Sliding(inherits=""),
    "gemma4-assistant": Sliding(inherits=""),
    "gpt-oss": Sliding(2),
    "granite_swa": Sliding(),
    "laguna": Sliding(4, full_first=True, inherits="base"),
    "lfm2": Sliding(0),
    "lfm2moe": Sliding(0),
    "llama4": Sliding(4, window=8192, chunked=True),
    "maple": Sliding(),
    "mellum": Sliding(4, inherits="base"),
    "mimo2": Sliding(inherits=""),
    "modern-bert": Sliding(3, full_first=True, inherits="", symmetric=True),
    "muse-glimmer": Sliding(4, inherits="base"),
    "olmo2": Sliding(4, inherits="base"),
    "plamo3": Sliding(8, inherits=""),
    "smallthinker": Sliding(4, full_first=True, window=4096),
    "spark2_5": Sliding(),
    "step35": Sliding(inherits=""),
}
"""By architecture; the code of others has no window, independently of the file."""

LAYERS_WITH_WINDOW = {"exaone4": 64}
"""The number of layers with which an architecture has a window; other sizes have none."""

STILL_EVERY = {"smollm3": 4, "llama4": 4, "afmoe": 4}
"""Every n-th layer does not rotate."""

STILL_IF_FULL = _names("cohere2 cohere2moe exaone4 exaone-moe muse-glimmer maple smallthinker")
"""Architectures whose layers with attention to all tokens do not rotate, if others attend to a window."""

SWITCHED_BY_FINETUNED = _names("granite granitemoe granitehybrid graniteswitch")
"""Architectures in which ``rope.scaling.finetuned`` is a switch: false means that no layer rotates."""

KNOWN = NO_ROTATION | INTERLEAVED | HALF_SPLIT
"""All architectures of llama.cpp, which refuses any other."""

SCALINGS = ("none", "linear", "yarn", "longrope")
"""The values of ``rope.scaling.type``; llama.cpp ends at any other."""

RECURRENT_BUT_EVERY = {"qwen3next": 4, "qwen35": 4, "qwen35moe": 4, "qwen4exp": 4, "minimax-01": 8}
"""Every n-th layer has attention, the others linear attention; ``full_attention_interval`` sets n."""

LATENT = _names("deepseek2 deepseek2-ocr deepseek32 glm-dsa")
"""Architectures whose rotated columns are a separate vector."""

ONE_BASE = _names("cohere2moe exaone-moe exaone4 granite_swa lfm2 lfm2moe mellum olmo2")
"""Sliding architectures whose graph has one base for all layers and ignores ``rope.freq_base_swa``."""

PLAIN_SLIDING = _names("laguna mellum olmo2")
"""Architectures whose sliding layers have no amplitude and ignore ``rope.scaling.attn_factor``."""

WHOLE_HEAD = _names("llama deci falcon llama-embed")
"""Architectures that refuse a file in which a part of a head rotates."""

READS_BETAS = {"grok": 8.0, "mistral3": 32.0}
"""Architectures that read ``yarn_beta_fast`` and ``yarn_beta_slow``, with the default of ``yarn_beta_fast``."""

READS_LOG_MULTIPLIER = _names("deepseek2 deepseek32 mistral3")
