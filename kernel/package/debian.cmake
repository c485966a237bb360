# Makes Debian packages by CPack. libthrong<soversion> holds the shared library, libthrong-dev all that programs need to
# build with it. With THRONG_BUILD_MPI there are also libthrong-mpi<soversion> and libthrong-mpi-dev. A static build
# makes only the packages for development. Configure with CMAKE_INSTALL_PREFIX=/usr, as the preset debian does:
# otherwise the libraries are not where Debian expects them. -DCPACK_PACKAGE_CONTACT="NAME <ADDRESS>" sets the
# maintainer.
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

set(CPACK_COMPONENTS_ALL)

# Adds the packages of a library of which COMPONENT_development and COMPONENT_runtime are the install components.
# usage: throng_debian_packages(LIBRARY COMPONENT TEXT RUNTIME_DEPENDS DEVELOPMENT_DEPENDS)
macro(throng_debian_packages library component text runtime_depends development_depends)
  string(TOUPPER ${component} upper)
  set(runtime ${library}${THRONG_SOVERSION})
  list(APPEND CPACK_COMPONENTS_ALL ${component}_development)
  set(CPACK_COMPONENT_${upper}_DEVELOPMENT_DESCRIPTION "${text}\n\nThis package is for building programs with it.")
  set(CPACK_DEBIAN_${upper}_DEVELOPMENT_PACKAGE_NAME ${library}-dev)
  set(CPACK_DEBIAN_${upper}_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_${upper}_DEVELOPMENT_PACKAGE_DEPENDS "${development_depends}")
  if(BUILD_SHARED_LIBS)
    list(APPEND CPACK_COMPONENTS_ALL ${component}_runtime)
    set(CPACK_COMPONENT_${upper}_RUNTIME_DESCRIPTION "${text}\n\nThis package holds the shared library.")
    set(CPACK_DEBIAN_${upper}_RUNTIME_PACKAGE_NAME ${runtime})
    set(CPACK_DEBIAN_${upper}_RUNTIME_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_${upper}_RUNTIME_PACKAGE_DEPENDS "${runtime_depends}")
    set(CPACK_DEBIAN_${upper}_RUNTIME_PACKAGE_SHLIBDEPS ON)
    string(APPEND CPACK_DEBIAN_${upper}_DEVELOPMENT_PACKAGE_DEPENDS ", ${runtime} (= ${full_version})")
    # The file shlibs names the package that other packages depend on if they link the library. CPack's own would demand
    # exactly this version. Later versions with the same interface must satisfy it too.
    set(control ${CMAKE_CURRENT_BINARY_DIR}/${library})
    file(WRITE ${control}/shlibs "${library} ${THRONG_SOVERSION} ${runtime} (>= ${PROJECT_VERSION})\n")
    file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_${upper}_RUNTIME_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
    set(CPACK_DEBIAN_${upper}_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  endif()
endmacro()

throng_debian_packages(libthrong throng "${about}" "" libc6-dev)
if(TARGET throng_mpi)
  set(needs)
  set(development_needs "libopenmpi-dev, libthrong-dev (= ${full_version})")
  # A program that links the static library links Zoltan too. dpkg-shlibdeps finds Zoltan for the shared one.
  if(NOT BUILD_SHARED_LIBS AND ZOLTAN_INCLUDE_DIR AND ZOLTAN_LIBRARY)
    string(APPEND development_needs ", libtrilinos-zoltan-dev")
  endif()
  if(BUILD_SHARED_LIBS)
    set(needs "libthrong${THRONG_SOVERSION} (= ${full_version})")
    # Where dpkg-shlibdeps finds libthrong, which is in no installed package.
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  throng_debian_packages(libthrong-mpi throng_mpi "${about}

libthrong-mpi cuts one world over the processes of Open MPI." "${needs}" "${development_needs}")
endif()

# Documents that Debian demands. Other installs do not have them.
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
