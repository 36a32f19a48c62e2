// At most 64 code points: what of std::u32string the attempts on tokens use. With the string itself each takes 0.2 s
// more to compile.
#ifndef P_YES_TEXT_HPP
#define P_YES_TEXT_HPP

#include <cstddef>

namespace p_yes {

namespace {

class text {
  public:
    text() = default;
    text(char32_t one) : size_(1) { at_[0] = one; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    char32_t& operator[](std::size_t i) { return at_[i]; }
    char32_t back() const { return at_[size_ - 1]; }
    char32_t* begin() { return at_; }
    char32_t* end() { return at_ + size_; }
    const char32_t* begin() const { return at_; }
    const char32_t* end() const { return at_ + size_; }
    void operator+=(char32_t c) { at_[size_++] = c; }
    void pop_back() { --size_; }
    void drop_first() {
        for (std::size_t i = 1; i < size_; ++i) at_[i - 1] = at_[i];
        --size_;
    }

  private:
    char32_t at_[65] = {};
    std::size_t size_ = 0;
};

bool begins(const text& word, const text& piece) {
    if (piece.size() > word.size()) return false;
    for (std::size_t i = 0; i < piece.size(); ++i)
        if (word.begin()[i] != piece.begin()[i]) return false;
    return true;
}

bool operator==(const text& a, const text& b) { return a.size() == b.size() && begins(a, b); }

text operator+(char32_t first, const text& rest) {
    text both(first);
    for (const char32_t c : rest) both += c;
    return both;
}

} // namespace

} // namespace p_yes

#endif
