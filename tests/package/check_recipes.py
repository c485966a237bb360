"""Compares the Conan recipe, the vcpkg port and the page of options with this project. check_recipes.sh runs it.

usage: check_recipes.py SOURCE_DIR
SPDX-License-Identifier: MIT
"""
import ast
import json
import pathlib
import re
import sys
import types

source = pathlib.Path(sys.argv[1])
package = source / "kernel" / "package"
wrong = []


def check(holds, text):
    if not holds:
        wrong.append(text)


base_h = (source / "include/throng/base.h").read_text()
version = ".".join(re.search(rf"#define THRONG_VERSION_{part} (\d+)", base_h)[1]
                   for part in ("MAJOR", "MINOR", "PATCH"))
cmake = (source / "CMakeLists.txt").read_text()
description = re.search(r'DESCRIPTION "(.+)"', cmake)[1]
cmake_options = set(re.findall(r"option\((THRONG_\w+)", cmake)) | set(re.findall(r"set\((THRONG_\w+) .* CACHE", cmake))
isa_tables = re.search(r'set\(THRONG_ISA_TABLES "(.+?)" CACHE', cmake)[1]


def stub_modules():
    """Replaces Conan's modules by stubs. With them the recipe can be imported, and methods that do not
    build can run."""
    made = {name: types.ModuleType(name) for name in
            ("conan", "conan.errors", "conan.tools", "conan.tools.cmake", "conan.tools.files")}
    made["conan"].ConanFile = object
    made["conan.errors"].ConanInvalidConfiguration = type("ConanInvalidConfiguration", (Exception,), {})
    for name in ("CMake", "CMakeToolchain", "cmake_layout"):
        setattr(made["conan.tools.cmake"], name, None)
    made["conan.tools.files"].load = lambda recipe, path: pathlib.Path(path).read_text()
    made["conan.tools.files"].copy = lambda recipe, pattern, src, dst: recipe.copied.append(
        (pattern, len(list(pathlib.Path(src).glob(pattern)))))
    made["conan.tools.files"].rmdir = None
    sys.modules.update(made)


def check_conan():
    path = package / "conanfile.py"
    text = path.read_text()
    tree = ast.parse(text, str(path))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))
                for alias in node.names]
    for name in imported:
        check(len(re.findall(rf"\b{name}\b", text)) > 1, f"conanfile.py imports {name} and does not use it")
    stub_modules()
    namespace = {}
    exec(compile(tree, str(path), "exec"), namespace)
    recipe = namespace["ThrongConan"]()
    for attribute in ("name", "description", "license", "topics", "package_type", "settings", "options",
                      "default_options", "set_version", "export_sources", "layout", "generate", "build", "package",
                      "package_info"):
        check(hasattr(recipe, attribute), f"conanfile.py: {attribute} is missing")
    check(recipe.name == "throng", f"conanfile.py: the name is {recipe.name}")
    check(recipe.description == description,
          f"conanfile.py: the description is not CMakeLists.txt's: {recipe.description}")
    check(set(recipe.options) == set(recipe.default_options), "conanfile.py: options and default_options differ")
    for option in set(recipe.options) - {"shared", "fPIC"}:
        check(f"THRONG_{option.upper()}" in cmake_options, f"conanfile.py: option {option} is none of CMakeLists.txt's")
    wanted = recipe.default_options["isa_tables"]
    check(wanted == isa_tables, f"conanfile.py: isa_tables is {wanted}, CMakeLists.txt's default {isa_tables}")
    recipe.recipe_folder = str(package)
    recipe.export_sources_folder = ""
    recipe.copied = []
    recipe.set_version()
    check(recipe.version == version, f"conanfile.py: the version is {recipe.version}, base.h's {version}")
    recipe.export_sources()
    for pattern, files in recipe.copied:
        check(files > 0, f"conanfile.py exports {pattern}, which is nothing")
    check_declared(recipe)


