"""Documents as one query sees them, and the queries and keys of their tokens."""

from dataclasses import replace

from posenc_core.session.document import Document
from posenc_core.session.named_encodings import seen_encodings
from posenc_core.text import TokenVectors


def seen_document(document: Document, query: int) -> Document:
    """The document with the tables of the query at this position, as pictures draw them; edits keep no query.

    Itself where no table depends on the query.
    """
    if not any(each.encoding.depends_on_query for each in document.encodings):
        return document
    needs = any(each.encoding.needs_content for each in document.encodings)
    listed = seen_encodings(document.encodings, query, _vectors(document) if needs else None)
    return replace(document, encodings=listed, encoding=listed[document.current].encoding)


def token_vectors(document: Document) -> TokenVectors | None:
    """The tokens' queries and keys that count for the numbers of token pairs; None where no vectors count.

    For an encoding that needs vectors, those of the mode ``ones`` are 1 in each column.
    """
    view, encoding = document.view, document.encoding
    if not encoding.needs_content and (view.pair_vectors == "ones" or encoding.rotation is None):
        return None
    return _vectors(document)


def _vectors(document: Document) -> TokenVectors:
    view = document.view
    typed = {"ones": ((1.0,), (1.0,)), "typed": (view.query_vector, view.key_vector)}
    return TokenVectors(document.token_list, view.pair_seed, typed.get(view.pair_vectors))
