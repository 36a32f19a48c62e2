#include "core/items.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

Items& Items::add(std::string name, double value, double bound, std::string unit, Dtype dtype) {
    Truth truth;
    truth.name = std::move(name);
    truth.value = {value};
    truth.bound = {bound};
    truth.dtype = dtype;
    truth.unit = std::move(unit);
    truths_.push_back(std::move(truth));
    return *this;
}

Items& Items::number(std::string name, double value, std::string unit, double ulps, double scale) {
    const double largest = std::max(std::fabs(value), std::fabs(scale));
    const double bound = std::isfinite(value) && std::isfinite(largest) ? ulps * 0x1p-53 * largest : 0;
    return add(std::move(name), value, bound, std::move(unit), Dtype::f64);
}

Items& Items::whole(std::string name, std::int64_t value, std::string unit) {
    return add(std::move(name), static_cast<double>(value), 0, std::move(unit), Dtype::i64);
}

Items& Items::choice(std::string name, std::int64_t value, const std::string& legend) {
    return add(std::move(name), static_cast<double>(value), 0, "(" + legend + ")", Dtype::i64);
}

Items& Items::flag(std::string name, bool value) { return add(std::move(name), value ? 1 : 0, 0, "", Dtype::boolean); }

Items& Items::tensor(std::string name, Index extents, std::vector<double> values, std::vector<double> bounds,
                     Dtype dtype) {
    Truth truth;
    truth.name = std::move(name);
    truth.extents = std::move(extents);
    truth.value = std::move(values);
    truth.bound = std::move(bounds);
    truth.dtype = dtype;
    truths_.push_back(std::move(truth));
    return *this;
}

} // namespace assay
