#include "attempt/worker_attempt.hpp"

#include "attempt/arena.hpp"
#include "attempt/default_script.hpp"
#include "attempt/peak_memory.hpp"
#include "attempt/same_core.hpp"
#include "attempt/worker_process.hpp"
#include "wire/message.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <span>

namespace assay {

namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 30; // sparse: only touched pages take memory

/// The argument as a parameter of this kind takes it, or why it cannot.
std::string unfit(const Parameter& parameter, const Argument& argument) {
    const Value& value = argument.value;
    if (parameter.kind == Parameter::Kind::list)
        return std::holds_alternative<std::monostate>(value) ? "" : "is a list, which takes no value";
    if (std::holds_alternative<std::monostate>(value)) return parameter.optional ? "" : "is absent";
    switch (parameter.kind) {
    case Parameter::Kind::boolean: return std::holds_alternative<bool>(value) ? "" : "is not a flag";
    case Parameter::Kind::integer: return std::holds_alternative<std::int64_t>(value) ? "" : "is not an integer";
    case Parameter::Kind::number: return std::holds_alternative<double>(value) ? "" : "is not a number";
    case Parameter::Kind::list:
    case Parameter::Kind::tensor: break;
    }
    const Array* array = std::get_if<Array>(&value);
    if (array == nullptr) return "is not a tensor";
    if (array->dtype != parameter.dtype) return "has another element type";
    if (static_cast<int>(array->rank()) != parameter.rank) return "has another rank";
    if ((argument.mode == Mode::in) == parameter.writable) return "is passed in another direction than the contract's";
    return "";
}

} // namespace

class WorkerAttempt::Impl final : public Caller {
  public:
    Impl(const Exercise& exercise, WorkerSetup setup) : exercise_(exercise), setup_(std::move(setup)) {}

    Outcome<Done> ensure_worker() {
        if (worker_) return Done{};
        // An arena of its own as well: what a worker wrote far out in it, the next one must not find.
        Outcome<std::unique_ptr<Arena>> made = Arena::make(arena_bytes);
        if (!made) return made.failure();
        arena_ = std::move(*made);
        arena_->begin_call(0, false);
        Outcome<std::unique_ptr<WorkerProcess>> started =
            WorkerProcess::start(setup_, *arena_, exercise_.signatures.size());
        if (!started) return started.failure();
        worker_ = std::move(*started);
        return Done{};
    }

    Outcome<std::vector<std::string>> missing() {
        if (const Outcome<Done> ready = ensure_worker(); !ready) return ready.failure();
        std::vector<std::string> names;
        for (std::size_t i = 0; i < exercise_.signatures.size(); ++i)
            if (!worker_->has()[i]) names.push_back(exercise_.signatures[i].name);
        return names;
    }

    void retire() {
        if (!worker_) return;
        printed_ += worker_->take_printed();
        last_words_ = worker_->all_printed();
        worker_.reset();
    }

    void fresh() {
        retire();
        // The first answer of a level lies flush against the guard page before it. Not so after a crash: what is asked
        // then (a smaller case, most often) should fail the same way.
        flush_start_ = !crashed_;
        crashed_ = false;
    }

    Outcome<Answer> answer(const Level& level, const Problem& problem) {
        findings_.clear();
        std::optional<SameCore> core;
        if (talks_a_lot(level) && ensure_worker()) core.emplace(worker_->pid());
        seconds_ = 0;
        device_.clear();
        Outcome<Outputs> outputs =
            level.script ? level.script(*this, problem) : call_route(*this, exercise_.signatures, problem);
        if (core) core->restore(worker_ ? worker_->pid() : -1);
        flush_start_ = false;
        if (worker_) printed_ += worker_->take_printed();
        if (!outputs) {
            crashed_ = true;
            retire();
            return outputs.failure();
        }
        return Answer{std::move(*outputs), std::move(findings_), seconds_, std::move(device_)};
    }

