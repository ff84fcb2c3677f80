"""The fields that several families, or a family and the document, share."""

from posenc_core.fields.number_fields import IntegerField, RealField

D_MODEL = IntegerField(
    name="d_model",
    help="Number of columns: the width of the vector that is added to each token's embedding.",
    default=8,
    minimum=1,
    maximum=65536,
    step=2,
    unit="columns",
    synonyms="d, n_embd, hidden_size, embedding_dim",
)

BASE = RealField(
    name="base",
    help="Base of the geometric progression of wavelengths: the larger, the slower the last columns.",
    default=10000.0,
    above=0.0,
    slider=(1.0, 1e7),
    logarithmic=True,
    spoken="base (rope_theta)",
    synonyms="10000 in the paper, theta, n, max_timescale, temperature",
)

OFFSET = IntegerField(
    name="offset",
    help="Added to every position before it is encoded: 1 where a model calls its first token position 1.",
    default=0,
    minimum=-10_000_000,
    maximum=10_000_000,
    unit="positions",
    synonyms="start_index (tensor2tensor), padding_idx + 1 (fairseq)",
)

WIDTH_NAMES = (D_MODEL.name, "head_dim", "d")
"""The names by which families call the number of a vector's columns."""

N_HEADS = IntegerField(
    name="n_heads",
    label="n_&heads",
    help="Number of attention heads: each column is one head's bias.",
    default=8,
    minimum=1,
    maximum=1024,
    unit="heads",
    synonyms="num_heads, num_attention_heads, n_head",
)

TABLE_SEED = IntegerField(
    name="table_seed",
    label="table s&eed",
    help="Seed of the simulated numbers in place of learned ones.",
    default=0,
    minimum=0,
    maximum=2**32 - 1,
)

SEQ_LEN = IntegerField(
    name="seq_len",
    label="seq_le&n",
    help="Number of positions that the waves and the heatmap show.",
    default=60,
    minimum=1,
    maximum=10_000_000,
    unit="positions",
    synonyms="T, L, max_len, context_length, max_position_embeddings",
)
