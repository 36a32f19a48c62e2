// Which mistakes of an oracle are switched on.
#ifndef ASSAY_CORE_SLIPS_HPP
#define ASSAY_CORE_SLIPS_HPP

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// One mistake in one form.
struct Slip {
    std::string mistake;
    int form = 0;
};

/// Nothing switched on (the truth), one mistake, or several: `on("bits-for-bytes") ? 8.0 : 1.0`.
class Slips {
  public:
    Slips() = default;
    Slips(std::initializer_list<Slip> slips) : slips_(slips) {}
    explicit Slips(std::vector<Slip> slips) : slips_(std::move(slips)) {}

    /// The form in which it is on; -1 where it is off.
    int form(std::string_view mistake) const {
        for (const Slip& slip : slips_)
            if (slip.mistake == mistake) return slip.form;
        return -1;
    }
    /// On, in any form; or in this one.
    bool operator()(std::string_view mistake) const { return form(mistake) >= 0; }
    bool operator()(std::string_view mistake, int wanted) const { return form(mistake) == wanted; }
    bool none() const { return slips_.empty(); }

  private:
    std::vector<Slip> slips_;
};

} // namespace assay

#endif
