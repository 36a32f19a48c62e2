// The right half of the wrong attempts at a window with global tokens: a window, and the global keys before it.
#ifndef LONG_ATTENTION_GLOBALS_HPP
#define LONG_ATTENTION_GLOBALS_HPP

#include "contract.hpp"

#include <algorithm>
#include <vector>

#include "window.hpp"

namespace long_attention {

struct Globals : Window {
    Index g;

    Globals(tensor<const float, 3> q_, tensor<const float, 3> k_, tensor<const float, 3> v_, Index window,
            Index globals)
        : Window(q_, k_, v_, window), g(std::min(globals, L)) {}

    virtual Index front(Index i) const { return std::min(g, low(i)); } // global keys beside the window
    std::vector<Index> front_keys(Index i) const {
        std::vector<Index> all;
        for (Index j = 0; j < front(i); ++j) all.push_back(j);
        return all;
    }
    std::vector<Index> keys(Index i) const override {
        std::vector<Index> all = front_keys(i);
        for (Index j : Window::keys(i)) all.push_back(j);
        return all;
    }
};

} // namespace long_attention

/// Defines the contract's function by a struct that derives from Globals.
#define GLOBALS_BY(Mistaken)                                                                                           \
    namespace long_attention {                                                                                         \
    void window_with_globals(tensor<const float, 3> q, tensor<const float, 3> k, tensor<const float, 3> v,             \
                             std::int64_t window, std::int64_t globals, tensor<float, 3> out) {                        \
        Mistaken(q, k, v, window, globals).run(out);                                                                   \
    }                                                                                                                  \
    } // namespace long_attention

#endif
