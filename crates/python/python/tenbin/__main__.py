"""`python3 -m tenbin`: the command."""

from ._cli import main

raise SystemExit(main())
