"""Doxygen's input filter for throng's headers. It turns their plain comments into Doxygen's.

The position of a comment shows which declaration it is about.

usage: doxygen_filter.py HEADER
SPDX-License-Identifier: MIT
"""
import pathlib
import re
import sys

DECLARATION = re.compile(r"^(?:THRONG_API |#define |typedef )", re.M)
OWN_COMMENT = re.compile(r"/\*\*(?!<)(?:(?!\*/).)*\*/\n$", re.S)
INDENTED = re.compile(r"^ {4,}\S")


def body(comment):
    """The lines of a comment without /* */, the stars and the common margin."""
    lines = comment[2:-2].split("\n")
    lines[1:] = [re.sub(r"^\s*\*? ?", lambda m: "" if "*" in m[0] else m[0], line) for line in lines[1:]]
    return [line.rstrip() for line in lines]


def prose(text):
    """Escapes the characters that Doxygen would take for commands, tags or emphasis."""
    return re.sub(r"([\\@<>&$#%*])", r"\\\1", text)


def paragraphs(lines):
    """Begins a paragraph at a line indented by two.

    Does not change a block that is indented by four or more and follows an empty line."""
    out, verbatim = [], False
    for k, line in enumerate(lines):
        block = INDENTED.match(line) and (verbatim or k == 0 or not lines[k - 1].strip())
        if block and not verbatim:
            out.append("@verbatim")
        if verbatim and not block and line.strip():
            out.append("@endverbatim")
        verbatim = bool(block) or (verbatim and not line.strip())
        if verbatim:
            out.append(line)
            continue
        if re.match(r"^ {2,3}\S", line) and k > 0:
            out.append("")
        out.append(prose(line.strip()))
    if verbatim:
        out.append("@endverbatim")
    return out


def convert(text, path):
    pieces, at, first = [], 0, True
    for match in re.finditer(r"/\*.*?\*/", text, re.S):
        pieces.append(text[at : match.start()])
        at = match.end()
        line_start = text.rfind("\n", 0, match.start()) + 1
        before = text[line_start : match.start()].strip()
        lines = body(match[0])
        if first:  # the comment of the file
            title = re.sub(r"^\s*[\w/.]+\.h: ", "", lines[0])
            if lines[0] == title:
                title = lines[0].strip()
            lines = [line for line in lines if "SPDX-License-Identifier" not in line]
            lines[0] = title[0].upper() + title[1:]
            pieces.append("/** @file " + path.name + "\n" + "\n".join(paragraphs(lines)) + "\n*/")
            first = False
        elif not before and text.startswith("\n\n", at):  # about no declaration, so it describes the file
            pieces.append("/** @file " + path.name + "\n\n@details\n" + "\n".join(paragraphs(lines)).strip() + "\n*/")
        elif not before:
            pieces.append("/** " + "\n".join(paragraphs(lines)).strip() + " */")
        elif not before.startswith("#"):
            pieces.append("/**< " + "\n".join(prose(line.strip()) for line in lines).strip() + " */")
        else:  # after a macro, Doxygen needs the comment in one line
            pieces.append("/**< " + " ".join(prose(line.strip()) for line in lines).strip() + " */")
    pieces.append(text[at:])
    return share("".join(pieces))


def share(text):
    """Repeats a comment for every declaration down to the next empty line."""
    out = []
    for part in re.split(r"(\n\s*\n)", text):
        comment = re.match(r"/\*\*(?!<).*?\*/\n", part, re.S)
        if comment:
            head, rest = comment[0], part[comment.end() :]
            starts = [match.start() for match in DECLARATION.finditer(rest)]
            for start in reversed(starts[1:]):
                if not OWN_COMMENT.search(rest[:start]):
                    rest = rest[:start] + head + rest[start:]
            part = head + rest
        out.append(part)
    return "".join(out)


header = pathlib.Path(sys.argv[1])
sys.stdout.write(convert(header.read_text(), header))
