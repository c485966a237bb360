include(CMakePackageConfigHelpers)

# Two components: what a program needs to run, and what is needed besides to build one.
set(development COMPONENT throng_development)
install(TARGETS throng EXPORT throng-targets
        RUNTIME COMPONENT throng_runtime
        LIBRARY COMPONENT throng_runtime NAMELINK_COMPONENT throng_development
        ARCHIVE ${development})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${development}
        PATTERN mpi.h EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/include/throng-api.json DESTINATION ${CMAKE_INSTALL_DATADIR}/throng ${development})

# CMake: find_package(throng).
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
set(config_needs_openmp OFF)
if(THRONG_HAS_OPENMP AND NOT BUILD_SHARED_LIBS)
  set(config_needs_openmp ON)
endif()
configure_package_config_file(package/throng-config.cmake.in throng-config.cmake INSTALL_DESTINATION ${cmake_dir})
# As semantic versioning has it: before 1.0 a new minor version may break what was.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(throng-config-version.cmake COMPATIBILITY ${compatibility})
install(EXPORT throng-targets NAMESPACE throng:: DESTINATION ${cmake_dir} ${development})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/throng-config-version.cmake
        DESTINATION ${cmake_dir} ${development})

# pkg-config. Its prefix is told from where the file lies, so that the install can be moved.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
set(pc_libs_private "-lm ${CMAKE_THREAD_LIBS_INIT}")
string(STRIP "${pc_libs_private}" pc_libs_private)
if(THRONG_HAS_OPENMP)
  string(APPEND pc_libs_private " ${OpenMP_C_FLAGS}")
endif()
configure_file(package/throng.pc.in throng.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${development})

if(TARGET throng_mpi)
  include(package/install_mpi.cmake)
endif()
if(PROJECT_IS_TOP_LEVEL)
  include(package/debian.cmake)
endif()
