"""The program, from a checkout: `python main.py` opens the window, `python main.py export` writes files."""

import sys

from posenc_gui.start import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
