#include "catalogue/hunt_sheet.hpp"

#include "catalogue/strict_table.hpp"

#include <fmt/format.h>
#include <limits>

namespace assay {

std::string to_toml(const HuntSheet& sheet) {
    return fmt::format("# A bug hunt. assay check reads this file; leave it beside the source.\n"
                       "hunt = \"{}\"\nbugs = {}\nseed = {}\nlanguage = \"{}\"\nversion = \"{}\"\n",
                       sheet.hunt, sheet.bugs, sheet.seed, sheet.language, sheet.version);
}

Outcome<HuntSheet> parse_hunt_sheet(std::string_view text, const std::string& file) {
    const Outcome<StrictTable> parsed = parse_strict(text, file);
    if (!parsed) return Failure{Verdict::SKIP, parsed.failure().reason};
    try {
        parsed->only({"hunt", "bugs", "seed", "language", "version"});
        HuntSheet sheet;
        sheet.hunt = parsed->text("hunt");
        sheet.bugs = static_cast<int>(parsed->whole("bugs", 1, 100));
        sheet.seed = static_cast<std::uint64_t>(parsed->whole("seed", 0, std::numeric_limits<std::int64_t>::max()));
        sheet.language = parsed->one_of("language", {"cpp", "python"});
        sheet.version = parsed->text("version");
        return sheet;
    } catch (const TableFault& fault) {
        return Failure{Verdict::SKIP, fault.sentence};
    }
}

} // namespace assay
