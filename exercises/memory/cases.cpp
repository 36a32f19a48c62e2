// Problems from named numbers.
#include "cases.hpp"

#include <utility>

namespace assay::memory_judge {

namespace {

using Named = std::pair<const char*, Value>;

Problem problem_of(const char* route, std::vector<Named> values) {
    Problem problem;
    problem.route = route;
    for (Named& value : values) problem.fields.push_back({value.first, std::move(value.second), {}});
    return problem;
}

std::vector<Named> fields_of(const Product& p) { return {{"m", p.m}, {"k", p.k}, {"n", p.n}, {"bits", p.bits}}; }

} // namespace

Problem forward_of(const Product& product) { return problem_of("forward", fields_of(product)); }

Problem backward_of(const Product& product, std::int64_t policy, bool dx_first) {
    std::vector<Named> fields = fields_of(product);
    fields.insert(fields.end(), {{"policy", policy}, {"dx_first", dx_first}});
    return problem_of("backward", std::move(fields));
}

Problem state_of(std::int64_t parameters, std::int64_t gpus, std::int64_t stage, bool fp32_gradients) {
    return problem_of(
        "training_state",
        {{"parameters", parameters}, {"gpus", gpus}, {"stage", stage}, {"fp32_gradients", fp32_gradients}});
}

Problem parameters_of(const Model& m, std::int64_t bits) {
    return problem_of("parameters", {{"layers", m.layers},
                                     {"d_model", m.d_model},
                                     {"heads", m.heads},
                                     {"kv_heads", m.kv_heads},
                                     {"head_dim", m.head_dim},
                                     {"hidden", m.hidden},
                                     {"vocab", m.vocab},
                                     {"positions", m.positions},
                                     {"norms", m.norms},
                                     {"gated", m.gated},
                                     {"tied", m.tied},
                                     {"final_norm", m.final_norm},
                                     {"norm_bias", m.norm_bias},
                                     {"qk_norm", m.qk_norm},
                                     {"qkv_bias", m.qkv_bias},
                                     {"dense_bias", m.dense_bias},
                                     {"bits", bits}});
}

Problem cache_of(const Cache& c) {
    return problem_of("kv_cache", {{"layers", c.layers},
                                   {"d_model", c.d_model},
                                   {"heads", c.heads},
                                   {"kv_heads", c.kv_heads},
                                   {"head_dim", c.head_dim},
                                   {"batch", c.batch},
                                   {"tokens", c.tokens},
                                   {"bits", c.bits}});
}

Problem activations_of(const Stack& s, bool dropout, std::int64_t recomputed) {
    return problem_of("activations", {{"layers", s.layers},
                                      {"batch", s.batch},
                                      {"sequence", s.sequence},
                                      {"d_model", s.d_model},
                                      {"heads", s.heads},
                                      {"dropout", dropout},
                                      {"recomputed", recomputed}});
}

Problem split_of(const Product& product, std::int64_t by, std::int64_t gpus) {
    std::vector<Named> fields = fields_of(product);
    fields.insert(fields.end(), {{"by", by}, {"gpus", gpus}});
    return problem_of("split_matmul", std::move(fields));
}

Problem stage_of(const Plan& p, std::int64_t recomputed) {
    return problem_of("first_stage", {{"layers", p.layers},
                                      {"d_model", p.d_model},
                                      {"heads", p.heads},
                                      {"sequence", p.sequence},
                                      {"micro_batch", p.micro_batch},
                                      {"micro_batches", p.micro_batches},
                                      {"tensor", p.tensor},
                                      {"pipeline", p.pipeline},
                                      {"chunks", p.chunks},
                                      {"sequence_parallel", p.sequence_parallel},
                                      {"dropout", p.dropout},
                                      {"fp32_gradients", p.fp32_gradients},
                                      {"recomputed", recomputed}});
}

Problem fit_of(const Demand& d) {
    return problem_of("least_gpus", {{"layers", d.layers},
                                     {"d_model", d.d_model},
                                     {"hidden", d.hidden},
                                     {"bytes_per_parameter", d.bytes_per_parameter},
                                     {"node", d.node},
                                     {"memory_gib", d.memory_gib}});
}

Case make_case(std::string id, std::string why, Problem problem, std::string stays) {
    Case one;
    one.id = std::move(id);
    one.why = std::move(why);
    one.stays = std::move(stays);
    one.make = [problem = std::move(problem)](std::uint64_t) { return problem; };
    return one;
}

} // namespace assay::memory_judge
