"""The window of PosEnc, on top of posenc_core."""

import gc

# Starting makes some hundred thousand objects and a picture some thousand, hardly any in a cycle: by itself Python
# would look for cycles a hundred times on the way to the first picture, and ten times in each picture after it.
gc.set_threshold(50_000, 20, 20)
