#include "commands/roofline.hpp"

#include "catalogue/files.hpp"
#include "catalogue/hardware.hpp"
#include "catalogue/models.hpp"
#include "commands/print.hpp"
#include "commands/roofline_gpu.hpp"
#include "report/roofline.hpp"
#include "report/text.hpp"
#include "roofline/tokens.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

namespace assay {

namespace {

[[noreturn]] void usage(const std::string& sentence) { throw Stop(Exit::usage, sentence); }

/// Ours, and the user's own from `file`, which come first where names are equal.
template <class Entry, class Parse>
std::vector<Entry> with_own(const Outcome<std::vector<Entry>>& ours, const std::string& file, const Parse& parse) {
    if (!ours) throw Stop(Exit::fault, ours.failure().reason);
    if (file.empty()) return *ours;
    bool ok = false;
    const std::string text = read_text(file, ok, std::size_t{4} << 20);
    if (!ok) usage("cannot read " + printable(file) + ": give a readable TOML file of at most 4 MiB");
    Outcome<std::vector<Entry>> own = parse(text, printable(file));
    if (!own) usage(own.failure().reason);
    std::vector<Entry> all = *own;
    for (const Entry& one : *ours)
        if (std::none_of(own->begin(), own->end(), [&](const Entry& mine) { return mine.name == one.name; }))
            all.push_back(one);
    return all;
}

template <class Entry> std::vector<std::string> names_of(const std::vector<Entry>& entries) {
    std::vector<std::string> names;
    names.reserve(entries.size());
    for (const Entry& one : entries) names.push_back(printable(one.name));
    return names;
}

/// The near names first: all that begin like `name`, else the nearest one.
std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
    std::vector<std::string> near;
    for (const std::string& one : names)
        if (name.size() >= 2 && one.rfind(name, 0) == 0) near.push_back(one);
    if (near.empty())
        if (const std::string one = nearest(name, names); !one.empty()) near.push_back(one);
    return near.empty() ? "" : fmt::format("did you mean {}? ", fmt::join(near, " or "));
}

template <class Entry>
const Entry& named(const std::vector<Entry>& entries, const std::string& name, std::string_view kind) {
    for (const Entry& one : entries)
        if (one.name == name) return one;
    const std::vector<std::string> names = names_of(entries);
    usage(fmt::format("no such {}: {} ({}there are {})", kind, printable(name), suggestion(name, names),
                      fmt::join(names, ", ")));
}

std::int64_t within(std::string_view option, std::int64_t value, std::int64_t high) {
    if (value < 1 || value > high)
        usage(fmt::format("{} must be a whole number from 1 to {}; it is {}", option, high, value));
    return value;
}

std::vector<std::int64_t> tokens_of(const RooflineArguments& arguments, const char* otherwise) {
    auto tokens = roofline::parse_tokens(arguments.tokens.empty() ? otherwise : arguments.tokens);
    if (!tokens) usage(tokens.failure().reason);
    return *tokens;
}

/// The widths, from a model or as given; dtype and GPUs are the caller's.
roofline::Ffn widths(const RooflineArguments& arguments, bool default_widths) {
    roofline::Ffn ffn;
    if (!arguments.model.empty()) {
        const auto models = with_own(known_models(), arguments.models_file, parse_models);
        const Model& model = named(models, arguments.model, "model");
        if (arguments.d_model || arguments.hidden)
            usage(fmt::format("--model {} gives the widths; leave out --d-model and --hidden, or --model", model.name));
        if (arguments.gated && !model.gated)
            usage(fmt::format("{} is not gated; leave out --gated, or give --d-model and --hidden instead of --model",
                              model.name));
        ffn.d_model = model.d_model;
        ffn.hidden = model.hidden;
        ffn.gated = model.gated;
        return ffn;
    }
    if (!default_widths && (!arguments.d_model || !arguments.hidden))
        usage("no network to look at: give --d-model and --hidden, or --model NAME (" +
              fmt::format("{}",
                          fmt::join(names_of(with_own(known_models(), arguments.models_file, parse_models)), ", ")) +
              ")");
    ffn.d_model = within("--d-model", arguments.d_model.value_or(1024), 1'000'000);
    ffn.hidden = within("--hidden", arguments.hidden.value_or(4 * ffn.d_model), 10'000'000);
    ffn.gated = arguments.gated;
    return ffn;
}

const Link& link_of(const Chip& chip, const std::string& kind, std::int64_t gpus) {
    std::vector<std::string> kinds;
    for (const Link& one : chip.links) kinds.push_back(one.kind);
    if (!kind.empty()) {
        const Link* link = chip.link(kind);
        if (link == nullptr)
            usage(fmt::format("{} has no link {}; it has {}", chip.name, printable(kind),
                              kinds.empty() ? "none" : fmt::format("{}", fmt::join(kinds, ", "))));
        if (link->joins != 0 && gpus > link->joins)
            usage(fmt::format("{} of {} joins {} chips, not {}; give fewer --gpus or another --link", link->kind,
                              chip.name, link->joins, gpus));
        return *link;
    }
    const Link* link = chip.fastest_link(gpus);
    if (link == nullptr) usage(fmt::format("{} has no link that joins {} chips; give fewer --gpus", chip.name, gpus));
    return *link;
}

Exit predict_on(const RooflineArguments& arguments, const Style& style) {
    const auto chips = with_own(known_chips(), arguments.chips_file, parse_chips);
    if (arguments.chip.empty())
        usage(fmt::format("no chip named: give --chip NAME ({}), or --here to measure this machine",
                          fmt::join(names_of(chips), ", ")));
    if (arguments.threads || arguments.seconds) usage("--threads and --seconds go with --here, not with --chip");
    const Chip& chip = named(chips, arguments.chip, "chip");

    RooflineView view;
    view.chip = chip.name;
    view.title = printable(chip.title);
    view.source = printable(chip.source);
    view.dtype = arguments.dtype.empty() ? "bf16" : arguments.dtype;
    const Peak* peak = chip.peak(view.dtype);
    if (peak == nullptr) {
        std::vector<std::string> dtypes;
        for (const Peak& one : chip.peaks) dtypes.push_back(one.dtype);
        usage(fmt::format("{} has no peak for {}; give --dtype {}", chip.name, printable(view.dtype),
                          fmt::join(dtypes, ", ")));
    }
    view.model = printable(arguments.model);
    view.ffn = widths(arguments, false);
    view.ffn.gpus = within("--gpus", arguments.gpus.value_or(1), 1'000'000);
    view.ffn.element_bytes = element_bytes(view.dtype);
    view.ceilings = {peak->dense, chip.memory_bandwidth, 0};
    view.vendor_peak = peak->vendor;
    view.vendor_sparse = peak->sparse;
    if (view.ffn.gpus > 1 || !arguments.link.empty()) {
        const Link& link = link_of(chip, arguments.link, view.ffn.gpus);
        view.link = link.kind;
        view.ceilings.link = link.per_direction;
        view.vendor_link = link.vendor;
        view.vendor_two_way = link.two_way;
    }
    view.tokens = tokens_of(arguments, "1:65536");
    print(arguments.json ? roofline_json(view) : roofline_terminal(view, style));
    return Exit::passed;
}

Exit measure(const RooflineArguments& arguments, const Style& style) {
    if (!arguments.chip.empty()) usage("--chip and --here exclude each other; give one of them");
    if (!arguments.link.empty() || arguments.gpus.value_or(1) != 1)
        usage("--here measures one machine; leave out --gpus and --link");
    const double seconds = arguments.seconds.value_or(10);
    if (!(seconds >= 0.1 && seconds <= 3600))
        usage(fmt::format("--seconds must be a number from 0.1 to 3600; it is {:g}", seconds));
    if (const auto gpu = gpu_named(arguments.device))
        return roofline_on_gpu(arguments, *gpu, with_own(known_chips(), arguments.chips_file, parse_chips), style);
    if (!arguments.dtype.empty() && arguments.dtype != "fp32")
        usage("--here measures fp32; leave out --dtype, or give --chip or --device cuda");
    if (!arguments.chips_file.empty()) usage("--chips goes with --chip or --device cuda, not with this processor");

    roofline::HereOptions options;
    options.ffn = widths(arguments, true);
    options.ffn.element_bytes = 4;
    options.tokens = tokens_of(arguments, "1,4,16,64,256");
    if (options.tokens.back() > 1'000'000)
        usage(fmt::format("--here takes at most 1000000 tokens; --tokens goes up to {}", options.tokens.back()));
    options.seconds = seconds;
    const int processors = roofline::this_machine().processors;
    const auto most = static_cast<int>(within("--threads", arguments.threads.value_or(processors), processors));
    options.threads = most == 1 ? std::vector<int>{1} : std::vector<int>{1, most};

    const bool watched = isatty(STDERR_FILENO) == 1;
    if (watched) fmt::print(stderr, "Measuring for about {:g} s ...", options.seconds);
    const auto report = roofline::measure_here(options);
    if (watched) fmt::print(stderr, "\r\x1b[K");
    if (!report) throw Stop(Exit::environment, report.failure().reason);
    const std::string model = printable(arguments.model);
    print(arguments.json ? here_json(*report, model) : here_terminal(*report, model, style));
    return Exit::passed;
}

} // namespace

Exit roofline_command(const RooflineArguments& arguments) {
    const Style style = style_for(arguments.color, STDOUT_FILENO);
    if (!arguments.models_file.empty() && arguments.model.empty())
        usage("--models needs --model NAME: the model of that file to look at");
    if (!arguments.here && !arguments.device.empty()) usage("--device goes with --here, which measures: add --here");
    return arguments.here ? measure(arguments, style) : predict_on(arguments, style);
}

} // namespace assay
