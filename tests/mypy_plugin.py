"""Lets mypy check the keywords of ``msgspec.structs.replace``, as it checks those of ``dataclasses.replace``."""

from collections.abc import Callable

from mypy.plugin import FunctionSigContext, Plugin
from mypy.plugins.dataclasses import replace_function_sig_callback
from mypy.types import FunctionLike, Instance, get_proper_type

_STRUCT = "msgspec.Struct"


def _sig(context: FunctionSigContext) -> FunctionLike:
    for given in context.args[0]:
        of = get_proper_type(context.api.get_expression_type(given))
        if isinstance(of, Instance) and not of.type.has_base(_STRUCT):
            context.api.fail(f"{of.type.name} is no struct: dataclasses.replace is for it", context.context)
    return replace_function_sig_callback(context)


def _sig_of_dataclass(context: FunctionSigContext) -> FunctionLike:
    for given in context.args[0]:
        of = get_proper_type(context.api.get_expression_type(given))
        if isinstance(of, Instance) and of.type.has_base(_STRUCT):
            context.api.fail(f"{of.type.name} is a struct: msgspec.structs.replace is for it", context.context)
    return replace_function_sig_callback(context)


class StructReplace(Plugin):
    """mypy gives every struct the signature of its ``replace``; only msgspec's function does not know it yet."""

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], FunctionLike] | None:
        if fullname == "dataclasses.replace":
            return _sig_of_dataclass
        return _sig if fullname == "msgspec.structs.replace" else None


def plugin(_version: str) -> type[Plugin]:
    return StructReplace
