"""Documents as one query sees them, and the queries and keys of their tokens."""

from dataclasses import replace

from posenc_core.session.document import Document
from posenc_core.session.named_encodings import seen_encodings
from posenc_core.text import TokenVectors


def seen_document(document: Document, query: int) -> Document:
    """The document with the tables of the query at this position, for pictures; edits keep no query.

    The document itself if no table depends on the query.
    """
    if not any(each.encoding.depends_on_query for each in document.encodings):
        return document
    needs = any(each.encoding.needs_content for each in document.encodings)
    listed = seen_encodings(document.encodings, query, _vectors(document) if needs else None)
    return replace(document, encodings=listed, encoding=listed[document.current].encoding)


def token_vectors(document: Document) -> TokenVectors | None:
    """The tokens' queries and keys for the numbers of token pairs; None if the numbers need no vectors.

    For an encoding that needs vectors, they are drawn from the seed unless they are typed: with equal vectors, the
    gates of all tokens would be equal.
    """
    view, encoding = document.view, document.encoding
    if not encoding.needs_content and (view.pair_vectors == "ones" or encoding.rotation is None):
        return None
    return _vectors(document)


def _vectors(document: Document) -> TokenVectors:
    view = document.view
    typed = (view.query_vector, view.key_vector) if view.pair_vectors == "typed" else None
    return TokenVectors(document.token_list, view.pair_seed, typed)
