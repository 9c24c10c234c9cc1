"""Keys of models in the keyring of the system, where the package ``keyring`` is installed; else there are none.

A key is kept by the name of the variable that would hold it; the variable goes first.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from workbench.domain.errors import SettingsError

_SERVICE = "planning-workbench"


def has_keyring() -> bool:
    """Tell whether keys can be kept."""
    return find_spec("keyring") is not None


def stored_key(variable: str) -> str:
    """Return a key that was kept; "" for none."""
    if not has_keyring():
        return ""
    keyring: Any = import_module("keyring")
    try:
        return str(keyring.get_password(_SERVICE, variable) or "")
    except keyring.errors.KeyringError:  # it is locked, or this system has none
        return ""


def keep_key(variable: str, key: str) -> None:
    """Keep a key. Raises SettingsError if that cannot be."""
    if not has_keyring():
        raise SettingsError("Keys are kept by the package keyring, which is not installed.", "pip install keyring")
    keyring: Any = import_module("keyring")
    try:
        keyring.set_password(_SERVICE, variable, key)
    except keyring.errors.KeyringError as error:
        raise SettingsError(
            f"The system's keyring does not take the key: {error}", f"Set {variable} instead."
        ) from error
