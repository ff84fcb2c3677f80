"""A sentence as tokens, and tokens as embeddings."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.text.embedding import Embedding, EmbeddingRows, HeldRows
    from posenc_core.text.graphemes import cluster_stops, code_points, last_safe_place
    from posenc_core.text.incremental import NO_CHANGE, TextChange
    from posenc_core.text.pair_vectors import (
        FIELDS_OF_MODE,
        KEY_VECTOR,
        PAIR_FIELDS,
        PAIR_SEED,
        PAIR_VECTORS,
        QUERY_VECTOR,
        TokenVectors,
        drawn_vectors,
        repeated,
    )
    from posenc_core.text.tokenizer_opening import MAXIMUM_BYTES, ModelTokenizer, ModelWay, open_tokenizer
    from posenc_core.text.tokenizer_shape import is_tokenizer
    from posenc_core.text.tokens import (
        KnownTokens,
        MODEL_TOKENS,
        SENTENCE,
        SPECIAL_TOKENS,
        TOKENS,
        Token,
        TokenList,
        exchanged,
        tokenize,
    )
else:
    __getattr__ = on_demand(__name__)
