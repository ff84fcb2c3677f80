"""The entry point of the one-folder program."""

import sys

from posenc_gui.start.launch import main

sys.exit(main())
