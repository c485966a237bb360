# Writes OUTPUT, a header with a hash of the library's sources: all C files of FOLDER/kernel and FOLDER/include.
# usage: cmake -DFOLDER=... -DOUTPUT=... -P hash_sources.cmake
file(GLOB_RECURSE sources RELATIVE ${FOLDER} ${FOLDER}/kernel/*.c ${FOLDER}/kernel/*.h ${FOLDER}/include/*.h)
list(SORT sources)
set(listing)
foreach(source IN LISTS sources)
  file(SHA256 ${FOLDER}/${source} hash)
  string(APPEND listing "${hash} ${source}\n")
endforeach()
string(SHA256 hash "${listing}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "#define THRONG_SOURCES_HASH 0x${hash}u\n")
