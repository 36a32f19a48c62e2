#include "fuzz/targets.hpp"

#include "attempt/crash.hpp"
#include "attempt/source_scan.hpp"
#include "attempt/worker_reply.hpp"
#include "catalogue/hardware.hpp"
#include "catalogue/hunt_sheet.hpp"
#include "catalogue/models.hpp"
#include "catalogue/settings.hpp"
#include "commands/command_line.hpp"
#include "grade/fingerprint.hpp"
#include "grade/names.hpp"
#include "grade/plan.hpp"
#include "hunt/fragments.hpp"
#include "judge/spec.hpp"
#include "report/json.hpp"
#include "report/text.hpp"
#include "roofline/tokens.hpp"
#include "sandbox/policy.hpp"
#include "wire/argument.hpp"
#include "wire/message.hpp"

#include <array>
#include <cstdlib>
#include <msgpack.hpp>

using namespace assay;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

/// A parser says in one sentence what it does not take.
template <class T> void require_sentence(const Outcome<T>& outcome) {
    require(outcome.ok() || !outcome.failure().reason.empty());
}

/// Against msgpack's own reader: what ours takes, that one takes, with the same values.
void message(std::string_view bytes) {
    Reader reader(std::span(bytes.data(), bytes.size()));
    std::size_t at = 0;
    while (!reader.finished() && reader.ok()) {
        msgpack::object_handle handle;
        std::size_t next = at;
        bool readable = true;
        try {
            // Without arrays and maps, which it allocates by the count that is claimed.
            const msgpack::unpack_limit small(0, 0, bytes.size(), bytes.size(), bytes.size(), 1);
            handle = msgpack::unpack(bytes.data(), bytes.size(), next, nullptr, nullptr, small);
        } catch (const std::exception&) {
            readable = false;
        }
        const msgpack::type::object_type type = readable ? handle->type : msgpack::type::NIL;
        if (reader.take_nil()) {
            require(readable && type == msgpack::type::NIL);
        } else if (readable && type == msgpack::type::BOOLEAN) {
            const bool value = reader.boolean();
            require(!reader.ok() || value == handle->via.boolean);
        } else if (readable && type == msgpack::type::STR) {
            const std::string value = reader.text(64);
            require(!reader.ok() || value == handle->as<std::string>());
        } else if (readable && type == msgpack::type::EXT) {
            (void)reader.number();
        } else {
            const std::int64_t value =
                reader.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
            require(!reader.ok() || (readable && value == handle->as<std::int64_t>()));
        }
        at = next;
    }
    require(reader.ok() || !reader.error().empty());
}

/// What a worker under an attempt's control may send.
void reply(std::string_view bytes) {
    Signature function;
    function.name = "f";
    Parameter number, list;
    number.kind = Parameter::Kind::number;
    list.kind = Parameter::Kind::list;
    list.items = {number, number};
    list.items[1].kind = Parameter::Kind::integer;
    function.results = {number, number};
    function.results[1].kind = Parameter::Kind::boolean;
    function.parameters = {list};
    function.ranked = !bytes.empty() && (bytes.back() & 1) != 0;
    const std::span<const char> message(bytes.data(), bytes.size());
    if (const auto said = read_reply(message, function, 3); said && said->status == Status::done)
        require(said->results.size() >= 3 && said->results.size() <= bytes.size() + 16);
    if (const auto hello = read_hello(message, 5)) require(hello->loaded == (hello->has.size() == 5));
}

struct Pair {
    std::int64_t a;
    double b;
};

void called(tensor<const float, 2> x, optional<tensor<double, 1>> y, std::int32_t n, optional<bool> flag) {
    // Every element that the worker was given lies within the arena.
    float sum = static_cast<float>(n) + (flag && *flag ? 1.0f : 0.0f);
    for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(x.extent(0), 64); ++i)
        for (std::ptrdiff_t j = 0; j < std::min<std::ptrdiff_t>(x.extent(1), 64); ++j) sum += x(i, j);
    if (y)
        for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(y->extent(0), 64); ++i) (*y)(i) = sum;
}

