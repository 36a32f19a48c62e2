// One unprivileged user a running program, where Assay runs as root: the kernel then keeps two attempts from each
// other, and both from everything else.
#ifndef ASSAY_SANDBOX_USER_SLOT_HPP
#define ASSAY_SANDBOX_USER_SLOT_HPP

#include "core/outcome.hpp"

#include <memory>
#include <sys/types.h>

namespace assay {

/// A user number that no other running Assay on this machine uses, until the end of its scope.
class UserSlot {
  public:
    static Outcome<std::unique_ptr<UserSlot>> take(uid_t first);
    ~UserSlot();
    UserSlot(const UserSlot&) = delete;
    UserSlot& operator=(const UserSlot&) = delete;
    uid_t user() const { return user_; }

  private:
    UserSlot(uid_t user, int mark) : user_(user), mark_(mark) {}
    uid_t user_;
    int mark_;
};

/// First of user_slots numbers: no distribution hands them out, and containers map them (those up to 65535).
inline constexpr uid_t first_slot_user = 60700;
inline constexpr uid_t user_slots = 256;

/// Whether a process can become such a user, tried in a child; the reason in `why` where not.
bool can_change_user(uid_t user, const char*& why);

} // namespace assay

#endif
