#include "commands/in_order.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>

namespace assay {

namespace {

class Pool {
  public:
    Pool(const std::vector<Task>& tasks, std::size_t threads)
        : tasks_(tasks), order_(tasks.size()), ended_(tasks.size(), 0) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return tasks_[a].urgency > tasks_[b].urgency; });
        try {
            for (std::size_t i = 0; i < std::min(std::max<std::size_t>(threads, 1), tasks.size()); ++i)
                threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            if (threads_.empty()) throw; // fewer than wanted will do
        }
    }

    ~Pool() {
        next_ = order_.size();
        for (std::thread& thread : threads_) thread.join();
    }

    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void wait_for(std::size_t task) {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return ended_[task] != 0; });
    }

  private:
    void work() {
        for (std::size_t i = next_++; i < order_.size(); i = next_++) {
            tasks_[order_[i]].work();
            const std::lock_guard lock(mutex_);
            ended_[order_[i]] = 1;
            ready_.notify_one();
        }
    }

    const std::vector<Task>& tasks_;
    std::vector<std::size_t> order_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::condition_variable ready_;
    std::vector<char> ended_;
    std::vector<std::thread> threads_; // last: they use all of the above
};

} // namespace

void run_in_order(const std::vector<Task>& tasks, std::size_t threads) {
    Pool pool(tasks, threads);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        pool.wait_for(i);
        tasks[i].done();
    }
}

} // namespace assay
