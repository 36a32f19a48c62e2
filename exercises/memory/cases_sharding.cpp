// Levels split-matmul, first-stage and least-gpus: one matmul on several GPUs, a pipeline's first stage, the least GPUs
// that fit.
#include "cases.hpp"
#include "cases_seeded.hpp"

#include <limits>

namespace assay::memory_judge {

std::vector<Case> split_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Product& product, std::int64_t by, std::int64_t gpus,
                         std::string stays = "") {
        cases.push_back(make_case(std::move(id), std::move(why), split_of(product, by, gpus), std::move(stays)));
    };
    const Product small{5, 6, 9}, cube{65536, 65536, 65536};
    add("columns", "X whole, a third of W and Y, an all-gather", small, by_column, 3);
    add("rows", "a third of X and W, partial sums of all of Y, an all-reduce", small, by_row, 3);
    add("stages", "all of X, W and Y on one stage; Y goes on to the next", small, by_pipeline, 3);
    add("rows-over-seven", "a seventh of 54 elements: shares are not rounded", small, by_row, 7,
        "GPUs that divide nothing");
    add("columns-of-four-bit", "half a byte an element", {5, 6, 9, 4}, by_column, 4, "bits that are no whole byte");
    add("one-rank", "one GPU holds all and sends nothing", small, by_row, 1, "(n - 1)/n is 0");
    add("one-stage", "a pipeline of one stage sends nothing", small, by_pipeline, 1, "there is no next stage");
    add("cube-in-stages", "65536 cubed: 24 GiB on a stage, however many there are", cube, by_pipeline, 8,
        "why a pipeline cannot split one matmul");
    add("cube-in-columns", "65536 cubed over 8 GPUs: 8 + 1 + 1 GiB", cube, by_column, 8, "what tensor parallel does");
    add("no-ranks", "0 GPUs are out of range", small, by_column, 0, "the lower edge of `gpus`");
    cases.push_back(seeded("split-seeded", split_drawn));
    return cases;
}

std::vector<Case> stage_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Plan& plan, std::int64_t recomputed,
                         std::string stays = "") {
        cases.push_back(make_case(std::move(id), std::move(why), stage_of(plan, recomputed), std::move(stays)));
    };
    const Plan small{.layers = 12,
                     .d_model = 24,
                     .heads = 6,
                     .sequence = 10,
                     .micro_batch = 5,
                     .micro_batches = 9,
                     .tensor = 2,
                     .pipeline = 3};
    const auto with = [&](auto change) {
        Plan plan = small;
        change(plan);
        return plan;
    };
    const std::string paper = "a configuration of the paper's figure 1";
    add("one-f-one-b", "4 layers of each of 3 micro-batches wait on the first stage", small, recompute_none);
    add("sequence-parallel", "all of a layer is split, and gathered once more",
        with([](Plan& p) { p.sequence_parallel = true; }), recompute_none);
    add("interleaved", "two chunks of 2 layers a stage: 8 chunks wait", with([](Plan& p) { p.chunks = 2; }),
        recompute_none);
    add("few-micro-batches", "2 micro-batches do not fill a pipeline of 3 stages",
        with([](Plan& p) { p.micro_batches = 2; }), recompute_selective, "fewer wait than there are stages");
    add("interleaved-just-full", "3 micro-batches of 2 chunks: 6 chunks wait, not 8", with([](Plan& p) {
            p.chunks = 2;
            p.micro_batches = 3;
        }),
        recompute_none, "there are no more to wait");
    add("full-recompute", "a layer's input alone; the forward pass is sent twice", small, recompute_full,
        "the forward pass's messages come again");
    add("full-along-sequence", "the input is split too", with([](Plan& p) { p.sequence_parallel = true; }),
        recompute_full, "three switches at once");
    add("sixteen-byte-state", "16-bit gradients, no dropout", with([](Plan& p) {
            p.fp32_gradients = false;
            p.dropout = false;
        }),
        recompute_none, "the other side of two flags");
    add("alone", "one GPU sends nothing", with([](Plan& p) { p.tensor = p.pipeline = 1; }), recompute_none,
        "(t - 1)/t and stages - 1 are 0");
    add("megatron-22b", "22B on 8 GPUs: 59.25 GiB of activations",
        {.layers = 48, .d_model = 6144, .heads = 64, .sequence = 2048, .micro_batch = 4, .tensor = 8}, recompute_none,
        paper);
    add("megatron-175b", "175B on 64 GPUs, interleaved, sequence parallel: 12.35 GiB of activations",
        {.layers = 96,
         .d_model = 12288,
         .heads = 96,
         .sequence = 2048,
         .micro_batches = 64,
         .tensor = 8,
         .pipeline = 8,
         .chunks = 3,
         .sequence_parallel = true},
        recompute_selective, paper);
    add("stage-past-64-bit", "12 d_model² a layer passes 2^63",
        {.layers = 12, .d_model = 6000000000, .heads = 6, .sequence = 10, .tensor = 2, .pipeline = 3}, recompute_none,
        "a square overflows first");
    add("heads-over-tensor", "6 heads on 4 GPUs are out of range", with([](Plan& p) { p.tensor = 4; }), recompute_none,
        "tensor must divide heads");
    add("sequence-over-tensor", "10 tokens on 3 GPUs are out of range under sequence parallelism", with([](Plan& p) {
            p.tensor = 3;
            p.sequence_parallel = true;
        }),
        recompute_none, "tensor must divide the sequence there");
    add("sequence-whole", "10 tokens on 3 GPUs are in range without", with([](Plan& p) { p.tensor = 3; }),
        recompute_none, "and need not elsewhere");
    add("layers-over-stages", "12 layers on 5 stages are out of range", with([](Plan& p) { p.pipeline = 5; }),
        recompute_none, "stages hold whole layers");
    add("layers-over-chunks", "4 layers in 3 chunks are out of range", with([](Plan& p) { p.chunks = 3; }),
        recompute_none, "chunks hold whole layers");
    add("batches-over-stages", "8 micro-batches on 3 interleaved stages are out of range", with([](Plan& p) {
            p.chunks = 2;
            p.micro_batches = 8;
        }),
        recompute_none, "the interleaved schedule takes micro-batches in groups");
    add("no-tensor-group", "a tensor group of 0 GPUs is out of range", with([](Plan& p) { p.tensor = 0; }),
        recompute_none, "dividing by it is a crash");
    cases.push_back(seeded("stage-seeded", stage_drawn));
    return cases;
}

