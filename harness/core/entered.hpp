// Things that static objects enter under an id and that are built on first use: exercises, hunts.
#ifndef ASSAY_CORE_ENTERED_HPP
#define ASSAY_CORE_ENTERED_HPP

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// `T` has a member `id`. Keep it in a function's static variable: static objects enter in any order.
template <class T> class Entered {
  public:
    using Factory = T (*)();

    bool enter(std::string_view id, Factory factory) {
        entries_.emplace(std::string(id), Entry{factory, nullptr});
        return true;
    }

    /// In alphabetical order.
    std::vector<std::string_view> ids() const {
        std::vector<std::string_view> ids;
        for (const auto& [id, entry] : entries_) ids.push_back(id);
        return ids;
    }

    /// Null where there is none of this id.
    const T* find(std::string_view id) {
        const auto found = entries_.find(id);
        if (found == entries_.end()) return nullptr;
        Entry& entry = found->second;
        if (!entry.built) {
            entry.built = std::make_unique<T>(entry.factory());
            entry.built->id = std::string(id);
        }
        return entry.built.get();
    }

  private:
    struct Entry {
        Factory factory;
        std::unique_ptr<T> built;
    };
    std::map<std::string, Entry, std::less<>> entries_;
};

} // namespace assay

#endif
