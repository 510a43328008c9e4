"""Other rooms of the project, imported when a command runs that needs them, from beside this package and nowhere else."""

import sys
from importlib import import_module
from typing import Any

from backstory import daemon
from backstory.errors import ConfigError


def load(name: str) -> Any:
    """Import a module of another room; a folder of that name in the user's own directory is not taken for it."""
    home = daemon.root()
    sys.path.insert(0, home)
    try:
        module = import_module(name)
    except ImportError as error:
        raise ConfigError(f"{name} cannot be imported: {error}; is Backstory installed as a whole?") from error
    finally:
        sys.path.remove(home)
    return module
