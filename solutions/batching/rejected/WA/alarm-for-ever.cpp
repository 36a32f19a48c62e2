// Sets the alarm anew for the very instant at which it goes off, and so keeps the clock where it is.
// Level: batcher
// Expect: batcher
#include "contract.hpp"

namespace batching {

namespace {

class restless_batcher : public batcher {
  public:
    decision on_arrival(std::int64_t now, std::int64_t, std::int64_t, list<std::int64_t>&) override {
        return {false, false, now};
    }
    decision on_completion(std::int64_t, ending, list<answer>&, list<std::int64_t>&, list<std::int64_t>&) override {
        return {};
    }
    decision on_timer(std::int64_t now, list<std::int64_t>&) override { return {false, false, now}; }
};

} // namespace

batcher* make_batcher(settings) { return new restless_batcher; }

} // namespace batching
