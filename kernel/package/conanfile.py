"""A Conan 2 recipe of this checkout: conan create kernel/package

SPDX-License-Identifier: MIT
"""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class ThrongConan(ConanFile):
    name = "throng"
    description = "A data-oriented SIMD kernel for crowds and flocks"
    license = "MIT"
    topics = ("crowd", "flock", "steering", "simd", "simulation")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "simd": [True, False],
        "isa_tables": ["ANY"],
        "openmp": [True, False],
        "hardened": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "simd": True,
        "isa_tables": "baseline;avx2;avx512",
        "openmp": True,
        "hardened": False,
    }
    implements = ["auto_shared_fpic"]
    languages = "C"

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        """The version stands once, in base.h."""
        text = load(self, os.path.join(self._checkout, "include", "throng", "base.h"))
        parts = [re.search(rf"#define THRONG_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        self.version = ".".join(parts)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "include/*", "kernel/*"):
            copy(self, pattern, self._checkout, self.export_sources_folder)

    def layout(self):
        self.folders.root = "../.."
        cmake_layout(self)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.21]")
        self.test_requires("simde/[>=0.7.2]")  # headers, seen by the build alone

    def validate(self):
        if self.settings.compiler not in ("gcc", "clang", "apple-clang"):
            raise ConanInvalidConfiguration("throng needs GCC or Clang: others fuse or reorder what must stay exact")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("simd", "openmp", "hardened"):
            toolchain.cache_variables[f"THRONG_{option.upper()}"] = bool(self.options.get_safe(option))
        toolchain.cache_variables["THRONG_ISA_TABLES"] = str(self.options.isa_tables)
        simde = self.dependencies.get("simde", test=True)
        toolchain.cache_variables["THRONG_SIMDE_INCLUDE_DIR"] = simde.cpp_info.includedirs[0].replace("\\", "/")
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in ("cmake", "pkgconfig"):  # Conan makes its own
            rmdir(self, os.path.join(self.package_folder, "lib", folder))

    def package_info(self):
        self.cpp_info.libs = ["throng"]
        self.cpp_info.set_property("cmake_file_name", "throng")
        self.cpp_info.set_property("cmake_target_name", "throng::throng")
        self.cpp_info.set_property("pkg_config_name", "throng")
        if self.options.shared:
            self.cpp_info.defines = ["THRONG_SHARED"]
        elif self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"]
        if self.options.openmp and not self.options.shared and self.settings.compiler != "apple-clang":
            self.cpp_info.sharedlinkflags = self.cpp_info.exelinkflags = ["-fopenmp"]
