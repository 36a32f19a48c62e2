// Levels 2 and 4: from a problem to a run, and from a run to what is compared.
#include "oracle.hpp"

#include "core/items.hpp"
#include "oracle_batcher.hpp"

#include <algorithm>

namespace assay::batching_judge {

namespace {

/// The promises as README.md numbers them, in the words of a report: what was done, or not.
constexpr const char* promises =
    "0 none, 1 somebody is let into a full queue, 2 an empty batch, 3 two batches in flight at a time, 4 more than "
    "max_batch go together, 5 a batch holds what does not wait, 6 a row goes to the wrong request, or twice, "
    "7 somebody is rejected while the queue has room, 8 somebody let in is not answered, or not when the rows come "
    "back, 9 a batch is listed and not fired, ";
constexpr const char* of_faults =
    "10 a batch exceeds the token budget, 11 a request is given up that is no poison, or has not failed, 12 somebody "
    "is skipped, 13 a batch fires too early, or leaves out what fits, 14 somebody waits past the timeout, or a suspect "
    "or a full batch waits, 15 too many retries, ";
constexpr const char* no_end = "-1 the run does not end";

const std::string exact_legend = std::string(promises) + no_end;
const std::string resilient_legend = std::string(promises) + of_faults + no_end;

template <class T> std::vector<double> doubles(const std::vector<T>& values) {
    std::vector<double> result;
    result.reserve(values.size());
    for (const T value : values) result.push_back(static_cast<double>(value));
    return result;
}

Truths truths_of(const World& world, bool resilient) {
    Items items;
    items.choice("violation", world.broken(), resilient ? resilient_legend : exact_legend);
    if (resilient) return items.choice("culprit", world.culprit, "-1 nobody, or the number of the request").take();
    const auto count = static_cast<std::int64_t>(world.row.size());
    const std::vector<double> exact(world.row.size(), 0);
    items.tensor("rejected", {count}, doubles(world.rejected), exact, Dtype::boolean);
    items.tensor("fired_at", {count}, doubles(world.fired_at), exact, Dtype::i64);
    items.tensor("row", {count}, doubles(world.row), exact, Dtype::i64);
    items.tensor("answered_at", {count}, doubles(world.answered_at), exact, Dtype::i64);
    Truths truths = items.take();
    for (Truth& truth : truths)
        if (truth.name.ends_with("_at")) truth.unit = "ns";
    return truths;
}

} // namespace

bool is_run(const Problem& problem) { return problem.route == "batcher" || problem.route == "faults"; }

std::vector<std::int64_t> integers_of(const Problem& problem, std::string_view name) {
    const std::vector<double> values = problem.array(name).values();
    std::vector<std::int64_t> integers;
    integers.reserve(values.size());
    for (const double value : values) integers.push_back(static_cast<std::int64_t>(value));
    return integers;
}

Workload workload_of(const Problem& problem) {
    const Time unit = problem.flag("in_nanoseconds") ? 1 : millisecond;
    Workload work;
    work.resilient = problem.route == "faults";
    work.settings.max_batch = problem.integer("max_batch");
    work.settings.timeout = problem.integer("timeout") * unit;
    work.settings.queue = problem.integer("queue");
    work.settings.token_budget = work.settings.max_batch; // each is one token long
    work.batch_time = problem.integer("batch_time") * unit;
    for (const std::int64_t arrival : integers_of(problem, "arrivals")) work.arrivals.push_back(arrival * unit);
    if (!work.resilient) return work;
    work.settings.token_budget = problem.integer("token_budget");
    work.token_time = problem.integer("token_time") * unit;
    work.lengths = integers_of(problem, "lengths");
    for (const std::int64_t one : integers_of(problem, "healthy")) work.healthy.push_back(one != 0);
    work.deaths = integers_of(problem, "deaths");
    return work;
}

Outputs outputs_of(const World& world, bool resilient) {
    Outputs outputs;
    for (const Truth& truth : truths_of(world, resilient))
        outputs.arrays.emplace_back(truth.name, Array::of(truth.dtype, truth.extents, truth.value));
    std::vector<double> log;
    log.reserve(4 * world.log.size());
    for (const Entry& entry : world.log)
        for (const std::int64_t number : {entry.at, static_cast<std::int64_t>(entry.kind), entry.request, entry.extra})
            log.push_back(static_cast<double>(number));
    outputs.arrays.emplace_back("log", Array::of(Dtype::f64, {static_cast<std::int64_t>(world.log.size()), 4}, log));
    const std::vector<double> at{static_cast<double>(world.violation() ? world.violation()->at : -1)};
    outputs.arrays.emplace_back("violation_at", Array::of(Dtype::f64, {}, at));
    const std::string sentence = world.violation() ? world.violation()->sentence : "";
    outputs.arrays.emplace_back("sentence", Array::of(Dtype::f64, {static_cast<std::int64_t>(sentence.size())},
                                                      doubles(std::vector<char>(sentence.begin(), sentence.end()))));
    return outputs;
}

Truths oracle(const Problem& problem, const Slips& on) {
    if (problem.route == "plan") return plan_truths(problem, on);
    if (problem.route == "load_test") return load_test_truths(problem, on);
    if (problem.route == "best_timeout") return best_timeout_truths(problem, on);
    if (problem.route == "compare") return compare_truths(problem, on);
    const Workload work = workload_of(problem);
    Reference batcher(work.settings, work.resilient, on);
    World world(work, batcher);
    world.run();
    return truths_of(world, work.resilient);
}

bool valid(const Problem& problem) {
    constexpr std::int64_t most = std::int64_t{1} << 52; // ns: exact as float64, which answers travel as
    const auto rising = [&](const char* name) {
        const std::vector<std::int64_t> all = integers_of(problem, name);
        return std::is_sorted(all.begin(), all.end()) && (all.empty() || (all.front() >= 0 && all.back() <= most));
    };
    if (problem.route == "plan") return problem.has("batch") && problem.has("request_bytes");
    if (problem.route == "compare") {
        const std::vector<std::int64_t> lengths = integers_of(problem, "lengths");
        return problem.integer("slots") >= 1 && !lengths.empty() &&
               *std::min_element(lengths.begin(), lengths.end()) >= 1;
    }
    if (problem.integer("max_batch") < 1 || problem.integer("batch_time") < 1 || !rising("arrivals")) return false;
    if (problem.route == "load_test") return problem.integer("timeout") >= 0 && problem.array("arrivals").size() > 0;
    if (problem.route == "best_timeout")
        return problem.array("arrivals").size() > 0 && problem.array("timeouts").size() > 0 && rising("timeouts") &&
               problem.integer("slo") >= 0;
    if (problem.integer("timeout") < 0 || problem.integer("queue") < problem.integer("max_batch")) return false;
    const Time unit = problem.flag("in_nanoseconds") ? 1 : millisecond;
    const std::vector<std::int64_t> arrivals = integers_of(problem, "arrivals");
    if (!arrivals.empty() && arrivals.back() > most / unit / 2) return false;
    if (problem.route == "batcher") return true;
    if (problem.integer("token_time") < 0) return false;
    for (const std::int64_t length : integers_of(problem, "lengths"))
        if (length < 1 || length > problem.integer("token_budget")) return false;
    return true;
}

} // namespace assay::batching_judge
