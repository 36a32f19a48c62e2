// assay hunt: lays a workspace whose code has bugs planted in it, fresh from a seed.
#ifndef ASSAY_COMMANDS_HUNT_HPP
#define ASSAY_COMMANDS_HUNT_HPP

#include "commands/stop.hpp"
#include "core/record.hpp"
#include "hunt/plant.hpp"
#include "report/style.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace assay {

struct HuntArguments {
    std::string hunt;
    std::string folder; // "" = ./<hunt>-hunt-<seed>
    int bugs = 3;
    std::optional<std::uint64_t> seed; // nothing = a fresh one
    std::string language = "cpp";
    ColorMode color = ColorMode::automatic;
};

Exit hunt_command(const HuntArguments& arguments);

/// The hunt whose workspace a source lies in.
struct HuntAtHand {
    const Hunt* hunt = nullptr;
    Template whole;
    Planted planted;
    HuntRecord record; // remaining and found still empty
};

/// Read from the hunt.toml beside `source`; nothing where there is none, or where it is of another exercise. Throws
/// Stop (usage) where the sheet is damaged or of another version of the hunt.
std::optional<HuntAtHand> hunt_at_hand(const std::string& exercise, const std::filesystem::path& source);

} // namespace assay

#endif
