#include "commands/build_inputs.hpp"

#include "catalogue/files.hpp"

#ifndef ASSAY_EIGEN_DIR
#define ASSAY_EIGEN_DIR ""
#endif

namespace assay {

std::vector<std::string> eigen_flags() {
    const std::string folder = ASSAY_EIGEN_DIR;
    if (folder.empty()) return {};
    return {"-isystem" + folder};
}

BuildInputs build_inputs(std::string_view exercise, const Settings& settings) {
    const Layout& place = layout();
    BuildInputs inputs{place.contract(exercise), place.headers(), place.entry_object(exercise), settings.flags};
    const std::vector<std::string> eigen = eigen_flags();
    inputs.flags.insert(inputs.flags.end(), eigen.begin(), eigen.end());
    return inputs;
}

WorkerSetup worker_setup(std::string_view exercise, const Settings& settings, const Built& built) {
    WorkerSetup setup;
    setup.worker = layout().worker(exercise);
    setup.library = built.library;
    setup.preload = built.preload;
    setup.symboliser = built.symboliser;
    setup.cpu_seconds = settings.cpu_seconds;
    setup.memory = settings.memory;
    setup.output_bytes = settings.output_bytes;
    setup.threads = settings.threads;
    return setup;
}

} // namespace assay
