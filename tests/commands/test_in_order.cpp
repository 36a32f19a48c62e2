// Tasks end in any order and are told of in one.
#include "catch.hpp"

#include "commands/in_order.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace assay;

TEST_CASE("ends are told in the order of the list, on the caller's thread", "[commands]") {
    constexpr int count = 40;
    std::vector<Task> tasks;
    std::vector<int> told;
    std::atomic<int> worked{0};
    const auto here = std::this_thread::get_id();
    std::atomic<bool> elsewhere{true};
    for (int i = 0; i < count; ++i)
        tasks.push_back({[&, i] {
                             // the first ones last longest
                             std::this_thread::sleep_for(std::chrono::microseconds(50 * (count - i)));
                             if (std::this_thread::get_id() == here) elsewhere = false;
                             ++worked;
                         },
                         [&, i] {
                             CHECK(worked > i);
                             CHECK(std::this_thread::get_id() == here);
                             told.push_back(i);
                         },
                         i % 3});
    run_in_order(tasks, 4);
    CHECK(worked == count);
    CHECK(elsewhere);
    REQUIRE(told.size() == count);
    CHECK(std::is_sorted(told.begin(), told.end()));
}

TEST_CASE("what is urgent starts first, and what is alike in order", "[commands]") {
    std::vector<Task> tasks;
    std::vector<int> started;
    std::mutex mutex;
    const std::vector<int> urgencies{0, 5, 1, 5, 0, 1};
    for (int i = 0; i < 6; ++i)
        tasks.push_back({[&, i] {
                             const std::lock_guard lock(mutex);
                             started.push_back(i);
                         },
                         [] {}, urgencies[static_cast<std::size_t>(i)]});
    run_in_order(tasks, 1);
    CHECK(started == std::vector<int>{1, 3, 2, 5, 0, 4});
}

TEST_CASE("an exception while telling ends the run and reaches the caller", "[commands]") {
    std::atomic<int> worked{0}, told{0};
    std::vector<Task> tasks;
    for (int i = 0; i < 200; ++i)
        tasks.push_back({[&] {
                             std::this_thread::sleep_for(std::chrono::milliseconds(1));
                             ++worked;
                         },
                         [&, i] {
                             if (i == 3) throw std::runtime_error("full disk");
                             ++told;
                         },
                         0});
    CHECK_THROWS_WITH(run_in_order(tasks, 2), "full disk");
    CHECK(told == 3);
    CHECK(worked < 200);
}

TEST_CASE("no tasks, and fewer tasks than threads", "[commands]") {
    run_in_order({}, 3);
    int told = 0;
    run_in_order({{[] {}, [&] { ++told; }, 0}}, 3);
    CHECK(told == 1);
}
