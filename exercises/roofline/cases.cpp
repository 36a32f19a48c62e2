#include "cases.hpp"

namespace assay::roofline_judge {

Problem Draft::problem(std::string route) const {
    Problem p{std::move(route), {}};
    const auto add = [&](const char* name, Value value) { p.fields.push_back({name, std::move(value), {}}); };
    add("tokens", tokens);
    add("d_model", d_model);
    add("hidden", hidden);
    add("gpus", gpus);
    add("dense_tflops", chip.dense);
    add("sparse_tflops", chip.sparse);
    add("memory_tb", chip.memory);
    add("link_gb", chip.link);
    if (p.route == "count") return p;
    if (p.route != "cross") {
        add("gpus_per_node", gpus_per_node);
        add("network_gbit", network_gbit);
        add("link_latency", link_latency);
        add("network_latency", network_latency);
    }
    add("bytes_per_element", bytes_per_element);
    if (p.route == "cross") return p;
    add("gated", gated);
    add("fused", fused);
    if (p.route == "largest_group") add("share", share);
    return p;
}

Case make_case(std::string route, std::string id, std::string why, Change change, std::string stays) {
    return {std::move(id), std::move(why),
            [route = std::move(route), change = std::move(change)](std::uint64_t) {
                Draft draft;
                if (change) change(draft);
                return draft.problem(route);
            },
            std::move(stays)};
}

Case drawn_case(std::string route, std::string id) {
    return {std::move(id), "numbers drawn from the seed",
            [route = std::move(route)](std::uint64_t seed) { return random_problem_of(route, seed); },
            "its numbers are not known beforehand"};
}

std::vector<Case> invalid_cases(const std::string& route, const std::string& prefix, const std::vector<Wrong>& wrongs) {
    std::vector<Case> cases;
    for (const Wrong& wrong : wrongs)
        cases.push_back(make_case(route, prefix + wrong.id, wrong.what + ": outside the domain, every item stays unset",
                                  wrong.change, "an edge of the domain"));
    return cases;
}

} // namespace assay::roofline_judge