std::vector<Case> fit_cases() {
    std::vector<Case> cases;
    const auto add = [&](std::string id, std::string why, const Demand& demand, std::string stays = "") {
        cases.push_back(make_case(std::move(id), std::move(why), fit_of(demand), std::move(stays)));
    };
    add("two-to-a-gpu", "matrices of 0.75 GiB on GPUs of 2: two on each, and half a GiB unused",
        {10, 4096, 12288, 16, 8, 2});
    add("too-big-for-one", "a matrix of 8 GiB on GPUs of 6: no pipeline will do; 24 GiB on 4 fit exactly",
        {3, 65536, 65536, 2, 8, 6});
    add("width-of-seven", "2.5 GPUs' bytes, but 3 do not divide 7168", {5, 8192, 7168, 9, 8, 1});
    add("small-node", "2 GPUs at most may share a matrix, so stages must do the rest", {7, 4096, 12288, 16, 2, 1.25});
    add("too-big-for-a-node", "half a matrix does not fit either: there is no number of GPUs",
        {3, 65536, 65536, 2, 2, 3.5}, "infinity thrice");
    add("fits-one", "all on one GPU", {3, 512, 1536, 2, 8, 80}, "1 everywhere");
    add("eighty", "405 billion parameters of 2 bytes on GPUs of 80 GiB", {378, 16384, 65536, 2, 8, 80},
        "what a GPU's name calls 80 GB");
    add("fit-past-64-bit", "a matrix of more than 2^63 bytes", {3, 4000000007, 5000000000, 2, 8, 80},
        "a product overflows, and seems to fit");
    add("memory-nan", "memory that is not a number is out of range",
        {3, 512, 1536, 2, 8, std::numeric_limits<double>::quiet_NaN()}, "NaN passes a test for <= 0");
    add("memory-infinite", "infinite memory is out of range",
        {3, 512, 1536, 2, 8, std::numeric_limits<double>::infinity()}, "infinity passes a test for <= 0");
    add("memory-zero", "no memory is out of range", {3, 512, 1536, 2, 8, 0}, "the lower edge of `memory_gib`");
    add("node-of-none", "a node of 0 GPUs is out of range", {3, 512, 1536, 2, 0, 80}, "the lower edge of `node`");
    add("node-of-1025", "a node of 1025 GPUs is out of range", {3, 512, 1536, 2, 1025, 80}, "the upper edge of `node`");
    cases.push_back(seeded("fit-seeded", fit_drawn));
    return cases;
}

} // namespace assay::memory_judge
