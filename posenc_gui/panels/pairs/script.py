"""The Matplotlib script of the token pairs."""

from posenc_core.encodings import Encoding
from posenc_core.explain import NUMPY, Snippet, template_lines, written_out
from posenc_core.scripts import (
    MOST_NUMBERS_SHOWN,
    MOST_WORDS,
    PYPLOT,
    assembled,
    cell_lines,
    check_size,
    drawn_positions,
    ends_of,
    filled,
    head_of,
    plain_label,
    table_lines,
)
from posenc_core.session import token_vectors
from posenc_core.text import TokenList, TokenVectors
from posenc_gui.panels.pairs.cells import PairView
from posenc_gui.plotting import seen_in, shades_of


def script(view: PairView) -> str:
    """A script that draws the queries and keys in view: the entry at their distance, or their dot product.

    ValueError with one sentence for a picture without tokens, or with too many numbers.
    """
    document, encoding, tokens = view.document, view.encoding, view.document.token_list
    queries, keys = (seen_in(window, range(view.axis.n_tokens)) for window in (view.area.upright, view.area.across))
    if not queries or not keys:
        raise ValueError("there is no token to draw")
    table, scores = _table_lines(encoding, view.column, queries, keys, token_vectors(document))
    check_size(len(queries) * len(keys))
    if encoding.causal:
        scores += ("scores = np.where(keys > queries[:, None], np.nan, scores)  # masked",)
    shades, is_numbered = shades_of(view.colors), len(queries) * len(keys) <= MOST_NUMBERS_SHOWN
    lines = template_lines(
        __file__,
        "script",
        queries=f"{queries[0]}, {queries.stop}",
        keys=f"{keys[0]}, {keys.stop}",
        scores=scores,
        shades=shades.lines,
        ticked=shades.ticks,
        words=[*_words_of("query_words", queries, tokens), *_words_of("key_words", keys, tokens)],
        **cell_lines("scores", (len(queries), len(keys))),
        extent=(*ends_of(keys), *ends_of(queries)[::-1]),
        numbers=filled("numbers", shown="scores", place="keys[column], queries[row]") if is_numbered else (),
    )
    return assembled(head_of(encoding), table + Snippet(lines, (PYPLOT, *shades.imports)), NUMPY)


def _table_lines(
    encoding: Encoding, column: int, queries: range, keys: range, content: TokenVectors | None
) -> tuple[Snippet, tuple[str, ...]]:
    """Lines that define the table, and lines that compute ``scores`` from it.

    ValueError with one sentence for a token without a value, and for more numbers than a script may contain.
    """
    if encoding.depends_on_query or (content is not None and not encoding.relative):
        numbers = encoding.pair_values(queries, keys, column, content)
        return written_out(numbers, NUMPY, "the numbers of each query, a row, and key"), ("scores = table",)
    if encoding.relative:
        positions, distances = range(keys[0] - queries[-1], keys[-1] - queries[0] + 1), "keys - queries[:, None]"
        if encoding.causal and not encoding.has_value(1):  # later keys, which are masked
            positions, distances = range(min(positions[0], 0), min(positions[-1], 0) + 1), f"np.minimum({distances}, 0)"
        scores = f"scores = table[{distances} - ({positions.start}), {column}]"
    else:
        positions = range(min(queries[0], keys[0]), max(queries[-1], keys[-1]) + 1)
        cut = f" - {positions.start}" if positions.start else ""
        scores = f"scores = table[queries{cut}] @ table[keys{cut}].T"
    if drawn_positions(encoding, positions, 1) != positions:
        raise ValueError("a token in view has no value: a script is written only for tokens that have one")
    return table_lines(encoding, positions, NUMPY), (scores,)


def _words_of(name: str, shown: range, tokens: TokenList) -> list[str]:
    """The definition of a dictionary of words by index."""
    kept = shown[:: max(1, -(-len(shown) // MOST_WORDS))]
    return [f"{name} = {{", *(f"    {index}: {plain_label(tokens[index].shown)!r}," for index in kept), "}"]
