// What a crash leaves behind for the judge to word its report by.
#ifndef ASSAY_WORKER_SIGNALS_HPP
#define ASSAY_WORKER_SIGNALS_HPP

#include "wire/protocol.hpp"

#include <cstddef>

namespace assay {

/// Installs handlers (on a stack of their own) that note signal, address and errno in `page`, then let the signal have
/// its default effect. `arena` .. `arena + bytes` is told apart from other memory.
void note_crashes(ControlPage* page, const std::byte* arena, std::size_t bytes);

} // namespace assay

#endif
