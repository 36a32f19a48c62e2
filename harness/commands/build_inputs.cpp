#include "commands/build_inputs.hpp"

#include "attempt/build_cuda.hpp"
#include "catalogue/files.hpp"

#ifndef ASSAY_EIGEN_DIR
#define ASSAY_EIGEN_DIR ""
#endif
#ifndef ASSAY_SIMT_LIBRARY
#define ASSAY_SIMT_LIBRARY "" // "boost_context" where only a shared one was found
#endif

namespace assay {

std::vector<std::string> eigen_flags() {
    const std::string folder = ASSAY_EIGEN_DIR;
    if (folder.empty()) return {};
    return {"-isystem" + folder};
}

BuildInputs build_inputs(std::string_view exercise, const Settings& settings, const std::filesystem::path& source,
                         const std::optional<DeviceCompiler>& device) {
    const Layout& place = layout();
    if (device) {
        BuildInputs inputs{place.contract(exercise), place.headers(), place.device_sources() / "worker/entry_cuda.cpp",
                           settings.flags};
        inputs.device = device;
        inputs.device_sources = place.device_sources();
        return inputs;
    }
    if (is_cuda(source)) {
        BuildInputs inputs{place.contract(exercise), place.headers(), place.cuda_entry_object(exercise),
                           settings.flags};
        inputs.cuda = place.cuda_headers();
        if (std::string_view(ASSAY_SIMT_LIBRARY) != "") inputs.libraries.emplace_back(ASSAY_SIMT_LIBRARY);
        return inputs;
    }
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
    setup.cpu_seconds = settings.cpu_seconds * (is_cuda(built.source_name) ? emulation_allowance : 1);
    setup.memory = settings.memory;
    setup.output_bytes = settings.output_bytes;
    setup.threads = settings.threads;
    return setup;
}

} // namespace assay
