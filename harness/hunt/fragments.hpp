// A faulty program is a template with places, and for each place several fragments: right ones, decoys, and bugs. Pure
// text: the generator pastes one fragment a place, the build makes a switch of all of them (main.cpp).
#ifndef ASSAY_HUNT_FRAGMENTS_HPP
#define ASSAY_HUNT_FRAGMENTS_HPP

#include "core/outcome.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// What may stand at a slot. Named "right", "right--<how>" or "decoy--<what>" (right code that looks wrong), else the
/// id of a bug.
struct Fragment {
    std::string name;
    std::string text;

    bool is_right() const;
};

/// A place of the template, with its fragments: "right" first, the others by name. The position of a fragment in this
/// list is its number wherever one is chosen.
struct Slot {
    std::string name;
    std::vector<Fragment> fragments;

    /// -1 where there is none of this name.
    int position(std::string_view fragment) const;
};

/// A line of the template is text, or `@{slot}` alone with its indentation (a block of lines), or holds `@{slot}` where
/// an expression stands. A block may be empty; it declares nothing that is used behind it.
struct Piece {
    std::string text; // or the name of a slot
    bool is_slot = false;
    bool block = false;
    std::string indentation = {}; // of the line it stands on
};

struct Template {
    std::vector<Piece> pieces;
    std::vector<Slot> slots; // by name

    /// -1 where there is none of this name.
    int slot(std::string_view name) const;
};

/// `files` are (path below the hunt's folder, text): "template.cpp", "<slot>/<fragment>.cpp"; those of other extensions
/// are left out. A failure says what is wrong with them.
Outcome<Template> read_template(const std::vector<std::pair<std::string, std::string>>& files,
                                std::string_view extension);

/// The program with fragment `choices[i]` at slot i.
std::string paste(const Template& whole, const std::vector<int>& choices);

/// The same program with all fragments in it, as C++ that runs the chosen ones: namespace `hunted` holds it, and
/// hunted::choose_<exercise>(const int*) sets the choices. The template's own includes come first.
std::string switched(const Template& whole, std::string_view exercise);

} // namespace assay

#endif
