// Level 1: the bound for unequal links.
#include "core/items.hpp"
#include "oracle_routes.hpp"

#include <algorithm>
#include <assay/unset.hpp>
#include <cmath>
#include <iterator>
#include <string>

namespace assay::broadcast_judge {

Truths swarm_bound(const Problem& problem, const Slips& on) {
    constexpr const char* legend = "0 source, 1 download, 2 upload";
    const std::vector<double> upload = problem.array("upload_gbps").values(),
                              download = problem.array("download_gbps").values();
    bool fine = within(number(problem, "size_gb"), least, most) && within(number(problem, "source_gbps"), least, most);
    for (const double u : upload) fine = fine && within(u, 0, most);
    for (const double d : download) fine = fine && within(d, least, most);
    if (!fine || upload.empty())
        return Items()
            .number("t_source", unset, "s")
            .number("t_download", unset, "s")
            .number("t_upload", unset, "s")
            .number("t_bound", unset, "s")
            .choice("binds", -1, legend)
            .take();

    const double bytes = bytes_of(number(problem, "size_gb"), on);
    const double source = rate_of(number(problem, "source_gbps"), on);
    const auto n = static_cast<double>(upload.size());
    double total = on("swarm-source-left-out") ? 0 : source, slowest = most, mean = 0;
    for (const double u : upload) total += rate_of(u, on);
    for (const double d : download) {
        slowest = std::min(slowest, d);
        mean += d / n;
    }
    const double copies = on("swarm-one-copy") ? 1 : n;
    const double times[] = {bytes / source, bytes / rate_of(on("swarm-mean-download") ? mean : slowest, on),
                            copies * bytes / total};
    const double* largest = std::max_element(std::begin(times), std::end(times)); // the first of equal ones
    return Items()
        .number("t_source", times[0], "s")
        .number("t_download", times[1], "s")
        .number("t_upload", times[2], "s", 32 + 2 * n)
        .number("t_bound", on("swarm-sum") ? times[0] + times[1] + times[2] : *largest, "s", 32 + 2 * n)
        .choice("binds", largest - times, legend)
        .take();
}

bool upload_stands_out(const Problem& problem) {
    const Truths truth = swarm_bound(problem, {});
    const double others = std::max(truth[0].value[0], truth[1].value[0]), upload = truth[2].value[0];
    return std::isnan(upload) || !(std::fabs(upload / others - 1) <= 1e-12);
}

} // namespace assay::broadcast_judge