    Outcome<std::vector<Array>> call(std::string_view function, std::span<const Argument> arguments) override {
        const auto& signatures = exercise_.signatures;
        const auto found = std::find_if(signatures.begin(), signatures.end(),
                                        [&](const Signature& one) { return one.name == function; });
        if (found == signatures.end() || found->parameters.size() != arguments.size())
            return Failure{Verdict::JE,
                           fmt::format("the exercise calls {} with {} arguments, which is not its contract", function,
                                       arguments.size())};
        if (const Outcome<Done> ready = ensure_worker(); !ready) return ready.failure();
        const auto index = static_cast<std::size_t>(found - signatures.begin());
        if (!worker_->has()[index]) return Failure{Verdict::CE, fmt::format("{} is not defined", function)};
        poison_ ^= 1;
        arena_->begin_call(poison_, flush_start_);
        Writer body;
        std::vector<std::size_t> returned;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (const std::string why = unfit(found->parameters[i], arguments[i]); !why.empty())
                return Failure{Verdict::JE, fmt::format("the exercise's argument '{}' of {} {}",
                                                        found->parameters[i].name, function, why)};
            if (const Outcome<Done> written = write(body, found->parameters[i], arguments[i], returned); !written)
                return written.failure();
        }
        const std::int64_t ranks = found->ranked ? std::get<std::int64_t>(arguments.front().value) : 0;
        const double spent = worker_->spent();
        DeviceTimes times;
        const Outcome<std::vector<double>> results =
            worker_->call(message(index, body), *found, ranks, setup_.timed ? &times : nullptr);
        if (setup_.timed) device_.push_back(times);
        seconds_ += worker_->spent() - spent;
        all_seconds_ += worker_->spent() - spent;
        if (!results) {
            printed_ += worker_->take_printed();
            return results.failure();
        }
        for (Finding& finding : arena_->inspect()) findings_.push_back(std::move(finding));
        std::vector<Array> arrays;
        for (const std::size_t placed : returned) arrays.push_back(arena_->read(placed));
        auto value = results->begin();
        for (const Parameter& field : found->results)
            arrays.push_back(Array::of(field.dtype, {}, std::span(value++, 1)));
        for (const Parameter& list : found->parameters) {
            if (list.kind != Parameter::Kind::list) continue;
            const auto items = static_cast<std::int64_t>(*value++),
                       fields = static_cast<std::int64_t>(list.items.size());
            const auto numbers = static_cast<std::size_t>(items * fields);
            arrays.push_back(Array::of(Dtype::f64, {items, fields}, std::span(value, numbers)));
            value += items * fields;
        }
        if (found->ranked)
            for (std::size_t i = 0; i < std::size(ranked_results); ++i, value += ranks)
                arrays.push_back(Array::of(Dtype::f64, {ranks}, std::span(value, static_cast<std::size_t>(ranks))));
        return arrays;
    }

    Outcome<double> empty_call() {
        static const Signature nothing{"the empty call", "", "", {}, {}};
        if (const Outcome<Done> ready = ensure_worker(); !ready) return ready.failure();
        const double spent = worker_->spent();
        if (const auto done = worker_->call(message(exercise_.signatures.size(), Writer()), nothing, 0); !done)
            return done.failure();
        return worker_->spent() - spent;
    }

    Outcome<std::int64_t> peak_bytes(std::string_view function, std::span<const Argument> arguments) override {
        return peak_of([&] { return call(function, arguments); });
    }

    Outcome<std::int64_t> peak_bytes(const Level& level, const Problem& problem) {
        return peak_of([&] { return answer(level, problem); });
    }

    std::string take_printed() { return std::exchange(printed_, {}); }
    double spent() const { return all_seconds_; }
    const std::string& last_words() const { return last_words_; }

  private:
    /// The first time maps the tensors' pages and the libraries' code into the worker; the second is measured.
    template <class Ask> Outcome<std::int64_t> peak_of(const Ask& ask) {
        retire();
        flush_start_ = false; // both times the same pages
        if (const Outcome<Done> ready = ensure_worker(); !ready) return ready.failure();
        PeakMemory memory(worker_->pid());
        if (const auto first = ask(); !first) return first.failure();
        if (const Outcome<Done> reset = memory.reset(); !reset) return reset.failure();
        if (const auto second = ask(); !second) return second.failure();
        return memory.peak(arena_->touched_bytes());
    }

    /// A run that asks an object again and again; an attempt that may use several threads needs their cores.
    bool talks_a_lot(const Level& level) const {
        return level.script && setup_.threads == 1 &&
               std::any_of(exercise_.signatures.begin(), exercise_.signatures.end(),
                           [](const Signature& one) { return one.method; });
    }

    Outcome<Done> write(Writer& body, const Parameter& parameter, const Argument& argument,
                        std::vector<std::size_t>& returned) {
        const Value& value = argument.value;
        if (parameter.kind == Parameter::Kind::list) return Done{};
        if (std::holds_alternative<std::monostate>(value))
            body.nil();
        else if (const bool* flag = std::get_if<bool>(&value))
            body.boolean(*flag);
        else if (const std::int64_t* integer = std::get_if<std::int64_t>(&value))
            body.integer(*integer);
        else if (const double* number = std::get_if<double>(&value))
            body.number(*number);
        else {
            const Array& array = std::get<Array>(value);
            const Outcome<Region> region = arena_->place(parameter.name, array, argument.mode);
            if (!region) return region.failure();
            if (argument.mode != Mode::in) returned.push_back(arena_->placed() - 1);
            body.integer(static_cast<std::int64_t>(array.dtype));
            body.integer(static_cast<std::int64_t>(array.rank()));
            body.integer(region->data);
            for (const std::int64_t extent : array.extents) body.integer(extent);
            for (const std::int64_t stride : array.strides) body.integer(stride);
        }
        return Done{};
    }

    /// Regions and function index go before the arguments, but are known only after they were placed.
    std::vector<char> message(std::size_t function, const Writer& body) const {
        Writer head;
        head.integer(static_cast<std::int64_t>(arena_->placed()));
        for (std::size_t i = 0; i < arena_->placed(); ++i) {
            const Region& region = arena_->region(i);
            for (const std::int64_t number : {region.offset, region.length, region.data, region.data_length})
                head.integer(number);
        }
        head.integer(static_cast<std::int64_t>(function));
        std::vector<char> bytes(head.bytes().begin(), head.bytes().end());
        bytes.insert(bytes.end(), body.bytes().begin(), body.bytes().end());
        return bytes;
    }

    const Exercise& exercise_;
    WorkerSetup setup_;
    std::unique_ptr<Arena> arena_;
    std::unique_ptr<WorkerProcess> worker_;
    std::vector<Finding> findings_;
    std::string printed_;
    std::string last_words_;
    std::vector<DeviceTimes> device_; // of the latest answer's calls, where they are timed on a device
    double seconds_ = 0;              // of the latest answer's calls
    double all_seconds_ = 0;          // of all calls
    int poison_ = 0;
    bool flush_start_ = false;
    bool crashed_ = false;
};

WorkerAttempt::WorkerAttempt(const Exercise& exercise, WorkerSetup setup)
    : impl_(std::make_unique<Impl>(exercise, std::move(setup))) {}
WorkerAttempt::~WorkerAttempt() = default;

Outcome<std::vector<std::string>> WorkerAttempt::missing_functions() { return impl_->missing(); }
void WorkerAttempt::fresh() { impl_->fresh(); }
Outcome<Answer> WorkerAttempt::answer(const Level& level, const Problem& problem) {
    return impl_->answer(level, problem);
}
Outcome<double> WorkerAttempt::empty_call() { return impl_->empty_call(); }
Outcome<std::int64_t> WorkerAttempt::peak_bytes(const Level& level, const Problem& problem) {
    return impl_->peak_bytes(level, problem);
}
std::string WorkerAttempt::printed() { return impl_->take_printed(); }
double WorkerAttempt::spent() const { return impl_->spent(); }
const std::string& WorkerAttempt::last_words() const { return impl_->last_words(); }

} // namespace assay
