"""Writes throng-api.json as C, which compiles only if the headers have the same types, values and layouts.

Functions are declared again, which C allows only with the same types. SPDX-License-Identifier: MIT
"""


def arguments_of(entry):
    return ", ".join(one["type"] for one in entry["arguments"]) or "void"


def pointer_to(field):
    """The type of a pointer to a field."""
    if field["type"] == "function":
        return f"{field['returns']} (**)({arguments_of(field)})"
    return f"{field['type']} (*)" + (f"[{field['count']}]" if "count" in field else "")


def claim(condition, name):
    return f'_Static_assert({condition}, "{name}");'


def lines(api):
    yield "#include <stddef.h>"
    yield from (f"#include <{header['name']}>" for header in api["headers"])
    for constant in api["constants"]:
        name, kind = constant["name"], constant["type"]
        suffix = "u" if kind == "uint64_t" else ""
        same = f"{name} == ({kind}){constant['value']}{suffix}"
        if kind == "float":
            same = 1  # C compiles no comparison of floats
        yield claim(f"_Generic({name}, {kind}: {same}, default: 0)", name)
    for enum in api["enums"]:
        yield claim(f"sizeof({enum['name']}) == 4", enum["name"])
        yield from (claim(f"{one['name']} == {one['value']}", one["name"]) for one in enum["values"])
    for struct in api["structs"]:
        name = struct["name"]
        yield claim(f"sizeof({name}) == {struct['size']} && _Alignof({name}) == {struct['alignment']}", name)
        for field in struct["fields"]:
            member, place = f"{name}.{field['name']}", f"offsetof({name}, {field['name']}) == {field['offset']}"
            size = f"sizeof((({name} *)0)->{field['name']}) == {field['size']}"
            kind = f"_Generic(&(({name} *)0)->{field['name']}, {pointer_to(field)}: 1, default: 0)"
            yield claim(f"{place} && {size} && {kind}", member)
    yield from (f"typedef struct {one['name']} {one['name']};" for one in api["handles"])
    yield from (f"typedef {one['returns']} {one['name']}({arguments_of(one)});" for one in api["function_types"])
    for function in api["functions"]:
        storage = "static inline " if "inline" in function else ""
        yield f"{storage}{function['returns']} {function['name']}({arguments_of(function)});"


def text(api):
    return "\n".join(lines(api))
