"""A sentence as tokens, and tokens as embeddings."""

from posenc_core.text.embedding import Embedding
from posenc_core.text.graphemes import cluster_stops, code_points, last_safe_place
from posenc_core.text.incremental import NO_CHANGE, TextChange
from posenc_core.text.tokens import SENTENCE, TOKENS, KnownTokens, Token, TokenList, tokenize
