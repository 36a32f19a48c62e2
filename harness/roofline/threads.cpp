#include "roofline/threads.hpp"

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

namespace assay::roofline {

struct Threads::Crew {
    explicit Crew(int count) : start(count), end(count) {
        for (int part = 1; part < count; ++part)
            threads.emplace_back([this, part] {
                for (;;) {
                    start.arrive_and_wait();
                    if (job == nullptr) return;
                    (*job)(part);
                    end.arrive_and_wait();
                }
            });
    }

    std::barrier<> start, end;
    const std::function<void(int)>* job = nullptr; // written between end and start, when all others wait
    std::vector<std::thread> threads;
};

Threads::Threads(int count) : count_(count), crew_(std::make_unique<Crew>(count)) {}

Threads::~Threads() {
    crew_->job = nullptr;
    crew_->start.arrive_and_wait();
    for (std::thread& thread : crew_->threads) thread.join();
}

void Threads::run(const std::function<void(int)>& job) {
    crew_->job = &job;
    crew_->start.arrive_and_wait();
    job(0);
    crew_->end.arrive_and_wait();
}

Threads::Share Threads::share(int part, long total, long grain) const {
    const long grains = (total + grain - 1) / grain;
    const auto at = [&](int p) { return std::min(total, grains * p / count_ * grain); };
    return {at(part), at(part + 1)};
}

} // namespace assay::roofline
