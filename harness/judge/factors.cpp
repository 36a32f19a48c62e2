#include "judge/factors.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace assay {

namespace {

class Table {
  public:
    Table(double ratio, double within) : ratio_(ratio), within_(within) {}

    /// `id` and `words` for the factor, and for its inverse.
    void add(double factor, const std::string& id, const std::string& words, const std::string& inverse_words) {
        if (!(factor > 0) || std::fabs(factor - 1) <= 4 * within_) return;
        if (is(factor)) found_.push_back({id, factor, words});
        if (is(1 / factor)) found_.push_back({"1/" + id, 1 / factor, inverse_words});
    }
    std::vector<Factor> take() { return std::move(found_); }

  private:
    double ratio_, within_;
    std::vector<Factor> found_;

    bool is(double factor) const { return std::fabs(ratio_ / factor - 1) <= within_; }
};

void constants(Table& table) {
    table.add(8, "bits", "8 times the right one, as where bits stand for bytes",
              "1/8 of the right one, as where bytes stand for bits");
    static constexpr std::array prefixes{"k", "M", "G", "T"};
    double thousands = 1, binary = 1;
    for (std::size_t power = 1; power <= prefixes.size(); ++power) {
        const std::string p(prefixes[power - 1]);
        thousands *= 1000;
        binary *= 1024;
        table.add(binary / thousands, p + "i",
                  fmt::format("{:.4g} times the right one, as where {}iB stands for {}B (1024 for 1000)",
                              binary / thousands, p, p),
                  fmt::format("{:.4g} times the right one, as where {}B stands for {}iB (1000 for 1024)",
                              thousands / binary, p, p));
        table.add(thousands, p, fmt::format("{:g} times the right one: a prefix of units ({}) too many", thousands, p),
                  fmt::format("1/{:g} of the right one: a prefix of units ({}) missing", thousands, p));
        table.add(binary, p + "iB", fmt::format("{:.0f} times the right one: 1024^{} too many", binary, power),
                  fmt::format("1/{:.0f} of the right one: 1024^{} missing", binary, power));
    }
    table.add(60, "minutes", "60 times the right one, as where seconds stand for minutes",
              "1/60 of the right one, as where minutes stand for seconds");
    table.add(3600, "hours", "3600 times the right one, as where seconds stand for hours",
              "1/3600 of the right one, as where hours stand for seconds");
    table.add(2, "two", "2 times the right one", "half the right one");
    table.add(4, "four", "4 times the right one", "a quarter of the right one");
}

} // namespace

std::vector<Factor> factors_of(const Problem& problem, double ratio, double within) {
    Table table(ratio, within);
    constants(table);
    for (const Field& field : problem.fields) {
        const auto* whole = std::get_if<std::int64_t>(&field.value);
        if (whole == nullptr || *whole < 2) continue;
        const auto n = static_cast<double>(*whole);
        const std::string& name = field.name;
        table.add(n, "times " + name, fmt::format("{} ({}) times the right one", name, *whole),
                  fmt::format("the right one divided by {} ({})", name, *whole));
        table.add(n * n, "times " + name + " squared", fmt::format("{}² ({}²) times the right one", name, *whole),
                  fmt::format("the right one divided by {}² ({}²)", name, *whole));
        table.add(n / (n - 1), "share of " + name,
                  fmt::format("{0}/({0} - 1) times the right one ({0} is {1})", name, *whole),
                  fmt::format("({0} - 1)/{0} of the right one ({0} is {1})", name, *whole));
    }
    return table.take();
}

} // namespace assay
