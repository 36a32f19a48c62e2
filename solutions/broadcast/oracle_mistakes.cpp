// The named mistakes, and what may be asked.
#include "oracle.hpp"
#include "oracle_routes.hpp"
#include "oracle_runs.hpp"

#include <stdexcept>

namespace assay::broadcast_judge {

namespace {

constexpr const char *closed = "closed-forms", *best = "best-chunks", *racks = "racks", *plan = "plan",
                     *faults = "faults";

bool has_all(const Problem& problem, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (!problem.has(name)) return false;
    return true;
}

/// A slip in a formula, which has no part in a run.
bool has_other_than_runs(const Slips& on) {
    static const std::vector<Mistake> all = mistakes();
    for (const Mistake& mistake : all) {
        const int form = on.form(mistake.id);
        if (form < 0) continue;
        const std::string& level = mistake.levels[static_cast<std::size_t>(form)];
        if (level != plan && level != faults) return true;
    }
    return false;
}

} // namespace

std::vector<Mistake> mistakes() {
    return {
        {"bits-for-bytes", "reading the link's bits a second as bytes a second", {closed}, {}},
        {"gib-for-gb", "taking a GB as 2^30 bytes", {closed}, {}},
        {"source-as-receiver", "counting the source among the receivers", {closed, closed}, {}},
        {"log2-of-n", "taking log2 of the receivers alone, without the source: ceil(log2 N)", {closed}, {}},
        {"rounds-truncated", "rounding log2(N + 1) down", {closed}, {}},
        {"log2-rounded", "taking log2 in floating point, which rounds N + 1 to a power of two", {closed}, {}},
        {"uplink-not-shared", "letting a node send to all its children at full rate each", {closed, closed}, {}},
        {"right-child-as-fast", "forgetting that the right child gets each chunk a slot after the left", {closed}, {}},
        {"two-slots-a-level",
         "charging every level two slots, as if the longest way went right all the way down",
         {closed, closed},
         {}},
        {"last-node-last", "taking the last node in heap order as the last to finish", {closed}, {}},
        {"root-is-a-receiver", "putting the source above the tree instead of at its root", {closed}, {}},
        {"lone-child-halved", "halving the uplink of a source that has one child", {closed}, {}},
        {"depth-per-file", "charging each step of the depth a whole file rather than a chunk", {closed}, {}},
        {"fill-ignored", "ignoring the time until the last node has its first chunk", {closed}, {}},
        {"first-chunk-twice",
         "adding the whole depth to the slots of all k chunks, which counts the first chunk's "
         "sending twice",
         {closed, closed, closed, closed},
         {}},
        {"duplex-halved",
         "halving the link of nodes that receive and send at once, although it is full duplex",
         {closed},
         {}},
        {"int64", "multiplying bytes in a 64-bit integer, which wraps at 2^63", {closed}, {}},
        {"int32", "keeping a count in a 32-bit integer, which wraps at 2^31", {closed, racks}, {}},
        {"nan-let-through", "testing the input by comparisons that NaN passes", {closed}, {}},
        {"swarm-source-left-out", "leaving the source out of the upload of all", {closed}, {}},
        {"swarm-mean-download", "taking the mean download in place of the slowest", {closed}, {}},
        {"swarm-one-copy", "having all uploads together carry one copy rather than one a receiver", {closed}, {}},
        {"swarm-sum", "adding the three limits up instead of taking the largest", {closed}, {}},
        {"ms-as-seconds", "reading the latency's milliseconds as seconds", {best}, {}},
        {"latency-per-hop",
         "charging the latency for the first chunk's way alone, as if it did not occupy the link",
         {best},
         {}},
        {"latency-not-in-fill", "charging the latency for the k chunks, but not for the slots of the fill", {best}, {}},
        {"root-forgotten", "forgetting the square root", {best}, {}},
        {"real-rounded", "rounding the real optimum, which need not be the best integer", {best, best, best}, {}},
        {"tie-to-larger", "taking the larger of two numbers of chunks with equal times", {best}, {}},
        {"one-k-for-all", "giving every plan the chain's number of chunks", {best}, {}},
        {"copy-per-worker", "sending a copy for each worker over the uplink rather than one a rack", {racks, plan}, {}},
        {"oversubscription-ignored", "leaving the oversubscription out of the uplink", {racks}, {}},
        {"oversubscription-inverted", "multiplying the uplink by the oversubscription", {racks}, {}},
        {"uplink-of-one-worker", "taking one worker's share of the uplink for the whole of it", {racks}, {}},
        {"uplink-not-divided", "giving each stream between racks the whole uplink", {racks}, {}},
        {"link-forgotten", "letting a stream run at its share of the uplink although the link is slower", {racks}, {}},
        {"narrow-inside", "slowing the hops within a rack by the oversubscription too", {racks}, {}},
        {"source-in-a-rack", "placing the source in the first rack, which spares one crossing", {racks}, {}},
        {"workers-for-racks", "taking as many crossings as a rack has workers", {racks}, {}},
        {"slowest-everywhere", "charging every hop of the first chunk's way the time of the slowest", {racks}, {}},
        {"slowest-ignored",
         "letting the later chunks follow at the pace within a rack, not of the slowest hop",
         {racks},
         {}},
        {"one-rack-alternates",
         "charging a copy a worker although one rack leaves none to alternate with",
         {racks},
         {}},
        {"wrong-address", "naming a node or a chunk that there is not", {plan}, {}},
        {"sends-unheld", "sending a chunk that the sender has not got when the slot begins", {plan, plan}, {}},
        {"many-at-once", "sending to several nodes in one slot, as if the uplink were not shared", {plan}, {}},
        {"two-receipts", "sending one node two chunks in one slot", {plan}, {}},
        {"sends-again", "sending a node a chunk that it has", {plan}, {}},
        {"uplink-overrun", "sending more chunks through a rack's uplink than it carries in a slot", {plan}, {}},
        {"idle-slot",
         "letting a slot pass without a send while somebody lacks a chunk",
         {plan, plan}, // to the end, the last chunk being forgotten; one slot
         {}},
        {"source-serves-all", "leaving all the sending to the source", {plan}, {}},
        {"waits-for-the-file", "passing chunks on only when the whole file is there", {plan}, {}},
        {"one-chain",
         "having each node send to one other alone, as down one chain, whose last node waits N slots for its first "
         "chunk",
         {plan},
         {}},
        {"one-tree",
         "leaving many links unused: nodes that have chunks never send, as the leaves of one fixed tree",
         {plan},
         {}},
        {"in-order", "sending each node its chunks in order, so that nobody has what the others lack", {plan}, {}},
        {"failed-kept",
         "not making good a send that failed: the chunk is passed on, or never sent again",
         {faults},
         {}},
        {"dead-served", "sending to or from a node that has died", {faults}, {}},
        {"trusts-unverified", "trusting bytes on disk whose checksum was never tested", {faults}, {}},
        {"starts-over", "fetching again after the restart what was verified before it", {faults}, {}},
    };
}

std::optional<Truths> oracle(const Problem& problem, const Slips& on) {
    if (on("source-as-receiver", 0) && problem.has("receivers") && problem.integer("receivers") == 1)
        return std::nullopt;
    // What a cast to 64 bits makes of such a file differs from machine to machine.
    if (on("int64") && problem.route == "plan_times" && bytes_of(number(problem, "size_gb"), on) >= 0x1p63)
        return std::nullopt;
    if (is_run(problem)) return has_other_than_runs(on) ? std::nullopt : run_truths(problem, on);
    if (problem.route == "plan_times") return plan_times(problem, on);
    if (problem.route == "swarm_bound") return swarm_bound(problem, on);
    if (problem.route == "best_chunks") return best_chunks(problem, on);
    if (problem.route == "rack_plans") return rack_plans(problem, on);
    throw std::logic_error("broadcast has no route " + problem.route);
}

bool valid(const Problem& problem) {
    if (problem.route == "make_planner")
        return has_all(problem, {"receivers", "chunks", "rack_size", "uplink"}) && playable(setting_of(problem));
    if (problem.route == "resume_planner")
        return has_all(problem, {"receivers", "chunks", "corrupt_percent", "deaths", "restart_after", "draws"}) &&
               playable(setting_of(problem));
    if (problem.route == "plan_times") return has_all(problem, {"size_gb", "link_gbps", "receivers", "chunks"});
    if (problem.route == "swarm_bound")
        return has_all(problem, {"size_gb", "source_gbps", "upload_gbps", "download_gbps"}) &&
               problem.array("upload_gbps").extents == problem.array("download_gbps").extents &&
               upload_stands_out(problem);
    if (problem.route == "best_chunks")
        return has_all(problem, {"size_gb", "link_gbps", "receivers", "latency_ms"}) && stands_out(problem);
    return problem.route == "rack_plans" &&
           has_all(problem, {"size_gb", "link_gbps", "racks", "workers", "oversubscription", "chunks"});
}

} // namespace assay::broadcast_judge
