#include "roofline/cuda_gpu.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace assay::roofline {

namespace {

constexpr int looked_at = 64;           // elements of a result
constexpr unsigned poison = 0xffffffff; // NaN in every type

/// C = A' B, both read along their columns: the layout that tensor cores take in every type.
class Product final : public GpuWork {
  public:
    Product(const CudaSession& session, Precision precision, std::int64_t n)
        : session_(session), precision_(precision), n_(n), values_a_(precision, "a"), values_b_(precision, "b"),
          a_(session, bytes()), b_(session, bytes()), c_(session, bytes()) {
        a_.fill(values_a_);
        b_.fill(values_b_);
        c_.fill(poison);
    }

    GpuTime run(int count) override {
        return session_.time([&] {
            for (int i = 0; i < count; ++i) once();
        });
    }

    double error() override {
        const std::int64_t width = bytes_of(precision_);
        Random random(static_cast<std::uint64_t>(n_), "looked at");
        std::vector<std::byte> got(static_cast<std::size_t>(looked_at * width));
        std::array<std::int64_t, looked_at> row{}, column{};
        for (std::size_t i = 0; i < looked_at; ++i) {
            row[i] = random.integer(0, n_ - 1);
            column[i] = random.integer(0, n_ - 1);
            c_.read(got.data() + i * static_cast<std::size_t>(width), (row[i] + column[i] * n_) * width,
                    static_cast<std::size_t>(width));
        }
        session_.wait();
        double squares = 0;
        for (std::size_t i = 0; i < looked_at; ++i) {
            double truth = 0;
            for (std::int64_t k = 0; k < n_; ++k)
                truth += values_a_.at(row[i] * n_ + k) * values_b_.at(column[i] * n_ + k);
            squares +=
                std::pow(RandomValues::read(precision_, got.data() + i * static_cast<std::size_t>(width)) - truth, 2);
        }
        return std::sqrt(squares / looked_at / static_cast<double>(n_)) / RandomValues::mean_square;
    }

  private:
    std::int64_t bytes() const { return n_ * n_ * bytes_of(precision_); }

    void once() const {
        const float one = 1, zero = 0;
        const int n = static_cast<int>(n_);
        int type = cuda::fp32, compute = cuda::multiply_fp32;
        switch (precision_) {
        case Precision::fp32: compute = cuda::multiply_only_fp32; break; // no tensor core, whatever is set elsewhere
        case Precision::tf32: compute = cuda::multiply_tf32; break;
        case Precision::fp16: type = cuda::fp16; break;
        case Precision::bf16: type = cuda::bf16; break;
        }
        const auto address = [](const CudaSession::Memory& memory) { return reinterpret_cast<void*>(memory.at()); };
        session_.check_blas(session_.cublas().gemm(session_.blas_handle(), cuda::transposed, cuda::as_it_lies, n, n, n,
                                                   &one, address(a_), type, n, address(b_), type, n, &zero, address(c_),
                                                   type, n, compute, cuda::any_algorithm),
                            fmt::format("to multiply {}", name_of(precision_)));
    }

    const CudaSession& session_;
    Precision precision_;
    std::int64_t n_;
    RandomValues values_a_, values_b_;
    CudaSession::Memory a_, b_, c_;
};

class Move final : public GpuWork {
  public:
    Move(const CudaSession& session, Transfer transfer, std::int64_t bytes)
        : session_(session), transfer_(transfer), bytes_(bytes), values_(Precision::fp32, "moved"),
          device_(session, bytes), host_(nullptr, session.driver().free_host) {
        const bool host = transfer == Transfer::to_device || transfer == Transfer::from_device;
        if (host) host_ = session.pinned(bytes);
        if (transfer == Transfer::copy) {
            from_.emplace(session, bytes);
            from_->fill(values_);
        }
        if (transfer == Transfer::to_device) fill_host();
        if (transfer == Transfer::from_device) {
            std::memset(host_.get(), 0xff, static_cast<std::size_t>(bytes_));
            device_.fill(values_);
        } else {
            device_.fill(poison);
        }
    }

    GpuTime run(int count) override {
        return session_.time([&] {
            for (int i = 0; i < count; ++i) session_.check(once(), "to move memory");
        });
    }

    double error() override {
        const std::int64_t words = bytes_ / 4;
        Random random(static_cast<std::uint64_t>(bytes_), "looked at");
        std::array<std::uint32_t, looked_at> got{}, due{};
        for (std::size_t i = 0; i < looked_at; ++i) {
            const std::int64_t word = i == 0 ? words - 1 : random.integer(0, words - 1);
            if (transfer_ == Transfer::from_device)
                std::memcpy(&got[i], static_cast<const std::byte*>(host_.get()) + 4 * word, 4);
            else
                device_.read(&got[i], 4 * word, 4);
            if (transfer_ == Transfer::set)
                due[i] = pattern;
            else
                std::memcpy(&due[i], values_.data() + 4 * (word % RandomValues::period), 4);
        }
        session_.wait();
        int wrong = 0;
        for (std::size_t i = 0; i < looked_at; ++i) wrong += got[i] != due[i];
        return static_cast<double>(wrong) / looked_at;
    }

