"""Reads the public headers through Clang's syntax tree: read() returns throng's interface as a dictionary.

throng/mpi.h is left out: its layouts depend on the MPI. The result depends neither on the machine nor on the version of
Clang: layouts are those of the targets below, without system headers, and comments are cut out of the headers' text.
SPDX-License-Identifier: MIT
"""
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
LEFT_OUT = ("throng.h", "mpi.h")
TARGETS = ("x86_64-unknown-linux-gnu", "wasm32-unknown-unknown")
CLANG = [os.environ.get("CLANG", "clang"), "-std=c11", "-ffreestanding", "-nostdlibinc", "-fsyntax-only", "-xc", "-",
         f"-I{INCLUDE}", "-fparse-all-comments", "-Xclang", "-ast-dump=json"]
DEFINE = re.compile(r"(?P<before>/\*(?:(?!\*/).)*\*/\n)?^#define (?P<name>THRONG_\w+) (?P<text>[^\n/]+?)"
                    r"(?P<after> */\*(?:(?!\*/).)*\*/)?$", re.M | re.S)
ADJACENT = re.compile(r";?\n(?:typedef )?")


def header_names():
    return ["throng.h"] + sorted(path.name for path in (INCLUDE / "throng").glob("*.h") if path.name not in LEFT_OUT)


def dump(source, target):
    """Clang's nodes of a C source that follows all headers."""
    source = "".join(f"#include <throng/{name}>\n" for name in header_names()) + source
    run = subprocess.run([*CLANG, f"--target={target}"], input=source, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)["inner"]


def name_files(node, last):
    """Clang names a location's file only where it differs from the last location's. Writes it into every location."""
    if isinstance(node, list):
        for one in node:
            last = name_files(one, last)
    elif isinstance(node, dict):
        if "offset" in node:
            last = node.setdefault("file", last)
        for key, value in node.items():
            if key != "includedFrom":
                last = name_files(value, last)
    return last


def evaluate(expressions, target, declarations=""):
    """The values of constant expressions in C, cut to integers, and Clang's nodes of the declarations before them."""
    rows = ",".join(f"probe_{k} = (long long)({text})" for k, text in enumerate(expressions))
    nodes = dump(f"{declarations} enum {{ {rows} }};", target)
    return [constant(node) for node in nodes[-1]["inner"]], nodes[:-1]


def constant(node):
    return int(node["value"]) if node["kind"] == "ConstantExpr" else constant(node["inner"][0])


def prose(comment):
    """The text of a comment: a line for each paragraph, and the lines of indented blocks as they are."""
    paragraphs, last, block = [], "", False
    for line in re.sub(r"\s*\**\s*SPDX-License-Identifier.*", "", comment[2:-2]).split("\n"):
        line = re.sub(r"^\s*\* ?", "", line) if line.lstrip().startswith("*") else line.strip()
        block = line.startswith("    ") and (block or not last.strip())
        if block or not last.strip() or re.match(r" {2,3}\S", line) or not line.strip():
            paragraphs.append(line.rstrip() if block else line.strip())
        else:
            paragraphs[-1] += f" {line.strip()}"
        last = line
    return "\n".join(line for line in paragraphs if line)


def type_name(text):
    """A type as the file has it: bool for _Bool, no `struct`, no `enum`."""
    return re.sub(r"\b(?:struct|enum) ", "", text).replace("_Bool", "bool")


def arguments_of(text):
    """The arguments of a function type in C. Clang's tree has them without their names."""
    found = []
    for argument in re.split(r",\s*", " ".join(text.split())):
        if argument != "void":
            kind, name, array = re.fullmatch(r"(.*?)(\w+)((?:\[\w*\])?)", argument).groups()
            found.append({"name": name, "type": type_name(kind.strip() + (" *" if array else ""))})
    return found


