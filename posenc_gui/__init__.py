"""The window of PosEnc, on top of posenc_core."""

import gc

# A start makes more than a hundred thousand objects, nearly all of which stay: looking for cycles among them takes
# 40 ms and finds nothing. ``make_application`` says what holds after that.
gc.set_threshold(200_000, 20, 20)
