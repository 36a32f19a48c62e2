// Lists a batch and forgets to set fire.
// Level: batcher
// Expect: batcher
#include "contract.hpp"

namespace batching {

namespace {

class forgetful_batcher : public batcher {
  public:
    decision on_arrival(std::int64_t, std::int64_t request, std::int64_t, list<std::int64_t>& batch) override {
        batch.push(request);
        return {};
    }
    decision on_completion(std::int64_t, ending, list<answer>&, list<std::int64_t>&, list<std::int64_t>&) override {
        return {};
    }
    decision on_timer(std::int64_t, list<std::int64_t>&) override { return {}; }
};

} // namespace

batcher* make_batcher(settings) { return new forgetful_batcher; }

} // namespace batching
