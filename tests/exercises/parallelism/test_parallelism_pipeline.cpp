// Bubble, live micro-batches and schedules of `parallelism` against a pipeline that is played tick by tick.
#include "exercises/parallelism/clock.hpp"
#include "judge/compare.hpp"

#include <limits>

using namespace assay;
using namespace assay::parallelism_test;

namespace {

/// A candidate whose orders are given.
class Writer final : public Caller {
  public:
    explicit Writer(Orders orders) : orders_(std::move(orders)) {}
    Outcome<std::vector<Array>> call(std::string_view function, std::span<const Argument> arguments) override {
        REQUIRE(function == "write_schedule");
        REQUIRE(arguments.size() == 4);
        REQUIRE(arguments[3].mode == Mode::out);
        Array order = std::get<Array>(arguments[3].value);
        for_each_index(order.extents, [&](const Index& at) {
            order.set(at,
                      static_cast<double>(orders_[static_cast<std::size_t>(at[0])][static_cast<std::size_t>(at[1])]));
        });
        return std::vector<Array>{order};
    }

  private:
    Orders orders_;
};

Outputs judged(std::int64_t kind, std::int64_t p, std::int64_t m, const Orders& orders) {
    Writer writer(orders);
    const Outcome<Outputs> outputs = level("schedules").script(writer, schedule_of(kind, p, m));
    REQUIRE(outputs);
    return *outputs;
}

double one(const Outputs& outputs, std::string_view name) {
    const Array* array = outputs.find(name);
    REQUIRE(array != nullptr);
    return array->values().front();
}

bool passes(std::int64_t kind, std::int64_t p, std::int64_t m, const Orders& orders) {
    return agrees(judged(kind, p, m, orders), truths_of(schedule_of(kind, p, m)));
}

Orders rows_of(const Run& played) {
    Orders orders;
    for (const Machine& machine : played.machines) orders.push_back(machine.done);
    return orders;
}

} // namespace

TEST_CASE("the statement's pipeline: p = 4, m = 8 has a bubble of 3/11, or 3/8 of useful time") {
    Plan plan;
    CHECK(value(truths_of(bubble_of(plan)), "fraction") == Approx(3.0 / 11).epsilon(1e-15));
    CHECK(value(truths_of(bubble_of(plan)), "peak_live") == 3);
    plan.of = 1;
    plan.kind = 0;
    CHECK(value(truths_of(bubble_of(plan)), "fraction") == Approx(3.0 / 8).epsilon(1e-15));
    CHECK(value(truths_of(bubble_of(plan)), "peak_live") == 8);
    const Truths schedule = truths_of(schedule_of(1, 4, 8));
    CHECK(value(schedule, "makespan") == 33);
    CHECK(item(schedule, "peak_live").value == std::vector<double>{4, 3, 2, 1});
}

TEST_CASE("the statement's times and the statement's order") {
    Plan plan;
    plan.forward = 0.25;
    plan.backward = 0.625;
    const Truths truths = truths_of(bubble_of(plan));
    CHECK(value(truths, "useful") == 7);
    CHECK(value(truths, "idle") == 2.625);
    CHECK(value(truths, "makespan") == 9.625);
    const Orders orders{{1, 2, 3, -1, 4, -2, -3, -4}, {1, 2, -1, 3, -2, 4, -3, -4}, {1, -1, 2, -2, 3, -3, 4, -4}};
    CHECK(passes(1, 3, 4, orders));
    const Outputs outputs = judged(1, 3, 4, orders);
    CHECK(one(outputs, "makespan") == 18);
    CHECK(one(outputs, "fraction") == Approx(1.0 / 3).epsilon(1e-15));
    CHECK(outputs.find("peak_live")->values() == std::vector<double>{3, 2, 1});
    // The walkthrough's warm-up that is one short: 54 units instead of 33.
    const auto brief = parallelism().oracle(schedule_of(1, 4, 8), "warm-up-short", 0);
    REQUIRE(brief);
    CHECK(value(*brief, "makespan") == 54);
}

