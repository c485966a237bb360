# libthrong-mpi: find_package(throng COMPONENTS mpi) and throng-mpi.pc. Its parts are in an install component of their
# own, so that the packages of throng itself do not need MPI.
set(mpi_component COMPONENT throng_mpi)
install(TARGETS throng_mpi EXPORT throng-mpi-targets
        RUNTIME ${mpi_component} LIBRARY ${mpi_component} ARCHIVE ${mpi_component})
install(FILES ${PROJECT_SOURCE_DIR}/include/throng/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/throng
        ${mpi_component})
install(EXPORT throng-mpi-targets NAMESPACE throng:: DESTINATION ${cmake_dir} ${mpi_component})
configure_file(package/throng-mpi.pc.in throng-mpi.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${mpi_component})
