// A contract with one of everything, and attempts at it in Python.
#ifndef ASSAY_TESTS_PYTHON_TOY_HPP
#define ASSAY_TESTS_PYTHON_TOY_HPP

#include "attempt/build_cache.hpp"
#include "attempt/worker_attempt.hpp"
#include "catch.hpp"
#include "python/build.hpp"

#include <assay/half.hpp>
#include <assay/list.hpp>
#include <assay/optional.hpp>
#include <assay/ranks.hpp>
#include <assay/tensor.hpp>
#include <assay/unset.hpp>
#include <assay/var.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace toy {

using assay::bfloat16;
using assay::communicator;
using assay::half;
using assay::list;
using assay::optional;
using assay::tensor;
using assay::Var;

enum class kind : std::int64_t { none = -1, plain, fancy };

struct order {
    std::int64_t count;
    double price;
    kind what;
    bool gift;
};
struct bill {
    double total = assay::unset;
    std::int64_t items = assay::unset_integer;
    kind what = kind::none;
    bool gift = false;
};
struct step {
    std::int64_t from, to;
};

bill charge(order one, optional<float> discount);
void scale_half(tensor<const half, 2> x, tensor<bfloat16, 2> y, float factor);
void pick(optional<tensor<const bool, 1>> mask, tensor<const std::int32_t, 1> x, tensor<std::int64_t, 1> y);
Var weighted(tensor<const Var, 2> x, tensor<const Var, 1> weights, double scale);
void total(communicator& group, tensor<const float, 1> x, tensor<float, 1> sum);

inline constexpr std::int64_t never = 7;

class walker {
  public:
    virtual ~walker() = default;
    virtual bill walk(std::int64_t length, list<step>& steps, list<std::int64_t>& marks) = 0;
};
walker* make_walker(std::int64_t stride);

} // namespace toy

#define ASSAY_RECORDS(RECORD)                                                                                          \
    RECORD(toy, order, count, price, what, gift)                                                                       \
    RECORD(toy, bill, total, items, what, gift)                                                                        \
    RECORD(toy, step, from, to)
#define ASSAY_CLASSES(CLASS) CLASS(toy, walker)
#define ASSAY_METHODS(METHOD) METHOD(toy, walker, walk, "length steps marks")
#define ASSAY_CONSTANTS(CONSTANT) CONSTANT(toy, never)
#define ASSAY_CONTRACT(FUNCTION)                                                                                       \
    FUNCTION(toy, charge, "one discount")                                                                              \
    FUNCTION(toy, scale_half, "x y factor")                                                                            \
    FUNCTION(toy, pick, "mask x y")                                                                                    \
    FUNCTION(toy, weighted, "x weights scale")                                                                         \
    FUNCTION(toy, total, "ranks x sum")                                                                                \
    FUNCTION(toy, make_walker, "stride")
#include "wire/describe.hpp"

namespace toy_python {

using namespace assay;
namespace fs = std::filesystem;

/// As a levels.cpp does it.
inline const Exercise& exercise() {
    static const Exercise made = [] {
        Exercise one;
        one.id = "toy";
        one.signatures = ASSAY_SIGNATURES();
        return one;
    }();
    return made;
}

/// As worker/describe.cpp does it.
inline Contract contract() {
    Contract contract;
    contract.exercise = "toy";
    assay::detail::Describer describer(contract);
    ASSAY_CONTRACT(ASSAY_DESCRIBE_FUNCTION)
    ASSAY_METHODS(ASSAY_DESCRIBE_METHOD)
    ASSAY_CLASSES(ASSAY_DESCRIBE_CLASS)
    ASSAY_CONSTANTS(ASSAY_DESCRIBE_CONSTANT)
    return contract;
}

/// Whether there is a Python to test with; says so where there is none.
inline bool there() {
    const Outcome<Interpreter> found = find_interpreter();
    if (!found) WARN("skipped: " << found.failure().reason);
    return found.ok();
}

inline TemporaryFolder new_folder() {
    Outcome<TemporaryFolder> made = TemporaryFolder::make(fs::temp_directory_path());
    if (!made) throw std::runtime_error(made.failure().reason);
    return std::move(*made);
}

inline Outcome<Built> build_text(const fs::path& folder, const std::string& text) {
    if (!write_file(folder / "toy.py", text)) throw std::runtime_error("the attempt could not be written");
    BuildOptions options;
    options.cache = folder / "cache";
    return build_python(folder / "toy.py", contract(), *find_interpreter(), options);
}

class Code {
  public:
    /// An attempt with this text; `limits` with a CPU limit of the test's own.
    explicit Code(const std::string& text, double cpu_seconds = 2);

    const Outcome<Built>& built() const { return built_; }
    WorkerAttempt& attempt() { return *attempt_; }

    /// The outputs by name, or the failure.
    Outcome<Answer> ask(const std::string& route, std::vector<Field> fields);
    /// The reason of the failure that the call must end in.
    Failure failure(const std::string& route, std::vector<Field> fields);

  private:
    TemporaryFolder folder_;
    Outcome<Built> built_;
    std::unique_ptr<WorkerAttempt> attempt_;
};

inline Code::Code(const std::string& text, double cpu_seconds)
    : folder_(new_folder()), built_(build_text(folder_.path(), text)) {
    if (!built_) return;
    WorkerSetup setup;
    setup.threads = 1;
    start_in_python(setup, *find_interpreter(), *built_);
    setup.cpu_seconds = cpu_seconds;
    attempt_ = std::make_unique<WorkerAttempt>(exercise(), setup);
}

inline Outcome<Answer> Code::ask(const std::string& route, std::vector<Field> fields) {
    if (!built_) FAIL(built_.failure().reason << "\n" << built_.failure().detail);
    Problem problem;
    problem.route = route;
    problem.fields = std::move(fields);
    return attempt_->answer(Level{}, problem);
}

inline Failure Code::failure(const std::string& route, std::vector<Field> fields) {
    const Outcome<Answer> answer = ask(route, std::move(fields));
    REQUIRE_FALSE(answer.ok());
    return answer.failure();
}

inline Field number(const std::string& name, double value) { return {name, value, {}}; }
inline Field integer(const std::string& name, std::int64_t value) { return {name, value, {}}; }
inline Field flag(const std::string& name, bool value) { return {name, value, {}}; }
inline Field absent(const std::string& name) { return {name, std::monostate{}, {}}; }
inline Field array(const std::string& name, Array value) { return {name, std::move(value), {}}; }

inline std::vector<double> values_of(const Answer& answer, const std::string& name) {
    const Array* found = answer.outputs.find(name);
    REQUIRE(found != nullptr);
    return found->values();
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace toy_python

#endif
