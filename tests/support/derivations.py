"""Output of a derivation's script."""

import contextlib
import io

from posenc_core import Derivation


def printed(derivation: Derivation) -> float:
    """The number that the derivation's script prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(derivation.to_python(), {})
    return float(output.getvalue())
