"""The program, from a checkout: `python main.py` opens the window, `python main.py export` writes files."""

import sys
from pathlib import Path

if sys.flags.safe_path:  # Python then leaves out the folder of the script
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from posenc_gui.start import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
