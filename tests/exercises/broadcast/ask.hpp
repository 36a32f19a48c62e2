// Asking the oracle of `broadcast` in tests.
#ifndef ASSAY_TESTS_BROADCAST_ASK_HPP
#define ASSAY_TESTS_BROADCAST_ASK_HPP

#include "catch.hpp"
#include "core/registry.hpp"

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace assay::broadcast_test {

inline const Exercise& broadcast() {
    const Exercise* exercise = find_exercise("broadcast");
    if (exercise == nullptr) throw std::logic_error("there is no exercise broadcast");
    return *exercise;
}

/// An oracle's answer, item by item.
class Answers {
  public:
    explicit Answers(const Problem& problem, std::string_view mistake = "", int form = 0)
        : truths_(*broadcast().oracle(problem, mistake, form)) {}
    double operator()(std::string_view name) const {
        for (const Truth& truth : truths_)
            if (truth.name == name) return truth.value.front();
        throw std::logic_error("there is no such item");
    }
    const Truths& all() const { return truths_; }

  private:
    Truths truths_;
};

inline Problem plan_problem(double size_gb, double link_gbps, std::int64_t receivers, std::int64_t chunks) {
    return {
        "plan_times",
        {{"size_gb", size_gb, {}}, {"link_gbps", link_gbps, {}}, {"receivers", receivers, {}}, {"chunks", chunks, {}}}};
}
inline Problem best_problem(double size_gb, double link_gbps, std::int64_t receivers, double latency_ms) {
    return {"best_chunks",
            {{"size_gb", size_gb, {}},
             {"link_gbps", link_gbps, {}},
             {"receivers", receivers, {}},
             {"latency_ms", latency_ms, {}}}};
}
inline Problem rack_problem(double size_gb, double link_gbps, std::int64_t racks, std::int64_t workers,
                            double oversubscription, std::int64_t chunks) {
    return {"rack_plans",
            {{"size_gb", size_gb, {}},
             {"link_gbps", link_gbps, {}},
             {"racks", racks, {}},
             {"workers", workers, {}},
             {"oversubscription", oversubscription, {}},
             {"chunks", chunks, {}}}};
}
inline Problem swarm_problem(double size_gb, double source_gbps, const std::vector<double>& upload_gbps,
                             const std::vector<double>& download_gbps) {
    const auto row = [](const std::vector<double>& values) {
        return Array::of(Dtype::f64, {static_cast<std::int64_t>(values.size())}, values);
    };
    return {"swarm_bound",
            {{"size_gb", size_gb, {}},
             {"source_gbps", source_gbps, {}},
             {"upload_gbps", row(upload_gbps), {"N"}},
             {"download_gbps", row(download_gbps), {"N"}}}};
}

/// Within some roundings of float64.
inline bool near(double a, double b) { return a == Approx(b).epsilon(1e-13).margin(0); }

} // namespace assay::broadcast_test

#endif
