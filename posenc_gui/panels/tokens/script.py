"""The Matplotlib script of the tokens' vectors."""

from posenc_core.long_context import TableDifference, difference_of
from posenc_core.scripts import TokenRow, table_names, tokens_script
from posenc_gui.panels.tokens.rows import strip_colors, token_rows
from posenc_gui.panels.tokens.view import TokensView
from posenc_gui.plotting import shades_of, table_colors


def script(view: TokensView) -> str:
    """A script that draws the strips in view; ValueError with one sentence where these are none, or too many."""
    document, columns = view.document, view.columns
    colors = strip_colors(document, table_colors(document, view.style, shared=True))
    difference = difference_of(view.encoding)
    if difference is None:
        rows = token_rows(document, view.axis, view.tokens, columns, view.style)
    else:
        rows = _compared_rows(view, difference)
    return tokens_script(document, rows, range(*columns), shades_of(colors.scale))


def _compared_rows(view: TokensView, difference: TableDifference) -> list[TokenRow]:
    """Rows of two tables and of their difference, which the script computes."""
    words, style, positions = view.document.token_list, view.style, view.axis.tokens
    return [
        TokenRow(f"{words[token].shown} {name}", style.token(token).name(), positions[token], table=table)
        for token in view.tokens
        if difference.has_value(positions[token])
        for name, table in zip(view.names, table_names(difference), strict=True)
    ]
