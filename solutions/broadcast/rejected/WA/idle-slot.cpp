// Every other slot passes until it is known what arrived.
// Level: plan
#include "contract.hpp"

#include <bitset>
#include <cstdlib>
#include <vector>

namespace broadcast {

namespace {

class sharing final : public planner {
  public:
    explicit sharing(network where)
        : net(where), has(where.receivers + 1), copies(where.chunks, 1), dead(where.receivers + 1, 0),
          in_rack(where.receivers + 1) {
        for (std::int64_t chunk = 0; chunk < where.chunks; ++chunk) has[0][chunk] = true;
    }

    void keep(std::int64_t node, std::int64_t chunk) {
        copies[chunk] += has[node][chunk] ? 0 : 1;
        has[node][chunk] = 1;
        if (net.rack_size > 0) in_rack[rack(node)][chunk] = 1;
    }

    void next(std::int64_t slot, tensor<const std::int64_t, 1> failed, tensor<const std::int64_t, 1> died,
              list<send>& sends) override {
        std::vector<char> good(last.size(), 1);
        for (std::size_t i = 0; i < std::size_t(failed.extent(0)); ++i) good[failed(i)] = 0;
        for (std::size_t i = 0; i < last.size(); ++i)
            if (good[i]) keep(last[i].to, last[i].chunk);
        for (std::size_t i = 0; i < std::size_t(died.extent(0)); ++i) dead[died(i)] = 1;
        last.clear();
        if (slot % 2 == 0) return;
        const std::int64_t n = net.receivers;
        std::vector<char> taken(n + 1, 0);
        std::vector<std::int64_t> entered(n + 1, 0), left(n + 1, 0); // by rack
        const std::int64_t turn = std::rand() % n;
        for (std::int64_t i = 0; i <= n; ++i) {
            const std::int64_t from = i == 0 ? 0 : 1 + (i + turn) % n, start = std::rand() % n;
            if (dead[from]) continue;
            for (std::int64_t j = 0; j < n; ++j) {
                const std::int64_t to = 1 + (start + j) % n;
                if (to == from || taken[to] || dead[to]) continue;
                const bool crosses = net.rack_size > 0 && (from == 0 || rack(from) != rack(to));
                if (crosses && (entered[rack(to)] == net.uplink || (from > 0 && left[rack(from)] == net.uplink)))
                    continue;
                const std::int64_t chunk = best(from, to, crosses);
                if (chunk < 0) continue;
                taken[to] = 1;
                if (crosses) {
                    ++entered[rack(to)];
                    if (from > 0) ++left[rack(from)];
                    in_rack[rack(to)][chunk] = 1;
                }
                last.push_back({from, to, chunk});
                break;
            }
        }
        for (const send& one : last) sends.push(one);
    }

  private:
    network net;
    std::vector<std::bitset<2000>> has; // by node
    std::vector<std::int64_t> copies;
    std::vector<char> dead;
    std::vector<std::bitset<2000>> in_rack; // by rack
    std::vector<send> last;

    std::int64_t rack(std::int64_t node) const { return (node - 1) / net.rack_size; }

    std::int64_t best(std::int64_t from, std::int64_t to, bool crosses) const {
        std::bitset<2000> useful = has[from] & ~has[to];
        if (crosses) useful &= ~in_rack[rack(to)];
        std::int64_t found = -1;
        if (useful.none()) return found;
        for (std::int64_t chunk = 0; chunk < net.chunks; ++chunk)
            if (useful[chunk] && (found < 0 || copies[chunk] < copies[found])) found = chunk;
        return found;
    }
};

} // namespace

planner* make_planner(network where) { return new sharing(where); }

} // namespace broadcast
