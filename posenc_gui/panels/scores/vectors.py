"""The query and the key whose scores by distance are shown: typed, or the sentence's tokens'."""

from collections.abc import Mapping
from typing import Any

from posenc_core import Document, Embedding, Encoding
from posenc_core.text import repeated
from posenc_gui.panels.scores.spec import SCORE_MODE

Vectors = Mapping[str, Any]
"""q and k by name; none for the modes that need none."""


def core_mode(document: Document) -> str:
    """The mode of the scores in the core's words: tokens' vectors are typed ones, and the first of three is ones."""
    mode = str(document.option(SCORE_MODE))
    return {"tokens": "typed", "three": "ones"}.get(mode, mode)


def score_vectors(document: Document, encoding: Encoding) -> tuple[Vectors, str]:
    """The query and the key of the scores, and their source in words; both empty for other modes and for biases.

    ValueError with one sentence if the mode needs the vectors of tokens and the sentence has no token.
    """
    view, scores = document.view, encoding.scores
    if core_mode(document) != "typed" or scores is None or not scores.vectors:
        return {}, ""
    width, names = scores.width, scores.vectors
    if document.option(SCORE_MODE) == "typed":
        typed = {name: numbers for name, numbers in (("q", view.query_vector), ("k", view.key_vector)) if name in names}
        cut = "" if {len(each) for each in typed.values()} == {width} else f", repeated or cut to {width} numbers"
        return {name: repeated(each, 1, width)[0] for name, each in typed.items()}, f"{' and '.join(names)} typed{cut}"
    if not document.token_list:
        raise ValueError(f"the sentence has no token to take {' and '.join(names)} from: type a sentence")
    tokens = dict(zip(names, (document.token_list[-1], document.token_list[0]), strict=False))
    embedding = Embedding("simulated") if document.embedding.embedding == "none" else document.embedding
    vectors = {name: embedding.vectors([token.text], width, [token.id]) for name, token in tokens.items()}
    words = " and ".join(f"{name} is {token.cell or token.shown}" for name, token in tokens.items())
    return {name: found[0] for name, found in vectors.items() if found is not None}, f"{words}, {embedding.label}"
