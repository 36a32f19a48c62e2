// What `memory` answers to input out of its range, at its edges, and past 64 bits.
#include "exercises/memory/ask.hpp"

#include <algorithm>

using namespace assay;
using namespace assay::memory_test;

namespace {

Value whole(std::int64_t count) { return count; }

/// A valid call of a route, the counts that may be 0, and those that must be 1 at least.
struct Route {
    std::string name;
    Values values;
    std::vector<std::string> from_zero, from_one;
};

const std::vector<Route>& routes() {
    static const std::vector<Route> all{
        {"forward", product(3, 5, 7, 16), {"m", "k", "n"}, {"bits"}},
        {"backward", with(product(3, 5, 7, 16), {{"policy", whole(1)}, {"dx_first", true}}), {"m", "k", "n"}, {"bits"}},
        {"training_state",
         {{"parameters", whole(1001)}, {"gpus", whole(7)}, {"stage", whole(0)}, {"fp32_gradients", true}},
         {"parameters"},
         {"gpus"}},
        {"parameters",
         {{"layers", whole(3)},
          {"d_model", whole(10)},
          {"heads", whole(6)},
          {"kv_heads", whole(1)},
          {"head_dim", whole(4)},
          {"hidden", whole(14)},
          {"vocab", whole(11)},
          {"positions", whole(9)},
          {"norms", whole(2)},
          {"gated", true},
          {"tied", false},
          {"final_norm", true},
          {"norm_bias", true},
          {"qk_norm", true},
          {"qkv_bias", true},
          {"dense_bias", true},
          {"bits", whole(16)}},
         {"layers", "hidden", "vocab", "positions", "norms"},
         {"d_model", "heads", "kv_heads", "head_dim", "bits"}},
        {"kv_cache",
         {{"layers", whole(5)},
          {"d_model", whole(48)},
          {"heads", whole(6)},
          {"kv_heads", whole(1)},
          {"head_dim", whole(16)},
          {"batch", whole(7)},
          {"tokens", whole(77)},
          {"bits", whole(16)}},
         {"layers", "batch", "tokens"},
         {"d_model", "heads", "kv_heads", "head_dim", "bits"}},
        {"activations",
         {{"layers", whole(3)},
          {"batch", whole(2)},
          {"sequence", whole(5)},
          {"d_model", whole(14)},
          {"heads", whole(7)},
          {"dropout", true},
          {"recomputed", whole(0)}},
         {"layers", "batch", "sequence"},
         {"d_model", "heads"}},
        {"split_matmul",
         with(product(5, 6, 9, 16), {{"by", whole(2)}, {"gpus", whole(3)}}),
         {"m", "k", "n"},
         {"bits", "gpus"}},
        {"first_stage",
         {{"layers", whole(12)},
          {"d_model", whole(24)},
          {"heads", whole(6)},
          {"sequence", whole(10)},
          {"micro_batch", whole(5)},
          {"micro_batches", whole(9)},
          {"tensor", whole(1)},
          {"pipeline", whole(1)},
          {"chunks", whole(1)},
          {"sequence_parallel", true},
          {"dropout", true},
          {"fp32_gradients", true},
          {"recomputed", whole(0)}},
         {},
         {"layers", "d_model", "heads", "sequence", "micro_batch", "micro_batches", "tensor", "pipeline", "chunks"}},
        {"least_gpus",
         {{"layers", whole(3)},
          {"d_model", whole(512)},
          {"hidden", whole(1536)},
          {"bytes_per_parameter", whole(2)},
          {"node", whole(8)},
          {"memory_gib", 80.0}},
         {},
         {"layers", "d_model", "hidden", "bytes_per_parameter", "node"}},
    };
    return all;
}

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

} // namespace

TEST_CASE("every count's lower edge is where the statement says, on every route") {
    for (const Route& route : routes()) {
        INFO(route.name);
        CHECK(Items(route.name, route.values).all_set());
        for (const std::string& name : route.from_zero) {
            INFO(name);
            CHECK(Items(route.name, changed(route.values, name, whole(0))).all_set());
            for (const std::int64_t below : {std::int64_t{-1}, smallest})
                CHECK(Items(route.name, changed(route.values, name, below)).all_unset());
        }
        for (const std::string& name : route.from_one) {
            INFO(name);
            const Items at_one(route.name, changed(route.values, name, whole(1)));
            CHECK(at_one.all_set());
            for (const std::int64_t below : {std::int64_t{0}, std::int64_t{-1}, smallest})
                CHECK(Items(route.name, changed(route.values, name, below)).all_unset());
        }
    }
}

TEST_CASE("a size of 0 has no bytes") {
    const Items empty("forward", product(0, 3, 7, 16));
    CHECK((empty["x"] == 0 && empty["y"] == 0 && empty["w"] == 42));
    CHECK(Items("kv_cache", changed(routes()[4].values, "tokens", whole(0)))["total_gib"] == 0);
    CHECK(Items("training_state", changed(routes()[2].values, "parameters", whole(0)))["total"] == 0);
}

