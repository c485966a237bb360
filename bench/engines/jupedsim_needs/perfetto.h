// perfetto.h: stands in for what JuPedSim needs of other libraries, and is included first in all its files. Perfetto
// would record traces; here nothing is recorded. The concept fmt::formattable is newer than Debian's fmt.
// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>

#if FMT_VERSION < 110000
namespace fmt {
template <class T, class Char = char>
concept formattable = is_formattable<T, Char>::value;
}
#endif

namespace perfetto {
class TracingSession {};
} // namespace perfetto

#define PERFETTO_DEFINE_CATEGORIES(...)
#define TRACE_EVENT(...)
#define TRACE_EVENT_BEGIN(...)
#define TRACE_EVENT_END(...)
