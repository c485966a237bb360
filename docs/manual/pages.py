"""Prepares the project's Markdown pages for doxygen: pages.py FOLDER PAGE...

Doxygen wants every heading of the manual to have a name of its own, finds pictures by their names alone, does not know
links to headings of other pages, and ends `code` at a single quote. So this copies each PAGE to FOLDER/pages with names
like GUIDE--dense-crowds for headings, \\ref for links and ``code``, and the pictures to FOLDER/pictures. A link to
HEADER.h#TYPE leads to that type, one to the program that prints a page to that page. A link to a file that the manual
does not hold becomes its text.
SPDX-License-Identifier: MIT
"""
import pathlib
import re
import shutil
import sys

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
HEADING = re.compile(r"^(#{1,6}) +(.+)$")


def page_name(path):
    """The name of a page: GUIDE, scenes (its README's folder), README."""
    return path.parent.name if path.name == "README.md" and path.parent.name else path.stem


def anchor(heading):
    """The name that readers of Markdown give to a heading."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")


class Pages:
    def __init__(self, folder, paths):
        self.folder, self.paths = folder, paths
        self.names = {path.resolve(): page_name(path) for path in paths}
        self.names[pathlib.Path("docs/manual/parameters").resolve()] = "parameters"

    def link(self, page, match):
        """A picture, a link to a page or a header of the manual, a web address, or the text alone."""
        picture, text, target = match[1], " ".join(match[2].split()).replace('"', "'"), match[3]
        if re.match(r"[a-z]+:", target):
            return match[0]
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page.resolve()
        if picture:
            name = "-".join(file.relative_to(pathlib.Path.cwd()).parts)
            shutil.copy(file, self.folder / "pictures" / name)
            return f"![{text}]({name})"
        if file in self.names:
            name = self.names[file] + (f"--{heading}" if heading else "")
            return f'\\ref {name} "{text}"'
        if file.suffix == ".h" and file.parent.name == "throng":
            return f'\\ref {heading or file.name} "{text}"'
        return text

    def prose(self, page, text):
        """Changes the links and headings of `text`, which has no blocks of code."""
        spans = []

        def keep(match):
            spans.append(f"`{match[0]}`" if match[1] == "`" and "'" in match[0] else match[0])
            return f"\0{len(spans) - 1}\0"

        text = LINK.sub(lambda match: self.link(page, match), CODE.sub(keep, text))
        text = re.sub("\0(\\d+)\0", lambda match: spans[int(match[1])], text)
        lines = re.sub(r'\\ref \S+ "[^"\n]*"', lambda match: match[0].replace("`", ""), text).split("\n")
        for k, line in enumerate(lines):
            heading = HEADING.match(line)
            if heading:
                name = self.names[page.resolve()] + ("" if heading[1] == "#" else f"--{anchor(heading[2])}")
                lines[k] = f"{line} {{#{name}}}"
        return "\n".join(lines)

    def convert(self, page):
        """Copies a page. Blocks of code, fenced or indented after an empty line, stay as they are."""
        blocks = re.split(r"(^```.*?^```$|(?<=\n\n)(?: {4}[^\n]*\n|\n)+)", page.read_text(), flags=re.M | re.S)
        text = "".join(part if k % 2 else self.prose(page, part) for k, part in enumerate(blocks))
        (self.folder / "pages" / f"{self.names[page.resolve()]}.md").write_text(text)


pages = Pages(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
for page in pages.paths:
    pages.convert(page)
