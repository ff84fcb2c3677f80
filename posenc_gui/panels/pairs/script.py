"""The Matplotlib script of the token pairs."""

from posenc_core.scripts import pairs_script
from posenc_gui.panels.pairs.cells import PairView
from posenc_gui.plotting import seen_in, shades_of


def script(view: PairView) -> str:
    """A script that draws the queries and keys in view; ValueError with one sentence if there are none."""
    tokens, style = view.document.token_list, view.style
    marks = [(index, tokens[index].shown, style.token(index).name()) for index in range(view.axis.n_tokens)]
    queries, keys = (seen_in(window, range(len(marks))) for window in (view.area.upright, view.area.across))
    return pairs_script(view.document, view.column, queries, keys, marks, shades_of(view.colors))
