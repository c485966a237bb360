# Debian packages by CPack: libthrong<soversion>, the shared library, and libthrong-dev, what is needed to build with it. A static
# build makes libthrong-dev alone. Configure with CMAKE_INSTALL_PREFIX=/usr (the preset debian does): only then do libraries go where
# Debian has them. -DCPACK_PACKAGE_CONTACT="NAME <ADDRESS>" says who made them.
find_program(THRONG_DPKG dpkg)
mark_as_advanced(THRONG_DPKG)
if(NOT THRONG_DPKG)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME throng)
set(CPACK_PACKAGE_VENDOR throng)
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "the throng authors <throng@localhost>")
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(full_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
string(REGEX REPLACE "^An? " "" CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}") # Debian wants no article
set(about "throng moves crowds and flocks of tens of thousands to millions of agents
a frame on a multicore CPU, with the same bits on every machine.")

set(CPACK_COMPONENTS_ALL throng_development)
set(CPACK_COMPONENT_THRONG_DEVELOPMENT_DESCRIPTION "${about}\n\nThis package is for building programs with it.")
set(CPACK_DEBIAN_THRONG_DEVELOPMENT_PACKAGE_NAME libthrong-dev)
set(CPACK_DEBIAN_THRONG_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_THRONG_DEVELOPMENT_PACKAGE_DEPENDS libc6-dev)

if(BUILD_SHARED_LIBS)
  set(runtime libthrong${THRONG_SOVERSION})
  list(APPEND CPACK_COMPONENTS_ALL throng_runtime)
  set(CPACK_COMPONENT_THRONG_RUNTIME_DESCRIPTION "${about}\n\nThis package holds the shared library.")
  set(CPACK_DEBIAN_THRONG_RUNTIME_PACKAGE_NAME ${runtime})
  set(CPACK_DEBIAN_THRONG_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_THRONG_RUNTIME_PACKAGE_SHLIBDEPS ON)
  string(APPEND CPACK_DEBIAN_THRONG_DEVELOPMENT_PACKAGE_DEPENDS ", ${runtime} (= ${full_version})")
  # For packages that link it: what provides it. CPack's own would do without later releases of the same interface.
  file(CONFIGURE OUTPUT shlibs CONTENT "libthrong @THRONG_SOVERSION@ @runtime@ (>= @PROJECT_VERSION@)\n")
  file(CONFIGURE OUTPUT triggers CONTENT "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_THRONG_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/shlibs
                                                        ${CMAKE_CURRENT_BINARY_DIR}/triggers)
  set(CPACK_DEBIAN_THRONG_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()

# Debian's own documents, in no other install.
string(TIMESTAMP date "%a, %d %b %Y 00:00:00 +0000" UTC)
file(CONFIGURE OUTPUT changelog.Debian CONTENT "throng (@full_version@) unstable; urgency=medium

  * The release of this number.

 -- @CPACK_PACKAGE_CONTACT@  @date@
" @ONLY)
execute_process(COMMAND gzip -9 --no-name --keep --force changelog.Debian WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
                COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${documents} COMPONENT ${component}
          EXCLUDE_FROM_ALL)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz DESTINATION ${documents} COMPONENT ${component}
          EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
