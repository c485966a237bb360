"""Writes the Python package's enumerations and structs from throng-api.json.

A struct whose class in methods.py is NAMEMethods gets those methods. SPDX-License-Identifier: MIT
"""
import keyword
import re
import textwrap

LEFT_OUT = ("throng/tiles.h", "throng/piece.h", "throng/passes.h")
# The files of structs: what they are, and the headers that they are from; the last one has all others. A file uses
# structs of earlier ones.
FILES = {"behaviours": ("Behaviours, and what all structs need.", ("throng/base.h", "throng/behaviour.h")),
         "groups": ("Groups.", ("throng/group.h",)), "structs": ("All other structs.", None)}
NAMES = {  # other than the C name without throng_, in capitals
    "throng_behaviour_kind": "Kind", "throng_group_def": "Group", "throng_pattern_instruction": "Instruction",
    "throng_replay_difference": "DifferenceStruct",
    **{f"throng_{name}": f"{name.capitalize()}Struct" for name in ("view", "edit", "block", "contribution",
                                                                   "explanation", "replay")}}
TYPES = {"float": "f32", "double": "f64", "bool": "boolean", "char": "char", "size_t": "size_t", "int": "i32",
         "const char *": "text", "const char *const *": "texts",
         **{f"{sign}int{bits}_t": f"{sign or 'i'}{bits}" for sign in ("u", "") for bits in (8, 16, 32, 64)}}
HEAD = '''"""{about} Made by docs/manual/api: do not change it by hand.

The headers in include/throng are the manual. SPDX-License-Identifier: MIT"""

'''


def python_name(c_name):
    return NAMES.get(c_name) or "".join(word.capitalize() for word in c_name.split("_")[1:])


def documentation(entry):
    """The first sentence of a comment as the documentation of a class."""
    sentence = re.match(r"(.*?[.](?= [A-Z]|$)|.*)", entry["comment"].partition("\n")[0])[0] or f"{entry['name']}."
    return textwrap.wrap(f'"""{sentence}"""', 116, initial_indent="    ", subsequent_indent="    ")


def packed(names, begin, end):
    """Source lines of a list of names. `begin` ends with a bracket."""
    return textwrap.wrap(begin + ", ".join(names) + end, 119, subsequent_indent=" " * len(begin))


class Writer:
    def __init__(self, api, methods):
        self.constants, self.enums, self.structs, self.functions = (
            [one for one in api[kind] if one["header"] not in LEFT_OUT]
            for kind in ("constants", "enums", "structs", "functions"))
        self.enum_names = {one["name"] for one in self.enums}
        self.known = self.enum_names | {one["name"] for one in self.structs}
        self.methods = dict(re.findall(r'^class (\w+)Methods:(\n    """)?', methods, re.M))  # {struct: documentation}
        self.places = {python_name(name): "enums" for name in self.enum_names}  # the modules of names; else structure
        self.places.update({f"{name}Methods": "methods" for name in self.methods}, set_results="library")
        self.used = set()  # the names that a file uses

    def use(self, expression):
        self.used.update(re.findall(r"[A-Za-z_]\w*", expression))
        return expression

    def type_of(self, kind, count=None):
        name = TYPES.get(kind) or (python_name(kind) if kind in self.known else "pointer")
        if kind in self.enum_names and count:
            return self.use(f"several({name}, {count})")
        return self.use(f"{name} * {count}" if count else name)

    def fields(self, fields):
        for field in fields:
            name = field["name"] + "_" * keyword.iskeyword(field["name"])
            yield f"    {name}: {self.type_of(field['type'], field.get('count'))}"

    def struct(self, entry):
        name = python_name(entry["name"])
        own = [field for field in entry["fields"] if "union" not in field]
        union = [field for field in entry["fields"] if "union" in field]
        if union:
            yield from ("", "", f"@{self.use('union')}", f"class {name}Union({self.use('Union')}):")
            yield from (f'    """The union in {entry["name"]}."""', *self.fields(union))
        bases = [f"{name}Methods"] * (name in self.methods) + ["Struct"]
        yield from ("", "", f'@{self.use("struct")}("{entry["name"]}")', f"class {name}({self.use(', '.join(bases))}):")
        if not self.methods.get(name):
            yield from documentation(entry)
        yield from self.fields(own)
        if union:
            yield f"    union: {name}Union"

    def results(self, headers):
        """The result types of the functions that do not return a status."""
        rows = []
        for function in self.functions:
            kind = function["returns"]
            if function["header"] in headers and kind != "throng_status" and "inline" not in function:
                name = "None" if kind == "void" else "u32" if kind in self.enum_names else self.type_of(kind)
                rows.append(f"{function['name']}={self.use(name)}")
        return packed(rows, f"{self.use('set_results')}(", ")")

    def structs_file(self, module, about, headers):
        self.used = set()
        body = [line for entry in self.structs if entry["header"] in headers for line in self.struct(entry)]
        body += ["", "", *self.results(headers)]
        own = [match[1] for match in map(re.compile(r"class (\w+)").match, body) if match]
        self.places.update(dict.fromkeys(own, module))
        imports = {}
        for name in sorted(self.used - {"None"}):
            imports.setdefault(self.places.get(name, "structure"), []).append(name)
        yield from HEAD.format(about=about).splitlines()
        for place, names in sorted(imports.items()):
            if place != module:
                line = f"from .{place} import {', '.join(names)}"
                yield from [line] if len(line) < 120 else packed(names, f"from .{place} import (", ")")
        yield from ("", *packed([f'"{name}"' for name in own], "__all__ = [", "]"), *body)

    def enum(self, entry):
        yield from ("", "", f'@enumeration("{entry["name"]}", "{entry["prefix"]}")')
        yield from (f"class {python_name(entry['name'])}(enum.IntEnum):", *documentation(entry))
        for one in entry["values"]:
            if "is_count" not in one:
                yield f"    {one['name'].removeprefix(entry['prefix'])} = {one['value']}"

    def enums_file(self):
        values = {one["name"].removeprefix("THRONG_"): one["value"] for one in self.constants}
        names = [*values, *(python_name(one["name"]) for one in self.enums)]
        yield from HEAD.format(about="The library's constants and enumerations.").splitlines()
        yield from ("import ctypes", "import enum", "", "from .structure import enumeration", "")
        yield from (*packed([f'"{name}"' for name in names], "__all__ = [", "]"), "")
        for name, value in values.items():  # -1: the largest size_t
            yield f"{name} = {'ctypes.c_size_t(-1).value' if value == -1 else value}"
        for entry in self.enums:
            yield from self.enum(entry)


def files(api, methods):
    """Returns {name: text} of the package's files. `methods` is the text of methods.py."""
    writer = Writer(api, methods)
    found = {"enums.py": writer.enums_file()}
    left = [header["name"] for header in api["headers"]]
    for module, (about, headers) in FILES.items():
        found[f"{module}.py"] = list(writer.structs_file(module, about, headers or left))
        left = [header for header in left if header not in (headers or ())]
    return {name: "\n".join(lines) + "\n" for name, lines in found.items()}