class Recorder:
    """Stands for cpp_info: keeps every attribute and property that package_info sets."""

    def __init__(self):
        self.properties = {}

    def set_property(self, name, value):
        self.properties[name] = value


class Option(str):
    """A setting. It compares with strings, as Conan's does."""


def check_declared(recipe):
    for shared in (False, True):
        recipe.cpp_info = Recorder()
        recipe.settings = types.SimpleNamespace(os="Linux", compiler=Option("gcc"))
        recipe.options = types.SimpleNamespace(shared=shared, openmp=True)
        recipe.validate()
        recipe.package_info()
        target = recipe.cpp_info.properties.get("cmake_target_name")
        check(target == "throng::throng", f"conanfile.py: the target is {target}")
        needs = hasattr(recipe.cpp_info, "exelinkflags")
        check(needs != shared, "conanfile.py: a static throng needs OpenMP, a shared one brings it")
    recipe.settings = types.SimpleNamespace(os="Windows", compiler=Option("msvc"))
    try:
        recipe.validate()
        check(False, "conanfile.py: accepts msvc, which CMakeLists.txt refuses")
    except sys.modules["conan.errors"].ConanInvalidConfiguration:
        pass


# The keys of https://learn.microsoft.com/vcpkg/reference/vcpkg-json that ports usually have.
PORT_KEYS = {"$schema", "name", "version-semver", "port-version", "description", "homepage", "license", "supports",
             "dependencies", "default-features", "features"}


def check_vcpkg():
    port = json.loads((package / "vcpkg" / "vcpkg.json").read_text())
    for key in set(port) - PORT_KEYS:
        check(False, f"vcpkg.json: {key} is no key of a port")
    for key in ("name", "version-semver", "description", "license", "dependencies"):
        check(key in port, f"vcpkg.json: {key} is missing")
    check(port["name"] == "throng", f"vcpkg.json: the name is {port['name']}")
    check(port["version-semver"] == version, f"vcpkg.json: the version is {port['version-semver']}, base.h's {version}")
    check(port["description"] == description, f"vcpkg.json: the description is not CMakeLists.txt's")
    for dependency in port["dependencies"]:
        check(isinstance(dependency, str) or {"name", "host"} >= set(dependency), f"vcpkg.json: {dependency}")
    portfile = (package / "vcpkg" / "portfile.cmake").read_text()
    mapped = dict(re.findall(r"^\s+(\w+)\s+(THRONG_\w+)\)?$", portfile, re.M))
    for name, feature in port["features"].items():
        check(name in mapped, f"portfile.cmake does not know the feature {name}")
        check(set(feature) == {"description"}, f"vcpkg.json: feature {name}")
        option = re.search(rf'option\({mapped.get(name)} "(.+?)"', cmake)
        check(option and option[1] == feature["description"],
              f"vcpkg.json: feature {name} is not CMakeLists.txt's option")
    for name in port["default-features"]:
        check(name in port["features"], f"vcpkg.json: {name} is default and no feature")


def check_page():
    """docs/BUILD.md has a row for each option, with its default."""
    page = (source / "docs" / "BUILD.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| `(\S+)` \|", page, re.M))
    defaults = dict(re.findall(r'option\((THRONG_\w+) ".+?" (ON|OFF)\)', cmake)) | {"THRONG_ISA_TABLES": isa_tables}
    check(set(defaults) == cmake_options, f"CMakeLists.txt: options of another form: {cmake_options - set(defaults)}")
    for option, default in defaults.items():
        check(rows.get(option) == default, f"BUILD.md: {option} should be a row with the default {default}")
    for option in set(rows) - set(defaults) - {"BUILD_SHARED_LIBS"}:
        check(not option.startswith("THRONG_"), f"BUILD.md: {option} is no option of CMakeLists.txt")


check_conan()
check_vcpkg()
check_page()
for text in wrong:
    print(text, file=sys.stderr)
print(f"throng {version}: {len(wrong)} mistakes")
sys.exit(bool(wrong))
