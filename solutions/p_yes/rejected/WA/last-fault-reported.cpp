// Each check overwrites the state.
// Level: errors
#include "contract.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace p_yes {

namespace {

using ids = std::vector<int>;

double log_sum_exp(const std::vector<double>& x) {
    double largest = -INFINITY, sum = 0;
    for (double one : x) largest = std::max(largest, one);
    if (largest == -INFINITY) return largest;
    for (double one : x) sum += std::exp(one - largest);
    return largest + std::log(sum);
}

bool has(const ids& group, int id) { return std::find(group.begin(), group.end(), id) != group.end(); }

} // namespace

reading checked(tensor<const double, 1> logits, tensor<const std::int32_t, 1> yes, tensor<const std::int32_t, 1> no) {
    const int V = logits.extent(0);
    ids in_yes, in_no;
    for (int i = 0; i < yes.extent(0); ++i)
        if (!has(in_yes, yes(i))) in_yes.push_back(yes(i));
    for (int i = 0; i < no.extent(0); ++i)
        if (!has(in_no, no(i))) in_no.push_back(no(i));
    status state = status::ok;
    if (in_yes.empty() || in_no.empty()) state = status::empty_group;
    for (int id : in_yes)
        if (id < 0 || id >= V) state = status::id_out_of_range;
    for (int id : in_no)
        if (id < 0 || id >= V) state = status::id_out_of_range;
    for (int id : in_no)
        if (has(in_yes, id)) state = status::id_in_both;
    std::vector<double> all, of_yes, of_no;
    for (int v = 0; v < V; ++v) {
        if (std::isnan(logits(v)) || logits(v) == INFINITY) state = status::bad_logit;
        all.push_back(logits(v));
    }
    if (state != status::ok) return {state};
    const double normaliser = log_sum_exp(all);
    for (int id : in_yes) of_yes.push_back(all[id]);
    for (int id : in_no) of_no.push_back(all[id]);
    const double ly = log_sum_exp(of_yes) - normaliser, ln = log_sum_exp(of_no) - normaliser;
    if (log_sum_exp(of_yes) == -INFINITY && log_sum_exp(of_no) == -INFINITY) return {status::no_mass};
    return {status::ok, ly, ln, 1 / (1 + std::exp(ln - ly)), std::exp(ly) + std::exp(ln)};
}

} // namespace p_yes
