"""The models that can be had on this machine: their list, how one is fetched and checked, and where it is.

    models.toml ▸ the person's own list ─▶ LocalModelObject ─▶ hub ─▶ FOLDER/NAME/FILE.gguf ─ sha256 ─▶ pin.json

The hub's client is imported by ``fetch`` alone: what is here is used without any network.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import ModelDenied, ModelError, ModelUnknown, ModelUnreachable, SettingsError
from workbench.domain.text.toml import read_toml
from workbench.named_files import read_named_file

GB = 1_000_000_000
TOKEN_BYTES = 200_000
"""Memory that a token of the window takes, at most, in models of 4 to 14 billion parameters."""
_USABLE = 0.8  # share of the machine's memory that a model may take


class LocalModelObject(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A model that can be had on this machine, or is here: a line of ``workbench models list --json``."""

    schema: Literal["workbench.local-model/1"] = "workbench.local-model/1"
    name: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9._-]{0,60}$")]
    """As it is after ``--model local:``."""
    repository: str
    file: Annotated[str, msgspec.Meta(pattern=r"^\w[\w. -]{0,200}\.gguf$")]
    licence: str
    gb: Annotated[float, msgspec.Meta(gt=0, le=10_000)]
    """Size of the file."""
    revision: str = "main"
    """Commit of the repository; of one that is here, that which it came from."""
    sha256: str = ""
    """Of the file; "" if only the hub says it."""
    verified: bool = False
    """Whether somebody has run exactly this file."""
    needs_gb: float = 0.0
    """Memory, with a window of 8,192 tokens."""
    fits: bool = True
    """Whether this machine has as much."""
    path: str = ""
    """Where it is; "" if it was not fetched."""


