"""Imported before numpy: one thread for its matrix products, as in the program, here and in each process of a test.

Several threads of each worker wait for each other in a loop: tests/core/analysis took 9 s of the processors, not 2.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