/// What the judge sends, as the worker reads it: it trusts the judge no more than the other way round.
void call(std::string_view bytes) {
    static std::array<double, 64> memory;
    const Region regions[] = {{0, 256, 64, 96}, {256, 256, 256, 256}};
    const ArenaView arena{reinterpret_cast<std::byte*>(memory.data()), regions};
    Reader reader(std::span(bytes.data(), bytes.size()));
    Writer results;
    invoke<decltype(called)>::call(reinterpret_cast<void (*)()>(&called), reader, arena, results);
}

void policy(std::string_view bytes) {
    if (const auto read = decoded(bytes)) require(decoded(encoded(*read)).has_value());
}

void record(std::string_view text) {
    const Outcome<Record> record = record_from_json(text);
    require_sentence(record);
    if (record) require(record_from_json(to_json(*record)).ok());
}

void plan(std::string_view text) {
    const Outcome<Plan> plan = plan_from_json(text);
    require_sentence(plan);
    if (plan) require(plan_from_json(to_json(*plan)).ok());
}

void toml(std::string_view text) {
    require_sentence(parse_chips(text, "chips.toml"));
    require_sentence(parse_models(text, "models.toml"));
    require_sentence(parse_hunt_sheet(text, "hunt.toml"));
    require_sentence(parse_settings(text, "exercise.toml"));
}

void case_spec(std::string_view text) {
    const Outcome<CaseSpec> spec = parse_spec(text);
    require_sentence(spec);
    if (spec) {
        const Outcome<CaseSpec> again = parse_spec(spec->text());
        require(again.ok() && again->text() == spec->text());
    }
    require_sentence(roofline::parse_tokens(text));
}

void source(std::string_view text) {
    for (const IncludeDirective& include : find_includes(text)) require(include.line >= 1);
    leading_standard_headers(text);
    leading_known_headers(text, {}, std::string(text), [](const std::string& name) { return name.size() % 2 == 0; });
    fingerprint_of(text);
}

void foreign_text(std::string_view text) {
    const std::string safe = printable(text, Keep::newlines);
    for (const char c : safe) require(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
    require(printable(safe, Keep::newlines) == safe);
    without_escapes(text);
    display_width(text);
    for (const std::string& line : wrap(safe, 20)) require(line.find('\n') == std::string::npos);
    parse_sanitiser_report(text, "sdpa.cpp");
    require(plain_name(escaped_name(text)) == text);
    fingerprints_from(text);
}

void fragments(std::string_view text) {
    const Outcome<Template> whole =
        read_template({{"template.cpp", std::string(text)}, {"a/right.cpp", "1"}, {"a/bug.cpp", "2"}}, "cpp");
    require_sentence(whole);
    if (whole) {
        paste(*whole, {0});
        switched(*whole, "x");
    }
}

/// An argument a line. Nothing is run.
void command_line(std::string_view text) {
    std::vector<std::string> arguments;
    for (std::size_t at = 0; at <= text.size() && arguments.size() < 12;) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        arguments.emplace_back(text.substr(at, end - at));
        std::erase(arguments.back(), '\0');
        at = end + 1;
    }
    const std::string refusal = refusal_of(arguments);
    require(refusal.find("terminate") == std::string::npos);
}

constexpr FuzzTarget targets[] = {
    {"call", call},
    {"case_spec", case_spec},
    {"command_line", command_line},
    {"foreign_text", foreign_text},
    {"fragments", fragments},
    {"message", message},
    {"plan", plan},
    {"policy", policy},
    {"record", record},
    {"reply", reply},
    {"source", source},
    {"toml", toml},
};

} // namespace

std::span<const FuzzTarget> fuzz_targets() { return targets; }
