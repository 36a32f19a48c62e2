// Level refined: what is materialised, where the all-reduce sits, and over which link it goes.
#include "cases.hpp"

#include <cmath>

namespace assay::roofline_judge {

namespace {

Case refine(std::string id, std::string why, Change change, std::string stays = "") {
    return make_case("refine", std::move(id), std::move(why), std::move(change), std::move(stays));
}

} // namespace

std::vector<Case> refined_cases() {
    std::vector<Case> cases;
    cases.push_back(refine("plain", "the worked example, refined: 6 GPUs of one node, nothing fused", {}));
    cases.push_back(
        refine("plain-fused", "hidden tensors that never leave the chip", [](Draft& d) { d.fused = true; }));
    cases.push_back(refine("gated", "three matrices: the input is read twice, two hidden tensors are kept",
                           [](Draft& d) { d.gated = true; }));
    cases.push_back(refine(
        "gated-fused", "three matrices, nothing of the hidden tensors in memory",
        [](Draft& d) { d.gated = d.fused = true; }, "fused traffic does not depend on the gate"));
    cases.push_back(refine("node-full", "8 GPUs fill a node of 8: still NVLink", [](Draft& d) { d.gpus = 8; }));
    cases.push_back(
        refine("node-left", "9 GPUs on nodes of 8: the ring is as fast as the network", [](Draft& d) { d.gpus = 9; }));
    cases.push_back(refine(
        "small-nodes", "nodes of 3, a network of 100 Gbit/s, gated, 1 byte an element",
        [](Draft& d) {
            d.gpus = 7;
            d.gpus_per_node = 3;
            d.network_gbit = 100;
            d.gated = true;
            d.bytes_per_element = 1;
            d.tokens = 1700;
            d.chip = b200;
        },
        "every parameter away from its usual value"));
    cases.push_back(refine(
        "network-faster", "a network faster than NVLink: between nodes its figures hold all the same",
        [](Draft& d) {
            d.gpus = 7;
            d.gpus_per_node = 5;
            d.network_gbit = 3200;
            d.chip = l40s;
        },
        "the rule is the node's size, not which link is slower"));
    cases.push_back(refine(
        "alone", "one GPU: no bytes, no steps, no latency", [](Draft& d) { d.gpus = 1; },
        "n - 1 is 0 in every term of the network"));
    cases.push_back(refine(
        "refined-no-tokens", "T = 0: weights are read, and the steps still take their latency",
        [](Draft& d) { d.tokens = 0; }, "only latency and weights are left"));
    cases.push_back(refine(
        "free-steps", "a latency of 0 is allowed", [](Draft& d) { d.link_latency = 0; }, "an edge of the domain"));
    cases.push_back(refine(
        "refined-prefill", "compute binds, and the all-reduce comes on top",
        [](Draft& d) {
            d.tokens = 9000;
            d.gated = true;
            d.hidden = 28672;
            d.d_model = 8192;
        },
        "compute is the longest"));
    cases.push_back(refine(
        "refined-beyond-64-bits", "products beyond 64 bits",
        [](Draft& d) {
            d.tokens = 4194307;
            d.d_model = 1000003;
            d.hidden = 4000037;
            d.gated = true;
        },
        "6 T d f is 1e20"));
    cases.push_back(refine(
        "refined-smallest", "every count at its least, a node a GPU",
        [](Draft& d) {
            d.tokens = d.d_model = d.hidden = d.gpus = d.gpus_per_node = d.bytes_per_element = 1;
            d.network_latency = 0;
        },
        "the least that the domain holds"));
    cases.push_back(refine(
        "lone-gpus", "2 GPUs, each a node of its own",
        [](Draft& d) {
            d.gpus = 2;
            d.gpus_per_node = 1;
        },
        "the smallest node, left at once"));
    cases.push_back(drawn_case("refine", "refined-drawn"));
    const std::vector<Wrong> wrongs{
        {"no-node", "0 GPUs a node", [](Draft& d) { d.gpus_per_node = 0; }},
        {"network-zero", "a network of 0 Gbit/s, unused within a node", [](Draft& d) { d.network_gbit = 0; }},
        {"latency-negative", "a latency below 0", [](Draft& d) { d.link_latency = -1e-6; }},
        {"latency-nan", "a network latency of NaN, unused within a node", [](Draft& d) { d.network_latency = NAN; }},
        {"latency-infinite", "an infinite latency", [](Draft& d) { d.link_latency = HUGE_VAL; }},
        {"no-bytes", "0 bytes an element", [](Draft& d) { d.bytes_per_element = 0; }},
        {"no-gpus", "n = 0", [](Draft& d) { d.gpus = 0; }},
    };
    for (Case& one : invalid_cases("refine", "refined-", wrongs)) cases.push_back(std::move(one));
    return cases;
}

} // namespace assay::roofline_judge
