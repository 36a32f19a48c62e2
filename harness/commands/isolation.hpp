// How attempts are kept from this machine, as commands ask for it and tell of it.
#ifndef ASSAY_COMMANDS_ISOLATION_HPP
#define ASSAY_COMMANDS_ISOLATION_HPP

#include "sandbox/layers.hpp"

#include <string>

namespace assay {

/// Throws Stop where isolation does not reach `level` ("" asks for none), naming the layer that lacks and what mends
/// it; and where ASSAY_WITHOUT names a layer that does not exist.
void require_isolation(const std::string& level);

/// What brings a layer that is missing here, as a command or an advice.
std::string mend_of(Layer layer, const Layers& layers);

} // namespace assay

#endif
