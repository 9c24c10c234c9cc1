"""What a person sets in the application, written to their own settings file: other lines and comments stay."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.domain.errors import SettingsError
from workbench.named_files import read_named_file

Preference = str | int | float | Mapping[str, str] | None


def write_preferences(
    file: Path, changes: Mapping[str, Preference], models: Mapping[str, Mapping[str, Any]] | None = None
) -> None:
    """Write settings by name into a file, made if there is none; None takes one out; of ``models``, those named.

    Raises SettingsError.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from workbench.storage.files.opening import Files, replace_whole

    try:
        document = tomlkit.parse(read_named_file(file, 1_000_000).decode()) if file.exists() else tomlkit.document()
        for name, value in changes.items():
            if value is None:
                document.pop(name, None)
            else:
                document[name] = dict(value) if isinstance(value, Mapping) else value
        for name, table in (models or {}).items():
            document.setdefault("models", {})[name] = dict(table)
        replace_whole(Files(), file.resolve(), tomlkit.dumps(document).encode(), durable=True)
    except (TOMLKitError, ValueError, RecursionError) as error:
        raise SettingsError(f"{file} cannot be read, so nothing was written to it.", "Mend the file.") from error
    except OSError as error:
        raise SettingsError(f"{file} cannot be written: {error.strerror}.", "It applies until you quit.") from error
