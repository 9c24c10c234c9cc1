"""Lets mypy check the keywords of ``msgspec.structs.replace``, as it checks those of ``dataclasses.replace``."""

from collections.abc import Callable

from mypy.plugin import FunctionSigContext, Plugin
from mypy.plugins.dataclasses import replace_function_sig_callback
from mypy.types import FunctionLike


class StructReplace(Plugin):
    """mypy gives every struct the signature of its ``replace``; only msgspec's function does not know it yet."""

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        return replace_function_sig_callback if fullname == "msgspec.structs.replace" else None


def plugin(_version: str) -> type[Plugin]:
    return StructReplace