  private:
    static constexpr unsigned pattern = 0x3f9d70a4; // any

    void fill_host() {
        auto* to = static_cast<std::byte*>(host_.get());
        const auto size = static_cast<std::size_t>(bytes_);
        for (std::size_t at = 0; at < size; at += values_.size())
            std::memcpy(to + at, values_.data(), std::min(values_.size(), size - at));
    }

    int once() const {
        const CudaDriver& driver = session_.driver();
        const auto size = static_cast<std::size_t>(bytes_);
        switch (transfer_) {
        case Transfer::copy: return driver.copy(device_.at(), from_->at(), size, session_.stream());
        case Transfer::set: return driver.set(device_.at(), pattern, size / 4, session_.stream());
        case Transfer::to_device: return driver.to_device(device_.at(), host_.get(), size, session_.stream());
        case Transfer::from_device: return driver.from_device(host_.get(), device_.at(), size, session_.stream());
        }
        return cuda::success;
    }

    const CudaSession& session_;
    Transfer transfer_;
    std::int64_t bytes_;
    RandomValues values_;
    CudaSession::Memory device_;
    std::optional<CudaSession::Memory> from_; // of a copy within the device
    CudaHandle host_;
};

class CudaGpu final : public Gpu {
  public:
    CudaGpu(const CudaDriver& driver, const Cublas& blas, int ordinal, HostClock clock)
        : session_(driver, blas, ordinal, std::move(clock)) {
        facts_.ordinal = ordinal;
        int device = 0;
        std::size_t bytes = 0;
        std::array<char, 256> name{};
        ask(driver.device(&device, ordinal));
        ask(driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device));
        ask(driver.device_memory(&bytes, device));
        facts_.name = name.data();
        facts_.memory_bytes = static_cast<std::int64_t>(bytes);
        const auto attribute = [&](int which) {
            int value = 0;
            ask(driver.device_attribute(&value, which, device));
            return value;
        };
        facts_.major = attribute(cuda::major);
        facts_.minor = attribute(cuda::minor);
        facts_.processors = attribute(cuda::processors);
        facts_.l2_bytes = attribute(cuda::l2_bytes);
        facts_.driver = fmt::format("{}.{}", driver.version / 1000, driver.version % 1000 / 10);
        int version = 0; // 130100 for 13.1.0, 11402 for 11.4.2
        session_.check_blas(blas.version_of(session_.blas_handle(), &version), "to tell its version");
        const int scale = version >= 100'000 ? 10'000 : 1000;
        facts_.blas = fmt::format("{}.{}.{}", version / scale, version % scale / 100, version % 100);
    }

    const GpuFacts& facts() const override { return facts_; }

    std::int64_t free_bytes() override {
        std::size_t free = 0, all = 0;
        session_.check(session_.driver().memory_info(&free, &all), "to tell its free memory");
        return static_cast<std::int64_t>(free);
    }

    std::unique_ptr<GpuWork> product(Precision precision, std::int64_t n) override {
        return std::make_unique<Product>(session_, precision, n);
    }
    std::unique_ptr<GpuWork> transfer(Transfer transfer, std::int64_t bytes) override {
        return std::make_unique<Move>(session_, transfer, bytes);
    }

  private:
    void ask(int error) const { session_.check(error, "to tell of itself"); }

    CudaSession session_;
    GpuFacts facts_;
};

} // namespace

double monotonic_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Outcome<std::unique_ptr<Gpu>> open_gpu(const CudaDriver& driver, const Cublas& blas, int ordinal, HostClock clock) {
    int count = 0;
    if (driver.device_count(&count) != cuda::success || count <= 0)
        return Failure{Verdict::SKIP,
                       "the CUDA driver shows no GPU (see nvidia-smi -L and CUDA_VISIBLE_DEVICES): measure where "
                       "there is one"};
    if (ordinal >= count)
        return Failure{
            Verdict::SKIP,
            fmt::format("there is no cuda:{} here: the driver shows {}", ordinal,
                        count == 1 ? "one GPU, cuda:0" : fmt::format("{} GPUs, cuda:0 to cuda:{}", count, count - 1))};
    try {
        return std::unique_ptr<Gpu>(std::make_unique<CudaGpu>(driver, blas, ordinal, std::move(clock)));
    } catch (const GpuFault& fault) {
        return Failure{Verdict::SKIP, fault.sentence};
    }
}

} // namespace assay::roofline