class Reader:
    """The declarations of the headers: `found` has a list for each kind, `headers` those that have some."""

    def __init__(self):
        self.texts = {name: (INCLUDE / "throng" / name).read_bytes() for name in header_names()}
        self.found = {kind: [] for kind in ("enums", "handles", "function_types", "structs", "functions")}
        self.headers = []
        self.last = None  # the header and the end of the last declaration, and its comment

    def place(self, node, side="begin"):
        """The header in which a node begins or ends, and the offset."""
        place = node["range"][side]
        place = place.get("expansionLoc", place)
        return pathlib.PurePath(place["file"]).name, place["offset"] + (place["tokLen"] if side == "end" else 0)

    def text(self, node):
        header, begin = self.place(node)
        return self.texts[header][begin : self.place(node, "end")[1]].decode()

    def comment(self, node):
        """The comment that Clang gives to a node; not to an enumerator the comment before another one."""
        for inner in node.get("inner", []):
            if inner["kind"] == "FullComment":
                header, at = self.place(inner)
                text = self.texts[header]
                begin, end = text.rindex(b"/*", 0, at + 2), text.index(b"*/", at) + 2
                if b"," not in text[end : self.place(node)[1]]:
                    return prose(text[begin:end].decode())
        return ""

    def shared_comment(self, node):
        """As comment(), but a declaration without one, in the line after another declaration, has that one's."""
        text, (header, begin) = self.comment(node), self.place(node)
        if not text and self.last and self.last[0] == header:
            between = self.texts[header][self.last[1] : begin].decode()
            text = self.last[2] if ADJACENT.fullmatch(between) else ""
        self.last = (*self.place(node, "end"), text)
        return text

    def field(self, node, **more):
        kind, comment = type_name(node["type"]["qualType"]), {"comment": self.comment(node)}
        if "(*)" in kind:
            result, arguments = re.fullmatch(r"(.*?)\s*\(\*\w+\)\((.*)\)", self.text(node), re.S).groups()
            more.update(returns=type_name(result), arguments=arguments_of(arguments))
            return {"name": node["name"], "type": "function", **more, **comment}
        kind, count = re.fullmatch(r"(.*?)\s*(?:\[(\d+)\])?", kind).groups()
        if count:
            more["count"] = int(count)
        return {"name": node["name"], "type": kind, **more, **comment}

    def fields(self, node, **more):
        """The fields of a struct, and those of a union without a name in it."""
        found = []
        for inner in node["inner"]:
            if inner["kind"] == "RecordDecl":
                assert inner["tagUsed"] == "union" and "name" not in inner, inner
                found += self.fields(inner, union=True)
            elif inner["kind"] == "FieldDecl" and "name" in inner:
                found.append(self.field(inner, **more))
        return found

    def enumerators(self, node):
        found = []
        for inner in node["inner"]:
            if inner["kind"] == "EnumConstantDecl":
                values = [one for one in inner.get("inner", []) if one["kind"] != "FullComment"]
                value = constant(values[0]) if values else found[-1]["value"] + 1
                count = {"is_count": True} if re.search("_(COUNT|KINDS)$", inner["name"]) else {}
                found.append({"name": inner["name"], "value": value, **count, "comment": self.comment(inner)})
        return found

    def enum(self, node):
        values = self.enumerators(node)
        prefix = re.match(r"(\w*_)\w* (?:\1\w* )*$", "".join(f"{one['name']} " for one in values))[1]
        return "enums", {"prefix": prefix, "comment": self.shared_comment(node), "values": values}

    def record(self, node):
        if "completeDefinition" in node:
            return "structs", {"comment": self.shared_comment(node), "fields": self.fields(node)}

    def function(self, node):
        inline = {"inline": True} if node.get("storageClass") == "static" else {}
        arguments = [{"name": one["name"], "type": type_name(one["type"]["qualType"])}
                     for one in node.get("inner", []) if one["kind"] == "ParmVarDecl"]
        returns = type_name(node["type"]["qualType"].partition("(")[0].strip())
        return "functions", {"returns": returns, "arguments": arguments, **inline, "comment": self.shared_comment(node)}

    def typedef(self, node):
        match = re.fullmatch(r"typedef (.*?)\s*\w+\((.*)\)", self.text(node), re.S)
        if match:
            return "function_types", {"returns": type_name(match[1]), "arguments": arguments_of(match[2]),
                                      "comment": self.shared_comment(node)}
        if "{" not in self.text(node):
            return "handles", {"comment": self.shared_comment(node)}
        self.last = (*self.place(node, "end"), self.last[2])  # the end of the struct or enumeration that was just read

    def declarations(self):
        """Reads all declarations in their order. A header's own comment is its first one."""
        kinds = {"EnumDecl": self.enum, "RecordDecl": self.record, "FunctionDecl": self.function,
                 "TypedefDecl": self.typedef}
        nodes = dump("", TARGETS[0])
        name_files(nodes, None)
        for node in nodes:
            if not node.get("name", "").startswith("throng_"):
                continue
            header, _ = self.place(node)
            name = f"throng/{header}"
            if name not in (one["name"] for one in self.headers):
                comment = re.match(r"/\*.*?\*/", self.texts[header].decode(), re.S)[0]
                self.headers.append({"name": name, "comment": prose(comment)})
            kind, entry = kinds[node["kind"]](node) or (None, None)
            if kind:
                self.found[kind].append({"name": node["name"], "header": name, **entry})

    def macros(self):
        """The macros that are numbers, in the order of the headers, as (text, entry)."""
        found, last = [], (None, 0, "")
        for header in (one["name"] for one in self.headers):
            text = self.texts[header.partition("/")[2]].decode()
            for match in DEFINE.finditer(text):
                if match["text"].startswith("__") or match["name"] == "THRONG_API":
                    continue
                comment = prose((match["after"] or match["before"] or "").strip())
                if not comment and last[:2] == (header, match.start() - 1):
                    comment = last[2]
                last = (header, match.end(), comment)
                found.append((match["text"], {"name": match["name"], "header": header, "comment": comment}))
        return found


