// Planners and runs for tests of levels 4 and 5.
#ifndef ASSAY_TESTS_BROADCAST_PLANNERS_HPP
#define ASSAY_TESTS_BROADCAST_PLANNERS_HPP

#include "../solutions/broadcast/oracle_rarest.hpp"
#include "../solutions/broadcast/oracle_world.hpp"
#include "core/random.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace assay::broadcast_runs {

using broadcast_judge::Broken;
using broadcast_judge::Disk;
using broadcast_judge::Planner;
using broadcast_judge::Send;
using broadcast_judge::Setting;
using broadcast_judge::World;

inline Setting plan_setting(std::int64_t receivers, std::int64_t chunks, std::int64_t rack_size = 0,
                            std::int64_t uplink = 0) {
    Setting s;
    s.receivers = receivers, s.chunks = chunks, s.rack_size = rack_size, s.uplink = uplink;
    return s;
}
inline Setting fault_setting(std::int64_t receivers, std::int64_t chunks, std::int64_t corrupt, std::int64_t deaths,
                             std::int64_t restart, std::int64_t draws) {
    Setting s = plan_setting(receivers, chunks);
    s.faults = true, s.corrupt = corrupt, s.deaths = deaths, s.restart = restart, s.draws = draws;
    return s;
}

/// Says in each slot what `decide` gives.
class Scripted final : public Planner {
  public:
    using Decide = std::function<std::vector<Send>(std::int64_t slot, const std::vector<std::int64_t>& failed,
                                                   const std::vector<std::int64_t>& died)>;
    explicit Scripted(Decide decide) : decide_(std::move(decide)) {}
    std::vector<Send> next(std::int64_t slot, const std::vector<std::int64_t>& failed,
                           const std::vector<std::int64_t>& died) override {
        return decide_(slot, failed, died);
    }

  private:
    Decide decide_;
};

/// What a fixed list of slots breaks.
inline Broken broken_by(const Setting& setting, std::vector<std::vector<Send>> slots) {
    World world(setting, [&](const Disk&) {
        return std::make_unique<Scripted>([slots](std::int64_t slot, const auto&, const auto&) {
            const auto at = static_cast<std::size_t>(slot - 1);
            return at < slots.size() ? slots[at] : std::vector<Send>{};
        });
    });
    world.play();
    return world.broken();
}

inline std::unique_ptr<World> reference(const Setting& setting, const Slips& on = {}) {
    auto world = std::make_unique<World>(
        setting, [setting, on](const Disk& disk) { return broadcast_judge::rarest_first(setting, disk, on); });
    world->play();
    return world;
}

} // namespace assay::broadcast_runs

#endif
