/* SPDX-License-Identifier: MIT */
#include "output/vtk_xml.h"

#include <string.h>

#define CHUNK 3072u /* bytes encoded at a time; a multiple of 3, because base64 encodes 3 bytes as 4 digits */

static const char *const type_names[] = {"UInt8", "UInt32", "Int32", "Float32"};
static const size_t type_sizes[] = {1, 4, 4, 4};

void vtk_begin(FILE *stream, double seconds, const vtk_counts *counts) {
  fprintf(stream,
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
          "<PolyData>\n"
          "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g"
          "</DataArray>\n</FieldData>\n"
          "<Piece NumberOfPoints=\"%u\" NumberOfVerts=\"%u\" NumberOfLines=\"%u\" NumberOfStrips=\"0\" "
          "NumberOfPolys=\"%u\">\n",
          seconds, counts->points, counts->vertices, counts->lines, counts->polygons);
}

void vtk_end(FILE *stream) { fputs("</Piece>\n</PolyData>\n</VTKFile>\n", stream); }

/* Encodes bytes as base64 and writes them to a stream. */
typedef struct base64_encoder {
  FILE *stream;
  size_t size;
  uint8_t bytes[CHUNK];
} base64_encoder;

static void flush(base64_encoder *encoder) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char text[CHUNK / 3 * 4];
  size_t length = 0;
  memset(encoder->bytes + encoder->size, 0, (3 - encoder->size % 3) % 3);
  for (size_t i = 0; i < encoder->size; i += 3) {
    const uint32_t three =
        (uint32_t)encoder->bytes[i] << 16 | (uint32_t)encoder->bytes[i + 1] << 8 | encoder->bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) text[length++] = digits[three >> shift & 63];
  }
  if (encoder->size % 3) text[length - 1] = '=';
  if (encoder->size % 3 == 1) text[length - 2] = '=';
  fwrite(text, 1, length, encoder->stream);
  encoder->size = 0;
}

static void encode(base64_encoder *encoder, const void *data, size_t size) {
  for (const uint8_t *at = data; size > 0;) {
    const size_t room = CHUNK - encoder->size, part = size < room ? size : room;
    memcpy(encoder->bytes + encoder->size, at, part);
    encoder->size += part;
    at += part;
    size -= part;
    if (encoder->size == CHUNK) flush(encoder);
  }
}

void vtk_array(FILE *stream, const char *name, vtk_type type, uint32_t components, const void *data, size_t count) {
  base64_encoder encoder = {.stream = stream};
  const uint64_t size = (uint64_t)count * components * type_sizes[type];
  fprintf(stream, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" format=\"binary\">", type_names[type],
          name, components);
  encode(&encoder, &size, sizeof size);
  encode(&encoder, data, (size_t)size);
  flush(&encoder);
  fputs("</DataArray>\n", stream);
}