def layout_expressions(structs):
    for struct in structs:
        name = struct["name"]
        yield from (f"sizeof({name})", f"_Alignof({name})")
        for field in struct["fields"]:
            yield from (f"__builtin_offsetof({name}, {field['name']})", f"sizeof((({name} *)0)->{field['name']})")


def lay_out(structs, wide, narrow):
    """Adds sizes, alignments and offsets. A struct that differs in WebAssembly has those too."""
    for struct in structs:
        rows = [(struct, "size", "alignment")] + [(field, "offset", "size") for field in struct["fields"]]
        here, there = ([(next(values), next(values)) for _ in rows] for values in (wide, narrow))
        for (entry, *names), row, other in zip(rows, here, there):
            last = {key: entry.pop(key) for key in ("comment", "fields") if key in entry}
            entry.update(zip(names, row))
            if here != there:
                entry["wasm32"] = dict(zip(names, other))
            entry.update(last)


def constants(macros, nodes, values):
    """The entries of macros, with the types of Clang's nodes, and the values."""
    for (text, entry), node, value in zip(macros, nodes, values):
        kind = type_name(node["type"]["qualType"]).replace("unsigned int", "uint32_t")
        number = float(text.rstrip("f")) if kind == "float" else value % 2**64 if kind == "uint64_t" else value
        yield {"name": entry["name"], "header": entry["header"], "type": kind, "value": number,
               "comment": entry["comment"]}


def read():
    reader = Reader()
    reader.declarations()
    structs, macros = reader.found["structs"], reader.macros()
    layouts, names = list(layout_expressions(structs)), [entry["name"] for _, entry in macros]
    variables = "".join(f"__auto_type probe_{name} = {name};" for name in names)
    wide, nodes = evaluate(layouts + names, TARGETS[0], variables)
    lay_out(structs, iter(wide), iter(evaluate(layouts, TARGETS[1])[0]))
    found = list(constants(macros, nodes[-len(macros):], wide[len(layouts):]))
    version = ".".join(str(one["value"]) for one in found if one["name"].startswith("THRONG_VERSION_"))
    return {"library": "throng", "version": version, "headers": reader.headers, "constants": found, **reader.found}
