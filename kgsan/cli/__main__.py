"""`python -m kgsan.cli`."""

import sys

from kgsan.cli import main

sys.exit(main())
