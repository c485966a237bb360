# libthrong-mpi: find_package(throng COMPONENTS mpi) and throng-mpi.pc. Its parts are in install components of their
# own, so that the packages of throng itself do not need MPI.
set(mpi_development COMPONENT throng_mpi_development)
install(TARGETS throng_mpi EXPORT throng-mpi-targets
        RUNTIME COMPONENT throng_mpi_runtime
        LIBRARY COMPONENT throng_mpi_runtime NAMELINK_COMPONENT throng_mpi_development
        ARCHIVE ${mpi_development})
install(FILES ${PROJECT_SOURCE_DIR}/include/throng/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/throng
        ${mpi_development})
install(EXPORT throng-mpi-targets NAMESPACE throng:: DESTINATION ${cmake_dir} ${mpi_development})
set(pc_zoltan "")
if(ZOLTAN_INCLUDE_DIR AND ZOLTAN_LIBRARY)
  set(pc_zoltan "${ZOLTAN_LIBRARY} ")
endif()
configure_file(package/throng-mpi.pc.in throng-mpi.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        ${mpi_development})
