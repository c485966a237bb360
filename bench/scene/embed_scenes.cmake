# cmake -DOUTPUT=FILE.c -DSCENES=a.json,b.json,... -P embed_scenes.cmake
# Writes the scenes' texts as C arrays of bytes, because compilers limit the length of string literals.
string(REPLACE "," ";" SCENES "${SCENES}")
set(arrays "")
set(table "")
foreach(file IN LISTS SCENES)
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(APPEND arrays "static const char scene_${symbol}[] = {\n    ${bytes}0};\n")
  string(APPEND table "    {\"${name}\", scene_${symbol}},\n")
endforeach()
file(WRITE ${OUTPUT} "/* Made from the files in scenes. */\n#include \"scene/scene.h\"\n\n${arrays}
const built_in_scene built_in_scenes[] = {\n${table}    {NULL, NULL}};\n")
