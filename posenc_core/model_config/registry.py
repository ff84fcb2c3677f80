"""Kinds of models by the ``model_type`` of their config.json: what each uses for positions."""

from msgspec import Struct


class Sinusoids(Struct, frozen=True):
    """How a kind of model makes its positions, and what its configuration calls width and length.

    ``offset`` is the first token's position, None where that is ``pad_token_id + 1``.
    """

    layout: str
    spacing: str
    offset: int | None = 0
    width: str = "d_model"
    length: str = "max_position_embeddings"


# Layout and spacing were compared with the models' own code, number by number (largest difference 3e-8 for
# Marian and XLM, 9e-7 for M2M100 and Whisper, whose angles are float32). Where the first token stands is read
# from transformers 4.44.2: XGLM adds 2 whatever its padding, M2M100, FSMT and Speech2Text pad_token_id + 1.
SINUSOIDS = {
    "marian": Sinusoids("concatenated", "paper"),
    "pegasus": Sinusoids("concatenated", "paper"),
    "xlm": Sinusoids("interleaved", "paper", width="emb_dim"),
    "m2m_100": Sinusoids("concatenated", "tensor2tensor", None),
    "fsmt": Sinusoids("concatenated", "tensor2tensor", None),
    "xglm": Sinusoids("concatenated", "tensor2tensor", 2),
    "speech_to_text": Sinusoids("concatenated", "tensor2tensor", None, length="max_source_positions"),
    "whisper": Sinusoids("concatenated", "tensor2tensor", length="max_source_positions"),
}
"""marian, pegasus: halves, the paper's spacing; xlm: interleaved; the others as fairseq has it. The source is their
code in Hugging Face transformers, ``modeling_<model_type>.py``."""

_BERT, _DECODER = "position_embeddings.weight", "embed_positions.weight"
TABLES = {
    **dict.fromkeys(("bert", "roberta", "xlm-roberta", "camembert", "distilbert", "albert", "electra"), _BERT),
    **dict.fromkeys(("gpt2", "gpt_neo", "gpt_bigcode"), "wpe.weight"),
    **dict.fromkeys(("bart", "mbart", "opt", "biogpt", "blenderbot"), _DECODER),
    "openai-gpt": "positions_embed.weight",
    "vit": "",
}
"""Models with a learned table, and how the name of its tensor ends; empty where it is no matrix of rows."""

OTHERS = {
    "xlnet": "sinusoids of relative positions",
    "musicgen": "sinusoids with the cosines first",
    "deberta": "learned vectors for distances, which its scores weigh twice",
    "deberta-v2": "learned vectors for distances, which its scores weigh twice",
}
"""Models that are known and have no family here."""