def memory_of_machine() -> int:
    """Return the bytes of memory that this machine, or this container, has."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(memory, int(read_named_file("/sys/fs/cgroup/memory.max", 100)))
    except (OSError, ValueError):  # no container, or "max"
        return memory


def window_for(file_bytes: int, memory: int) -> int:
    """Return the tokens that prompt and answer have memory for beside a model."""
    left = int(memory * _USABLE - file_bytes * 1.05)
    return max(4_096, min(left // TOKEN_BYTES // 1024 * 1024, 32_768))


def local_models(folder: Path, own_list: Path, memory: int) -> dict[str, LocalModelObject]:
    """Return the models that can be had or are here, by name, the smallest first. Raises SettingsError."""
    listed: dict[str, LocalModelObject] = {}
    for source in filter(Path.exists, (Path(__file__).with_name("models.toml"), own_list)):
        try:
            tables = read_toml(read_named_file(source, 1_000_000).decode())
            listed |= {name: msgspec.convert(one | {"name": name}, LocalModelObject) for name, one in tables.items()}
        except (OSError, ValueError, TypeError) as error:  # msgspec's is a ValueError
            remedy = 'Give lines like NAME = { repository = "…", file = "….gguf", licence = "…", gb = 2.5 }.'
            raise SettingsError(f"{source} does not hold a model: {error}.", remedy) from error
    known = {}
    for name, one in sorted(listed.items(), key=lambda pair: pair[1].gb):
        needs = round(one.gb * 1.05 + 8_192 * TOKEN_BYTES / GB, 1)
        fits, here = needs * GB <= memory * _USABLE, _pinned(folder / name) or replace(one, path="")
        known[name] = replace(here, needs_gb=needs, fits=fits, verified=one.verified)
    return known


def _pinned(place: Path) -> LocalModelObject | None:
    try:
        pinned = msgspec.json.decode(read_named_file(place / "pin.json", 10_000), type=LocalModelObject)
    except (OSError, ValueError):  # not here, or not whole
        return None
    return replace(pinned, path=str(place / pinned.file)) if (place / pinned.file).is_file() else None


def model_file(name: str, folder: Path) -> Path:
    """Return the file of a model, by its name or its own path. Raises ModelUnknown."""
    if name.lower().endswith(".gguf"):
        if (file := Path(name).expanduser().absolute()).is_file():
            return file
        raise ModelUnknown(f"There is no file {name}.", "Name a GGUF file, or fetch a model: workbench models get")
    if "/" in name or (pinned := _pinned(folder / name)) is None:
        raise ModelUnknown(f"The model {name} is not on this machine.", f"Fetch it: workbench models get {name}")
    return Path(pinned.path)


def fetch(one: LocalModelObject, folder: Path, environ: Mapping[str, str]) -> LocalModelObject:
    """Fetch a model's file, or the rest of it, and keep it once its hash is what it has to be. Blocks; shows progress.

    ``hf_hub_download`` begins again from the start: what it is made of does not. Raises ModelDenied, ModelUnknown,
    ModelUnreachable and, for a full disk or another hash, ModelError.
    """
    import fcntl

    import httpx2
    from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.file_download import http_get

    constants.HF_HUB_DISABLE_TELEMETRY = True  # else it says which program runs it, and asks the hub for a list of them
    endpoint, token = environ.get("HF_ENDPOINT") or None, environ.get("HF_TOKEN") or False
    place = folder / one.name
    place.mkdir(parents=True, exist_ok=True)
    try:
        url = hf_hub_url(one.repository, one.file, revision=one.revision, endpoint=endpoint)
        stated = get_hf_file_metadata(url, token=token, endpoint=endpoint)
        is_hub = urlsplit(stated.location).netloc == urlsplit(url).netloc  # a token is for nobody else
        headers = {"authorization": f"Bearer {token}"} if token and is_hub else {}
        part = place / f"{(stated.etag or 'file').strip('/.')[:64]}.part"
        with part.open("a+b") as opened:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            arrived, size = opened.seek(0, os.SEEK_END), stated.size or int(one.gb * GB)
            if (missing := size - arrived - shutil.disk_usage(place).free) > 0:
                raise OSError(errno.ENOSPC, f"{missing / GB:.1f} GB more are needed")  # noqa: TRY301 - told as the disk would
            get = partial(http_get, expected_size=stated.size, displayed_filename=one.file)
            get(stated.location, opened, resume_size=arrived, headers=headers)
            opened.seek(0)
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError, httpx2.HTTPError) as error:  # of the disk, of a name or an answer, of the connection
        raise _failure(error, one, place) from error
    expected = one.sha256 or stated.etag or ""
    if len(expected) == 64 and digest != expected:
        remove(one.name, folder)
        told = f"{one.file} has the hash {digest[:12]}…, and not {expected[:12]}…: it was removed."
        raise ModelError(told, "Fetch it again; if that repeats, do not use it.")
    path = part.rename(place / one.file)
    pinned = replace(one, revision=stated.commit_hash or one.revision, sha256=digest, path=str(path))
    (place / "pin.json").write_bytes(msgspec.json.encode(pinned))
    return pinned


def _failure(error: Exception, one: LocalModelObject, place: Path) -> ModelError:
    """Return what a person is told of a download that failed: the client fails in the ways of several libraries."""
    again = "Run the command again: it goes on from what arrived."
    match getattr(getattr(error, "response", None), "status_code", getattr(error, "errno", 0)):
        case 401 | 403 as status:
            remedy = f"Accept the licence ({one.licence}) on the page of {one.repository}; set HF_TOKEN to your token."
            return ModelDenied(f"The hub refuses you {one.file} ({status}).", remedy)
        case 404:
            return ModelUnknown(f"{one.repository} has no {one.file} any more.", "See: workbench models list")
        case errno.EAGAIN:
            return ModelError(f"{one.file} is being downloaded by another process.", "Wait for its end.")
        case errno.ENOSPC:
            return ModelError(f"{place} has no room for {one.file}: {error}.", f"Make room there. {again}")
    return ModelUnreachable(f"The download of {one.file} stopped ({type(error).__name__}).", again)


def remove(name: str, folder: Path) -> bool:
    """Remove a model with what arrived of it; tell whether there was any."""
    place = folder / name
    is_there = "/" not in name and name.strip(".") != "" and place.is_dir() and not place.is_symlink()
    if is_there:
        shutil.rmtree(place)
    return is_there