TEST_CASE("bubble and peak are those of 200 random pipelines played tick by tick") {
    Random random(20, "pipelines");
    for (int trial = 0; trial < 200; ++trial) {
        Plan plan;
        plan.kind = random.integer(0, 1);
        plan.p = random.integer(1, 9);
        plan.m = random.integer(1, 20);
        plan.s = random.integer(0, plan.p - 1);
        const std::int64_t forward = random.integer(1, 7), backward = random.integer(1, 9);
        plan.forward = static_cast<double>(forward);
        plan.backward = static_cast<double>(backward);
        plan.of = random.integer(0, 1);
        plan.bytes = random.integer(0, 1000);
        INFO("kind " << plan.kind << " p " << plan.p << " m " << plan.m << " s " << plan.s << " times " << forward
                     << ", " << backward);
        const Run played = run(plan.p, plan.m, forward, backward, greedy(plan.kind, plan.p, plan.m));
        REQUIRE(played.ended);
        const Machine& machine = played.machines[static_cast<std::size_t>(plan.s)];
        const auto makespan = static_cast<double>(played.makespan), busy = static_cast<double>(machine.busy);
        const Truths truths = truths_of(bubble_of(plan));
        CHECK(value(truths, "makespan") == makespan);
        CHECK(value(truths, "useful") == busy);
        CHECK(value(truths, "idle") == makespan - busy);
        CHECK(value(truths, "fraction") == Approx((makespan - busy) / (plan.of == 1 ? busy : makespan)).epsilon(1e-14));
        CHECK(value(truths, "peak_live") == static_cast<double>(machine.peak));
        CHECK(value(truths, "peak_bytes") == static_cast<double>(machine.peak * plan.bytes));
    }
}

TEST_CASE("orders that a greedy pipeline made pass, whatever the micro-batches are called") {
    Random random(21, "orders");
    for (int trial = 0; trial < 100; ++trial) {
        const std::int64_t kind = random.integer(0, 1), p = random.integer(1, 8), m = random.integer(1, 14);
        INFO("kind " << kind << " p " << p << " m " << m);
        Orders orders = rows_of(run(p, m, 1, 2, greedy(kind, p, m)));
        CHECK(passes(kind, p, m, orders));
        std::vector<std::int64_t> names(static_cast<std::size_t>(m));
        for (std::int64_t k = 0; k < m; ++k) names[static_cast<std::size_t>(k)] = k + 1;
        for (std::size_t k = names.size(); k > 1; --k)
            std::swap(names[k - 1],
                      names[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(k) - 1))]);
        for (auto& row : orders)
            for (std::int64_t& entry : row)
                entry = (entry > 0 ? 1 : -1) * names[static_cast<std::size_t>(std::abs(entry) - 1)];
        CHECK(passes(kind, p, m, orders));
        // The one is not the other, save where their peaks agree.
        CHECK(passes(1 - kind, p, m, orders) == (m == 1));
    }
}

TEST_CASE("GPipe may go back from the last micro-batch") {
    CHECK(passes(0, 3, 2, {{1, 2, -2, -1}, {1, 2, -2, -1}, {1, 2, -2, -1}}));
    // The last stage turning round at once keeps its own makespan, but it is 1F1B there: its peak is 1.
    CHECK_FALSE(passes(0, 2, 2, {{1, 2, -1, -2}, {1, -1, 2, -2}}));
}

