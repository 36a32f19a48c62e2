// Attack: throws an exception whose text is 30 MB of terminal commands.
// Expect: RTE
// Proof: escape
#include "honest.h"
#include <exception>
#include <string.h>
struct Odd : std::exception {
    const char* what() const noexcept override {
        const size_t size = 30 << 20;
        char* text = static_cast<char*>(::operator new(size));
        memset(text, '\x1b', size - 1);
        text[1] = ']';
        text[size - 1] = 0;
        return text;
    }
};
void attack() { throw Odd(); }
