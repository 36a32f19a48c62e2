#include "roofline/measure_gpu.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace assay::roofline {

namespace {

constexpr double share_of_products = 0.7; // of the time
constexpr int fewest_runs = 16;           // that a rate takes, its warm-up with it

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr std::int64_t sizes[] = {1024, 2048, 4096, 8192, 16384};
constexpr std::size_t sizes_tried = 3;

double flops(std::int64_t n) { return 2 * std::pow(static_cast<double>(n), 3); }

/// What a right product's GpuWork::error stays below, for uniform inputs that are exact in their own type. float32 sums
/// of n terms come to sqrt(n) 2^-25, 2^-18 at 16384. TF32 rounds each factor to eleven bits, 2^-12 together; the
/// rounding of results is 2^-12 in float16 and 2^-9 in bfloat16. Each bound is eight times what is due, and fp32's as
/// far below what TF32 comes to.
double error_bound(Precision precision) {
    switch (precision) {
    case Precision::fp32: return std::ldexp(1, -15);
    case Precision::tf32: return std::ldexp(1, -8);
    case Precision::fp16: return std::ldexp(1, -9);
    case Precision::bf16: return std::ldexp(1, -6);
    }
    return 0;
}

class Session {
  public:
    Session(Gpu& gpu, const GpuOptions& options) : gpu_(gpu), options_(options) {
        report_.facts = gpu.facts();
        report_.free_bytes = gpu.free_bytes();
    }

    GpuReport measure() {
        for (const Precision one : options_.precisions) report_.products.push_back(product(one));
        for (const Transfer one : {Transfer::copy, Transfer::set, Transfer::to_device, Transfer::from_device})
            report_.transfers.push_back(transfer(one));
        return report_;
    }

  private:
    std::string too_little(const std::string& what) const {
        return fmt::format("too little memory of cuda:{} is free ({} MiB) for {}: end what else runs on it",
                           report_.facts.ordinal, report_.free_bytes / mib, what);
    }

    /// The largest sizes that memory and time have room for, rising.
    std::vector<std::int64_t> sizes_for(Precision precision, double seconds) {
        std::vector<std::int64_t> fitting;
        for (const std::int64_t n : sizes)
            if (static_cast<double>(3 * n * n * bytes_of(precision)) <= 0.9 * static_cast<double>(report_.free_bytes))
                fitting.push_back(n);
        if (fitting.empty()) return fitting;
        // The least size reaches less than the others' rate, so that they take less than is reckoned here.
        const auto least = gpu_.product(precision, fitting.front());
        const double rate = flops(fitting.front()) / GpuMeter(*least, seconds / 10).estimate();
        while (fitting.size() > 1 && flops(fitting.back()) * fewest_runs / rate > seconds) fitting.pop_back();
        if (fitting.size() > sizes_tried) fitting.erase(fitting.begin(), fitting.end() - sizes_tried);
        return fitting;
    }

    GpuProduct product(Precision precision) {
        GpuProduct best;
        best.precision = precision;
        if ((precision == Precision::tf32 || precision == Precision::bf16) && report_.facts.major < 8) {
            best.rate.refused =
                fmt::format("compute capability {}.{} does not multiply {}, which takes 8.0: measure it on another GPU",
                            report_.facts.major, report_.facts.minor, name_of(precision));
            return best;
        }
        best.rate.refused = too_little(fmt::format("a product of {} by {}", sizes[0], sizes[0]));
        const double seconds =
            options_.seconds * share_of_products / static_cast<double>(options_.precisions.size() * sizes_tried);
        try {
            for (const std::int64_t n : sizes_for(precision, seconds)) {
                const auto work = gpu_.product(precision, n);
                GpuProduct one{precision, n, GpuMeter(*work, seconds).measure(flops(n))};
                judge(one);
                if (!one.rate.refused.empty()) return one; // another size's rate would stand there in good faith
                if (one.rate.median() > best.rate.median()) best = one;
            }
        } catch (const GpuFault& fault) { // the smaller sizes have their rates
            if (!fault.out_of_memory) throw;
            if (best.size == 0) best.rate.refused = fault.sentence;
        }
        return best;
    }

    void judge(GpuProduct& one) const {
        std::string& refused = one.rate.refused;
        if (!refused.empty()) return;
        if (!(one.rate.error <= error_bound(one.precision)))
            refused =
                fmt::format("its product of {} by {} is wrong by {:.2g} of an element's size, and {} stays below "
                            "{:.2g}: update the driver and cuBLAS, and measure again",
                            one.size, one.size, one.rate.error, name_of(one.precision), error_bound(one.precision));
        else if (one.precision == Precision::tf32 && one.rate.error <= error_bound(Precision::fp32))
            refused =
                "cuBLAS multiplied in fp32 though TF32 was asked for: unset NVIDIA_TF32_OVERRIDE, where it is set";
    }

    GpuTransfer transfer(Transfer kind) {
        GpuTransfer one;
        one.transfer = kind;
        const bool within = kind == Transfer::copy || kind == Transfer::set;
        const std::int64_t l2 = report_.facts.l2_bytes;
        const std::int64_t wanted = within ? std::max(32 * l2, 256 * mib) : 256 * mib;
        const std::int64_t room = report_.free_bytes / 5 * 4 / (kind == Transfer::copy ? 2 : 1);
        one.bytes = std::min(wanted, room) / 4096 * 4096;
        if (one.bytes < (within ? std::max(4 * l2, mib) : mib)) {
            one.rate.refused =
                too_little(within ? "buffers of four times its L2 cache" : "a buffer worth timing a transfer of");
            return one;
        }
        const double seconds = options_.seconds * (1 - share_of_products) / 4;
        try {
            const auto work = gpu_.transfer(kind, one.bytes);
            const double amount = static_cast<double>(one.bytes) * (kind == Transfer::copy ? 2 : 1);
            one.rate = GpuMeter(*work, seconds).measure(amount);
        } catch (const GpuFault& fault) {
            if (!fault.out_of_memory) throw;
            one.rate.refused = fault.sentence;
        }
        if (one.rate.refused.empty() && !(one.rate.error <= 0))
            one.rate.refused = fmt::format("{:.2g} of the words looked at did not arrive: the rate would mean nothing; "
                                           "update the driver, and measure again",
                                           one.rate.error);
        return one;
    }

    Gpu& gpu_;
    const GpuOptions& options_;
    GpuReport report_;
};

} // namespace

double GpuReport::bandwidth() const {
    for (const GpuTransfer& one : transfers)
        if (one.transfer == Transfer::copy) return one.rate.median();
    return 0;
}

double GpuReport::ridge(const GpuProduct& product) const {
    return bandwidth() > 0 ? product.rate.median() / bandwidth() : 0;
}

Outcome<GpuReport> measure_gpu(Gpu& gpu, const GpuOptions& options) {
    try {
        GpuReport report = Session(gpu, options).measure();
        const auto refused = [](const auto& one) { return !one.rate.refused.empty(); };
        if (std::all_of(report.products.begin(), report.products.end(), refused) &&
            std::all_of(report.transfers.begin(), report.transfers.end(), refused))
            return Failure{Verdict::SKIP, "nothing could be measured: " + report.transfers.front().rate.refused};
        return report;
    } catch (const GpuFault& fault) {
        return Failure{Verdict::SKIP, fault.sentence};
    }
}

} // namespace assay::roofline
