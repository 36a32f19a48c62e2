// Level inverse: the largest group, the smallest batch, what to double. And the bonus: adding up in the switch.
#include "cases.hpp"

#include <cmath>

namespace assay::roofline_judge {

namespace {

Change layer(std::int64_t tokens, std::int64_t d, std::int64_t f, std::int64_t n, Chip chip, Change more = {}) {
    return [=](Draft& draft) {
        draft.tokens = tokens;
        draft.d_model = d;
        draft.hidden = f;
        draft.gpus = n;
        draft.chip = chip;
        if (more) more(draft);
    };
}

void add_groups(std::vector<Case>& cases) {
    const auto group = [&](std::string id, std::string why, Change change, std::string stays = "") {
        cases.push_back(make_case("largest_group", std::move(id), std::move(why), std::move(change), std::move(stays)));
    };
    group("group-decode", "8 tokens: beyond the node each step waits for the network",
          layer(8, 8192, 28672, 32, h100, [](Draft& d) { d.gated = d.fused = true; }));
    group("group-gap", "the 5th GPU makes it worse, the 6th is worth it again",
          layer(9000, 8192, 28672, 38, a100, [](Draft& d) {
              d.gated = true;
              d.gpus_per_node = 4;
          }));
    group("group-slow-link", "every GPU shortens the time, but from some n on by less than the share",
          layer(300, 5120, 13824, 7, l40s, [](Draft& d) { d.share = 0.03; }),
          "the time falls to the last, the answer does not follow it");
    group("group-none", "a small layer: the steps alone take longer than the second GPU saves",
          layer(5, 512, 1376, 6, h100));
    group("group-of-one", "one GPU, so there is no group", layer(300, 5120, 13824, 1, h100), "an edge of the domain");
    group("group-no-tokens", "T = 0: what weights save against what steps cost", layer(0, 8192, 28672, 11, a100),
          "0 tokens have an answer");
    group("group-two", "a share of 0.2: the second GPU takes off 39 %, the third 19",
          layer(300, 5120, 13824, 6, h100, [](Draft& d) { d.share = 0.2; }), "the smallest group there can be");
    cases.push_back(drawn_case("largest_group", "group-drawn"));
    const std::vector<Wrong> wrongs{
        {"share-zero", "a share of 0", [](Draft& d) { d.share = 0; }},
        {"share-one", "a share of 1", [](Draft& d) { d.share = 1; }},
        {"share-nan", "a share of NaN", [](Draft& d) { d.share = NAN; }},
        {"no-gpus", "n = 0", [](Draft& d) { d.gpus = 0; }},
    };
    for (Case& one : invalid_cases("largest_group", "group-", wrongs)) cases.push_back(std::move(one));
}

void add_batches(std::vector<Case>& cases) {
    const auto batch = [&](std::string id, std::string why, Change change, std::string stays = "") {
        cases.push_back(make_case("least_batch", std::move(id), std::move(why), std::move(change), std::move(stays)));
    };
    batch("batch-alone", "one GPU: 309.6 tokens, nothing but memory to catch up with", layer(7, 8192, 28672, 1, h100),
          "no network to catch up with");
    batch("batch-memory", "memory is the later one to be caught up with", layer(7, 8192, 28672, 3, h100),
          "the larger of the two decides");
    batch("batch-network", "the network is the later one: steps cost the same at every size of batch",
          layer(7, 5120, 13824, 6, h100));
    batch("batch-gated", "three matrices, fused, 1 byte an element",
          layer(7, 12288, 49152, 7, a100,
                [](Draft& d) {
                    d.gated = d.fused = true;
                    d.bytes_per_element = 1;
                }),
          "every term of the refined model");
    batch("batch-never-network", "a token keeps the network longer than compute: never", layer(7, 8192, 28672, 7, l40s),
          "only one of the two is never caught up with");
    batch("batch-never", "d = 512 on 8: a token brings more bytes than FLOPs pay for, to memory and network",
          layer(7, 512, 2048, 8, h100), "neither is ever caught up with");
    batch("batch-between-nodes", "9 GPUs on nodes of 8", layer(7, 16384, 53248, 9, h100), "the network's figures");
    batch("batch-one-token", "a peak so low that compute binds from the first token on",
          layer(7, 5120, 13824, 1, {0.8, 1.6, 3.35, 900}), "a batch holds at least one token");
    batch("batch-free-steps", "steps without latency: compute outlasts the network from 0 tokens on",
          layer(7, 8192, 28672, 3, h100, [](Draft& d) { d.link_latency = 0; }), "no head start, and the steeper line");
    batch("batch-free-steps-never", "steps without latency on a slow link: the network outlasts compute at any T",
          layer(7, 8192, 28672, 7, l40s, [](Draft& d) { d.link_latency = 0; }), "no head start, and the flatter line");
    cases.push_back(drawn_case("least_batch", "batch-drawn"));
    const std::vector<Wrong> wrongs{
        {"negative-tokens", "T = -1, which plays no part", [](Draft& d) { d.tokens = -1; }},
        {"no-node", "0 GPUs a node", [](Draft& d) { d.gpus_per_node = 0; }},
    };
    for (Case& one : invalid_cases("least_batch", "batch-", wrongs)) cases.push_back(std::move(one));
}

void add_doublings(std::vector<Case>& cases) {
    const auto twice = [&](std::string id, std::string why, Change change, std::string stays = "") {
        cases.push_back(
            make_case("what_to_double", std::move(id), std::move(why), std::move(change), std::move(stays)));
    };
    twice("double-compute", "one GPU and much to compute: twice the peak halves the time",
          layer(6000, 8192, 28672, 1, h100), "the one thing that halves it exactly");
    twice("double-memory", "memory at 91 µs, compute at 86: twice the bandwidth takes off 5",
          layer(300, 5120, 13824, 1, h100));
    twice("double-link", "6 GPUs: the link takes longest, and takes most off", layer(300, 5120, 13824, 6, h100),
          "what binds is the best to double here");
    twice("double-waits", "the network binds by its steps, so that twice the bandwidth helps little",
          layer(64, 5120, 13824, 6, a100, [](Draft& d) { d.link_latency = 4e-6; }), "what binds is not what to double");
    twice("double-between-nodes", "9 GPUs on nodes of 8: the link to double is the network",
          layer(300, 5120, 13824, 9, h100), "the link in use is the network");
    twice("double-gpus", "5 GPUs of nodes of 12: ten stay in the node",
          layer(3000, 8192, 28672, 5, a100,
                [](Draft& d) {
                    d.gpus_per_node = 12;
                    d.gated = true;
                }),
          "more GPUs are the best thing to have more of, short of half the time");
    twice("double-no-tokens", "T = 0: weights and steps", layer(0, 8192, 28672, 3, h100), "0 tokens have an answer");
    cases.push_back(drawn_case("what_to_double", "double-drawn"));
    const std::vector<Wrong> wrongs{
        {"no-bytes", "0 bytes an element", [](Draft& d) { d.bytes_per_element = 0; }},
        {"latency-nan", "a latency of NaN", [](Draft& d) { d.link_latency = NAN; }},
    };
    for (Case& one : invalid_cases("what_to_double", "double-", wrongs)) cases.push_back(std::move(one));
}

} // namespace

std::vector<Case> inverse_cases() {
    std::vector<Case> cases;
    add_groups(cases);
    add_batches(cases);
    add_doublings(cases);
    return cases;
}

std::vector<Case> in_switch_cases() {
    std::vector<Case> cases;
    const auto reduce = [&](std::string id, std::string why, Change change, std::string stays = "") {
        cases.push_back(make_case("reduce", std::move(id), std::move(why), std::move(change), std::move(stays)));
    };
    reduce("switch-six", "6 GPUs: 7/6 of the tensor in place of 10/6, and 2 steps in place of 10",
           layer(300, 5120, 13824, 6, h100));
    reduce("switch-two", "2 GPUs: 3/2 in place of 1, for as many steps", layer(300, 5120, 13824, 2, h100));
    reduce("switch-three", "3 GPUs: 4/3 either way, but half the steps", layer(300, 5120, 13824, 3, h100),
           "equal in bytes, not in steps");
    reduce("switch-one", "1 GPU: nothing to add up", layer(300, 5120, 13824, 1, h100));
    reduce("switch-full-node", "8 GPUs, all that the switch joins", layer(300, 5120, 13824, 8, h100),
           "the most that one switch joins");
    reduce("switch-no-tokens", "T = 0: steps alone", layer(0, 5120, 13824, 7, b200), "0 tokens have an answer");
    cases.push_back(drawn_case("reduce", "switch-drawn"));
    const std::vector<Wrong> wrongs{
        {"between-nodes", "9 GPUs on nodes of 8, which no one switch joins", [](Draft& d) { d.gpus = 9; }},
        {"no-bytes", "0 bytes an element", [](Draft& d) { d.bytes_per_element = 0; }},
    };
    for (Case& one : invalid_cases("reduce", "switch-", wrongs)) cases.push_back(std::move(one));
    return cases;
}

} // namespace assay::roofline_judge
