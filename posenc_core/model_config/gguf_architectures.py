"""What llama.cpp decides by the name of an architecture, and no GGUF file says.

Sources: llama.cpp, src/llama-model.cpp (``llama_model_rope_type``, ``set_swa_pattern``, the builders of each graph) and
src/llama-arch.cpp, November 2025.
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NO_ROTATION = _names("""
    clip gpt2 gptj mpt refact bloom mamba mamba2 jamba jina-bert-v2 t5 t5encoder jais rwkv6 rwkv6qwen2 rwkv7 arwkv7
    wavtokenizer-dec nemotron_h
""")

INTERLEAVED = _names("""
    llama llada llama4 deci baichuan starcoder internlm2 minicpm xverse command-r cohere2 olmo arctic deepseek deepseek2
    plm chatglm glm4 granite granitemoe granitehybrid chameleon bailingmoe neo-bert smollm3 arcee ernie4_5 ernie4_5-moe
""")
"""Columns 2i and 2i + 1 turn together (LLAMA_ROPE_TYPE_NORM); converters permute the weights of Llama to fit."""

HALF_SPLIT = _names("""
    falcon falcon-h1 grok dbrx bert jina-bert-v3 nomic-bert nomic-bert-moe stablelm bitnet qwen qwen2 dream qwen2moe
    qwen3 qwen3moe qwen3next llada-moe olmo2 olmoe phi2 phi3 phimoe plamo plamo2 gemma gemma2 gemma3 gemma3n
    gemma-embedding starcoder2 openelm gptneox codeshell orion nemotron exaone exaone4 minicpm3 bailingmoe2 dots1
    hunyuan-moe gpt-oss hunyuan-dense lfm2 lfm2moe smallthinker glm4moe seed_oss grovemoe apertus qwen2vl
""")
"""Columns i and i + r/2 turn together (LLAMA_ROPE_TYPE_NEOX, and MROPE of text)."""

PERIODS = {"gemma2": 2, "gemma3": 6, "gemma3n": 5, "cohere2": 4, "gpt-oss": 2, "llama4": 4, "exaone4": 4, "olmo2": 4}
"""How many layers make a period, of which the last attends to all tokens and the others to a window."""

STILL_EVERY = {"smollm3": 4, "llama4": 4}
"""Every n-th layer does not rotate."""

STILL_IF_FULL = frozenset(("cohere2", "exaone4"))
"""Layers that attend to all tokens do not rotate, where others attend to a window."""