TEST_CASE("the first fault of an order is told with stage and step") {
    const Orders right{{1, 2, -1, 3, -2, -3}, {1, -1, 2, -2, 3, -3}};
    CHECK(passes(1, 2, 3, right));
    struct Wrong {
        std::size_t stage, step;
        std::int64_t entry;
        double fault;
    };
    for (const Wrong& wrong : {Wrong{0, 1, 0, 1}, Wrong{1, 2, 4, 1}, Wrong{1, 3, -4, 1}, Wrong{0, 3, 1, 1},
                               Wrong{1, 5, -1, 1}, Wrong{0, 2, -3, 2}, Wrong{1, 0, -1, 2}}) {
        Orders orders = right;
        orders[wrong.stage][wrong.step] = wrong.entry;
        const Outputs outputs = judged(1, 2, 3, orders);
        INFO("entry " << wrong.entry << " at stage " << wrong.stage << ", step " << wrong.step);
        CHECK(one(outputs, "fault") == wrong.fault);
        CHECK(one(outputs, "fault_stage") == static_cast<double>(wrong.stage));
        CHECK(one(outputs, "fault_step") == static_cast<double>(wrong.step));
        CHECK(one(outputs, "makespan") == std::numeric_limits<double>::infinity());
        CHECK(one(outputs, "fraction") == 1);
        CHECK(outputs.find("peak_live")->values() == std::vector<double>{0, 0});
    }
    // Stage 0 goes back before stage 1 has gone that far.
    const Outputs waits = judged(1, 2, 3, {{1, -1, 2, -2, 3, -3}, {1, 2, -1, 3, -2, -3}});
    CHECK(one(waits, "fault") == 3);
    CHECK(one(waits, "fault_stage") == 0);
    CHECK(one(waits, "fault_step") == 1);
    // A far entry must not pass for one near.
    CHECK(one(judged(1, 1, 1, {{1, std::numeric_limits<std::int64_t>::min()}}), "fault") == 1);
    CHECK(one(judged(1, 1, 1, {{std::int64_t{1} << 62, -1}}), "fault") == 1);
}

TEST_CASE("random orders: makespan, peaks and deadlocks are the clock's") {
    Random random(22, "random orders");
    int ended = 0, stuck = 0;
    for (int trial = 0; trial < 800; ++trial) {
        const std::int64_t kind = random.integer(0, 1), p = random.integer(1, 5), m = random.integer(1, 6);
        Orders orders = rows_of(run(p, m, 1, 2, greedy(kind, p, m)));
        for (std::int64_t swaps = random.integer(1, 6); swaps > 0;
             --swaps) { // neighbours, never a pair of one micro-batch
            auto& row = orders[static_cast<std::size_t>(random.integer(0, p - 1))];
            const auto i = static_cast<std::size_t>(random.integer(0, 2 * m - 2));
            if (row[i] != -row[i + 1]) std::swap(row[i], row[i + 1]);
        }
        const Run played = run(p, m, 1, 2, by_rows(orders));
        const Outputs outputs = judged(kind, p, m, orders);
        INFO("kind " << kind << " p " << p << " m " << m << " trial " << trial);
        (played.ended ? ended : stuck) += 1;
        REQUIRE(one(outputs, "fault") == (played.ended ? 0 : 3));
        if (played.ended) {
            CHECK(one(outputs, "makespan") == static_cast<double>(played.makespan));
            std::vector<double> peaks;
            for (const Machine& machine : played.machines) peaks.push_back(static_cast<double>(machine.peak));
            CHECK(outputs.find("peak_live")->values() == peaks);
        } else {
            std::size_t waiting = 0;
            while (played.machines[waiting].done.size() == orders[waiting].size()) ++waiting;
            CHECK(one(outputs, "fault_stage") == static_cast<double>(waiting));
            CHECK(one(outputs, "fault_step") == static_cast<double>(played.machines[waiting].done.size()));
        }
    }
    CHECK(ended > 200);
    CHECK(stuck > 50);
}

TEST_CASE("no order of 1F1B's peaks, or any other, ends before the stated makespan") {
    // The bound that the statement gives: the last stage starts after p - 1 forwards, works 3 m units, and p - 1
    // backwards follow. Tried on random valid orders.
    Random random(23, "lower bound");
    for (int trial = 0; trial < 300; ++trial) {
        const std::int64_t p = random.integer(1, 5), m = random.integer(1, 6);
        const Run played = run(p, m, 1, 2, [&](std::size_t, const Machine& machine) -> std::int64_t {
            std::vector<std::int64_t> able;
            for (std::int64_t k = 0; k < m; ++k) {
                const auto is_done = [&](std::int64_t entry) {
                    return std::find(machine.done.begin(), machine.done.end(), entry) != machine.done.end();
                };
                const auto at = static_cast<std::size_t>(k);
                if (machine.has_forward[at] != 0 && !is_done(k + 1)) able.push_back(k + 1);
                if (machine.has_backward[at] != 0 && !is_done(-k - 1)) able.push_back(-k - 1);
            }
            if (able.empty()) return 0;
            return able[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(able.size()) - 1))];
        });
        REQUIRE(played.ended);
        CHECK(played.makespan >= 3 * (m + p - 1));
    }
}
