#include "commands/seeds.hpp"

#include "catalogue/files.hpp"
#include "catalogue/strict_table.hpp"
#include "commands/find_attempt.hpp"
#include "commands/stop.hpp"
#include "core/registry.hpp"
#include "report/text.hpp"

#include <fmt/format.h>
#include <limits>

namespace assay {

namespace {
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
}

std::uint64_t Seeds::of(const std::string& exercise) const {
    const auto found = own.find(exercise);
    return found != own.end() ? found->second : common;
}

Seeds read_seeds(std::uint64_t seed, const std::string& file) {
    Seeds seeds;
    seeds.common = seed;
    if (file.empty()) return seeds;
    bool ok = false;
    const std::string text = read_text(file, ok, 1 << 20);
    if (!ok) throw Stop(Exit::usage, fmt::format("the seed file {} cannot be read", printable(file)));
    const Outcome<StrictTable> table = parse_strict(text, file);
    if (!table) throw Stop(Exit::usage, table.failure().reason);
    seeds.hidden = true;
    try {
        table->only({"seed", "exercises"});
        seeds.common = static_cast<std::uint64_t>(table->whole("seed", 0, largest));
        if (!table->has("exercises")) return seeds;
        const StrictTable& own = table->table("exercises");
        std::vector<std::string> known;
        for (const std::string_view id : exercise_ids()) {
            known.emplace_back(id);
            if (own.has(id)) seeds.own[known.back()] = static_cast<std::uint64_t>(own.whole(id, 0, largest));
        }
        own.only(known);
    } catch (const TableFault& fault) {
        throw Stop(Exit::usage, fault.sentence);
    }
    return seeds;
}

} // namespace assay