TEST_CASE("products that pass 64 bits are the exact numbers, rounded") {
    const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    const double two63 = 0x1p63;
    CHECK(near(Items("forward", product(largest, largest, 1, 16))["x"], 2 * two63 * two63));
    CHECK(near(Items("training_state", changed(routes()[2].values, "parameters", largest))["total"], 18 * two63));
    CHECK(near(Items("kv_cache", changed(routes()[4].values, "tokens", largest))["sequence"], 320 * two63));
    CHECK(near(Items("activations", changed(routes()[5].values, "sequence", largest))["scores"],
               5 * 7 * 2 * two63 * two63));
    CHECK(near(Items("parameters", changed(routes()[3].values, "d_model", largest))["attention"], 56 * two63));
    CHECK(
        near(Items("first_stage", changed(routes()[7].values, "d_model", largest))["parameters"], 144 * two63 * two63));
    CHECK(near(Items("split_matmul", changed(routes()[6].values, "m", largest))["x"], 12 * two63));
    const std::vector<std::string> tied{"policy",   "stage",  "by",       "recomputed",
                                        "kv_heads", "tensor", "pipeline", "chunks"};
    for (const Route& route : routes())
        for (const auto& [name, value] : route.values) {
            const bool free = std::find(tied.begin(), tied.end(), name) == tied.end() && route.name != "least_gpus";
            if (free && std::holds_alternative<std::int64_t>(value))
                CHECK(Items(route.name, changed(route.values, name, largest)).all_set());
        }
    const Values& need = routes().back().values; // hidden as large as d_model: 2^125 bytes a matrix
    const Items huge("least_gpus", changed(changed(need, "d_model", largest), "hidden", largest));
    CHECK(near(huge["matrix"], 2 * two63 * two63));
    CHECK(std::isinf(huge["gpus"]));
}

TEST_CASE("memory must be a finite number above 0, a node at most 1024") {
    const Route& fit = routes().back();
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {0.0, -0.0, -1.0, inf, -inf, nan})
        CHECK(Items(fit.name, changed(fit.values, "memory_gib", bad)).all_unset());
    CHECK(Items(fit.name, changed(fit.values, "memory_gib", 0x1p-1000)).all_set());
    CHECK(Items(fit.name, changed(fit.values, "node", whole(1024))).all_set());
    CHECK(Items(fit.name, changed(fit.values, "node", whole(1025))).all_unset());
}

TEST_CASE("what must divide does") {
    const Values& cache = routes()[4].values;
    CHECK(Items("kv_cache", changed(cache, "kv_heads", whole(3))).all_set());
    CHECK(Items("kv_cache", changed(cache, "kv_heads", whole(4))).all_unset());
    CHECK(Items("kv_cache", changed(cache, "kv_heads", whole(12))).all_unset());
    const Values& plan = routes()[7].values;
    const auto plan_with = [&](std::int64_t tensor, std::int64_t pipeline, std::int64_t chunks, bool along) {
        return Items("first_stage",
                     changed(changed(changed(changed(plan, "tensor", tensor), "pipeline", pipeline), "chunks", chunks),
                             "sequence_parallel", along));
    };
    CHECK(plan_with(2, 3, 1, true).all_set());
    CHECK(plan_with(4, 1, 1, false).all_unset()); // heads
    CHECK(plan_with(3, 1, 1, true).all_unset());  // sequence
    CHECK(plan_with(3, 1, 1, false).all_set());
    CHECK(plan_with(1, 5, 1, false).all_unset()); // layers
    CHECK(plan_with(1, 3, 3, false).all_unset()); // chunks
    CHECK(plan_with(1, 3, 4, false).all_set());
    CHECK(plan_with(1, 2, 2, false).all_unset()); // 9 micro-batches
    CHECK(plan_with(1, 2, 1, false).all_set());
    CHECK(Items("first_stage", changed(changed(plan, "d_model", whole(25)), "tensor", whole(2))).all_unset());
}

TEST_CASE("a GPU that is full to the last byte fits, and one byte less does not") {
    const Values exact{{"layers", whole(3)},    {"d_model", whole(1024)},
                       {"hidden", whole(1024)}, {"bytes_per_parameter", whole(1024)},
                       {"node", whole(1)},      {"memory_gib", 3.0}};
    CHECK(Items("least_gpus", exact)["gpus"] == 1);
    CHECK(Items("least_gpus", changed(exact, "memory_gib", 3.0 - 1 / gib))["gpus"] == 2);
    CHECK(Items("least_gpus", changed(exact, "memory_gib", 1.0))["stages"] == 3);
    const Items none("least_gpus", changed(exact, "memory_gib", 1.0 - 1 / gib));
    for (const char* item : {"stages", "ranks", "tensor", "gpus"}) CHECK(std::isinf(none[item]));
    CHECK(none["least"] == 4);
}
