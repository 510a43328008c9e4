"""`python -m backstory` is the command `backstory`."""

import sys

from backstory.cli.main import main

sys.exit(main())
