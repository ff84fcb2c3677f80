"""A sentence as tokens, and tokens as embeddings."""

from posenc_core.text.embedding import Embedding
from posenc_core.text.graphemes import cluster_stops, code_points
from posenc_core.text.known_tokens import KnownTokens
from posenc_core.text.text_change import shared_end, shared_start
from posenc_core.text.tokens import SENTENCE, TOKENS, Token, TokenList, tokenize
