// Problems of every route, made and drawn.
#include "cases.hpp"

#include "simulate/arrivals.hpp"

#include <algorithm>

namespace assay::batching_judge {

namespace {

Array whole_numbers(const std::vector<std::int64_t>& values) {
    const std::vector<double> numbers(values.begin(), values.end());
    return Array::of(Dtype::i64, {static_cast<std::int64_t>(values.size())}, numbers);
}

} // namespace

Case fixed(std::string id, std::string why, Problem problem, std::string stays) {
    return {std::move(id), std::move(why), [problem = std::move(problem)](std::uint64_t) { return problem; },
            std::move(stays)};
}

Problem plan_problem(const std::vector<std::int64_t>& service) {
    const char* const names[] = {"batch", "batch_time", "wait", "rate", "memory", "weights", "request_bytes"};
    Problem problem{"plan", {}};
    for (std::size_t i = 0; i < service.size(); ++i) problem.fields.push_back({names[i], service[i], {}});
    return problem;
}

Problem batcher_problem(const Run& run) {
    return {"batcher",
            {{"in_nanoseconds", run.in_nanoseconds, {}},
             {"max_batch", run.max_batch, {}},
             {"timeout", run.timeout, {}},
             {"queue", run.queue, {}},
             {"batch_time", run.batch_time, {}},
             {"arrivals", whole_numbers(run.arrivals), {"R"}}}};
}

Problem faults_problem(const Run& run, const Faults& faults) {
    Problem problem = batcher_problem(run);
    problem.route = "faults";
    const auto count = static_cast<std::int64_t>(run.arrivals.size());
    // As what is well, so that the simplest value of all is a run without poison.
    std::vector<double> healthy(run.arrivals.size(), 1);
    for (const std::int64_t request : faults.poison) healthy[static_cast<std::size_t>(request)] = 0;
    problem.fields.push_back({"token_budget", faults.token_budget, {}});
    problem.fields.push_back({"token_time", faults.token_time, {}});
    problem.fields.push_back({"lengths", whole_numbers(faults.lengths), {"R"}});
    problem.fields.push_back({"healthy", Array::of(Dtype::boolean, {count}, healthy), {"R"}});
    problem.fields.push_back({"deaths", whole_numbers(faults.deaths), {"D"}});
    return problem;
}

Problem load_test_problem(const Run& run) {
    const auto count = static_cast<std::int64_t>(run.arrivals.size());
    return {"load_test",
            {{"arrivals", whole_numbers(run.arrivals), {"R"}},
             {"max_batch", run.max_batch, {}},
             {"timeout", run.timeout, {}},
             {"batch_time", run.batch_time, {}},
             {"latencies", Array::zeros(Dtype::i64, {count}), {"R"}}}};
}

Problem best_timeout_problem(const Run& run, const std::vector<std::int64_t>& timeouts, std::int64_t slo) {
    return {"best_timeout",
            {{"arrivals", whole_numbers(run.arrivals), {"R"}},
             {"timeouts", whole_numbers(timeouts), {"T"}},
             {"max_batch", run.max_batch, {}},
             {"batch_time", run.batch_time, {}},
             {"slo", slo, {}}}};
}

Problem compare_problem(const std::vector<std::int64_t>& lengths, std::int64_t slots) {
    return {"compare", {{"lengths", whole_numbers(lengths), {"R"}}, {"slots", slots, {}}}};
}

Run long_day(Random& random, std::int64_t count) {
    Run run{4, 10 * millisecond, 12, 25 * millisecond, {}, true};
    run.arrivals = poisson_arrivals(random, 130, count - run.max_batch);
    const auto place = static_cast<std::size_t>(random.integer(count / 4, 3 * count / 4));
    // Long enough for the queue to have emptied before it, and after it.
    const Time quiet = second, begin = run.arrivals[place - 1] + quiet;
    for (std::size_t i = place; i < run.arrivals.size(); ++i) run.arrivals[i] += 2 * quiet;
    std::vector<Time> moment;
    for (std::int64_t i = 0; i + 1 < run.max_batch; ++i) moment.push_back(begin + i * millisecond);
    moment.push_back(begin + run.timeout);
    run.arrivals.insert(run.arrivals.begin() + static_cast<std::ptrdiff_t>(place), moment.begin(), moment.end());
    return run;
}

namespace {

/// Arrivals on a coarse grid, so that many fall on one instant and on that of a timer or a completion.
Run random_run(Random& random) {
    Run run;
    run.max_batch = random.integer(1, 5);
    run.timeout = random.integer(0, 12);
    run.queue = run.max_batch + random.integer(0, 4);
    run.batch_time = random.integer(1, 30);
    run.in_nanoseconds = random.chance(0.5);
    Time now = 0;
    for (std::int64_t left = random.integer(1, 40); left > 0; --left) {
        now += random.chance(0.3) ? 0 : random.chance(0.1) ? random.integer(20, 60) : random.integer(1, 8);
        run.arrivals.push_back(now);
    }
    return run;
}

} // namespace

Problem random_batcher_problem(Random& random) { return batcher_problem(random_run(random)); }

Problem random_faults_problem(Random& random) {
    Run run = random_run(random);
    run.max_batch = random.integer(1, 16);
    run.queue = run.max_batch + random.integer(0, 20);
    Faults faults{random.integer(10, 60), random.integer(0, 1), {}, {}, {}};
    for (std::size_t i = 0; i < run.arrivals.size(); ++i) {
        faults.lengths.push_back(random.integer(1, 10));
        if (random.chance(0.08)) faults.poison.push_back(static_cast<std::int64_t>(i));
    }
    for (std::int64_t batch = 0; batch < 40; ++batch)
        if (random.chance(0.1)) faults.deaths.push_back(batch);
    return faults_problem(run, faults);
}

Problem random_problem(std::uint64_t seed) {
    Random random(seed, "batching");
    switch (random.integer(0, 5)) {
    case 0: {
        std::vector<std::int64_t> service{random.integer(1, 200),     random.integer(1, 400) * millisecond,
                                          random.integer(0, 50),      random.integer(0, 5000),
                                          random.integer(0, 1 << 30), random.integer(0, 1 << 29),
                                          random.integer(1, 1 << 20)};
        if (random.chance(0.1)) service[static_cast<std::size_t>(random.integer(0, 6))] = -1;
        return plan_problem(service);
    }
    case 1: return random_batcher_problem(random);
    case 2: return random_faults_problem(random);
    case 3: return load_test_problem(random_run(random));
    case 4: {
        std::vector<std::int64_t> timeouts{random.integer(0, 3)};
        while (timeouts.size() < 6) timeouts.push_back(timeouts.back() + random.integer(1, 9));
        return best_timeout_problem(random_run(random), timeouts, random.integer(10, 90));
    }
    default: {
        std::vector<std::int64_t> lengths;
        for (std::int64_t left = random.integer(1, 30); left > 0; --left) lengths.push_back(random.integer(1, 60));
        return compare_problem(lengths, random.integer(1, 8));
    }
    }
}

} // namespace assay::batching_judge
