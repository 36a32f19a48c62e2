// Attack: throws an exception whose text is a null pointer.
// Expect: RTE
#include "honest.h"
#include <exception>
struct Odd : std::exception {
    const char* what() const noexcept override { return nullptr; }
};
void attack() { throw Odd(); }
