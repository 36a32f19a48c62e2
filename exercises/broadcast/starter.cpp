// Your attempt at `broadcast`. README.md beside this file says what is asked; contract.hpp has the exact records.
//
// Everything here compiles and runs, and leaves every item unset, which is right for invalid input and wrong for all
// else. Fill the records from top to bottom: each item follows from those above it, and the report tells the first that
// is wrong. Any standard header is welcome.
#include "contract.hpp"

namespace broadcast {

// Level 1: GB and Gbit/s to bytes and bytes a second first, then each plan as a number of slots, then as a time.
plans plan_times(transfer job, std::int64_t chunks) {
    (void)job, (void)chunks;
    return {};
}

// Level 1: upload_gbps(i) is receiver i's upload, upload_gbps.extent(0) the number of receivers.
swarm swarm_bound(double size_gb, double source_gbps, tensor<const double, 1> upload_gbps,
                  tensor<const double, 1> download_gbps) {
    (void)size_gb, (void)source_gbps, (void)upload_gbps, (void)download_gbps;
    return {};
}

// Level 2: the slots are those of level 1, but a slot now lasts longer.
best best_chunks(transfer job, double latency_ms) {
    (void)job, (void)latency_ms;
    return {};
}

// Level 3: the racks, and what crosses their uplinks.
rack_times rack_plans(double size_gb, double link_gbps, cluster site, std::int64_t chunks) {
    (void)size_gb, (void)link_gbps, (void)site, (void)chunks;
    return {};
}

// Levels 4 and 5: what you know of who has what, and what you send. `next` is called once a slot; what you push in one
// call counts as received when the next call tells nothing against it.
class my_planner final : public planner {
  public:
    void next(std::int64_t slot, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
              list<send>& sends) override {
        (void)slot, (void)failed, (void)died, (void)sends; // sends.push({0, 1, 0}): node 0 sends node 1 chunk 0
    }
};

// Level 4: nobody but the source has anything.
planner* make_planner(network where) {
    (void)where;
    return new my_planner;
}

// Level 5: disk(n, c) says what node n has of chunk c. Nothing else is known of the time before.
planner* resume_planner(network where, tensor<const std::int32_t, 2> disk) {
    (void)where, (void)disk;
    return new my_planner;
}

} // namespace broadcast
