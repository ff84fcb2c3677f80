"""The window of PosEnc, on top of posenc_core."""

import gc

# A start creates more than a hundred thousand objects, nearly all of which remain: a search for cycles among them needs
# 40 ms and finds nothing. ``make_application`` sets the rules after the start.
gc.set_threshold(200_000, 20, 20)
