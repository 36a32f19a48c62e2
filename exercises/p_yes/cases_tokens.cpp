// Level token-ids: small vocabularies with the traps of real ones, and two of some hundred pieces.
#include "cases.hpp"

namespace assay::p_yes_judge {

namespace {

/// The traps: casings, longer words, doubled and trailing marks, a plain space, the other vocabulary's mark. M is the
/// mark, O the other one.
Words trapped(const std::string& M, const std::string& O) {
    return {"y",           "es",      M + "yes",    "Yes",     "no",   "yes", M + "Yes",   "YES",         "yEs",
            M + "YES",     "No",      M + "no",     M + "No",  "NO",   "n",   "Yesterday", M + "nothing", M,
            M + M + "yes", "yes" + M, M + "no" + M, O + "yes", " yes", "eye", "not",       O + O + "no",  "Ye",
            " no",         O + "No"};
}

} // namespace

std::vector<Case> tokens_cases() {
    const std::string G = "\u0120", S = "\u2581";
    const std::string after = "the vocabulary writes the space as ";
    std::vector<Case> cases{
        fixed("gpt2-traps", after + "U+0120: every casing, bare or after one mark, and nothing that only looks like it",
              tokens_problem(gpt2, trapped(G, S), "Yes", "no")),
        fixed("sentencepiece-traps", after + "U+2581, with the same traps",
              tokens_problem(sentencepiece, trapped(S, G), "Yes", "no")),
        fixed("several-tokens",
              "unsure is no piece: its first tokens stand for it, the longest that fits of each form, in its own case",
              tokens_problem(gpt2,
                             {"sure", "un", "u", "uns", G, G + "u", G + "un", "UNS", G + "sure", "unsured", "ns",
                              G + "Unsure-", "uns"},
                             "unsure", "sure")),
        fixed("one-form-missing", "nope is a piece, but not after a space: its one spelling is all that stands for it",
              tokens_problem(gpt2, {"n", "nope", G + "n", G + "no", "y", "yes", G + "yes", "ye"}, "yes", "nope")),
        fixed("mark-alone", "no piece begins with the mark and a q: the mark alone says nothing of the label",
              tokens_problem(sentencepiece, {S, "q", "qu", "ite", S + "no", "no", "quit"}, "quiet", "no")),
        fixed("shared-first-token", "positive and possible both begin with pos: the next token cannot tell them apart",
              tokens_problem(gpt2, {"po", "pos", "itive", "ible", "s", G + "posit", G + "p"}, "positive", "possible")),
        fixed("empty-label", "an empty label is refused, though a mark alone would spell it",
              tokens_problem(gpt2, {"yes", G, "no", G + "no"}, "", "no")),
        fixed("label-in-label", "pos is a piece, positive begins with it",
              tokens_problem(sentencepiece, {"pos", "it", S + "pos", "p", "ive"}, "positive", "pos"),
              "one spells what the other begins with"),
        fixed("same-label", "yes and YES are one label",
              tokens_problem(gpt2, {"no", "yes", G + "YES", "y"}, "yes", "YES"), "a collision of spellings"),
        fixed("label-with-space", "a space is for the mark to write, not for the label",
              tokens_problem(gpt2, {"yes", " yes", "no", G + "yes"}, " yes", "no"), "what a label may hold"),
        fixed("label-beyond-ascii",
              "a label beyond U+007E is refused: byte-level pieces would write it in two characters",
              tokens_problem(sentencepiece, {"s\u00ed", "no", S + "s\u00ed"}, "s\u00ed", "no"),
              "what a label may hold"),
        fixed("no-token", "7 is in no piece but the byte <0x37>, which does not spell it",
              tokens_problem(sentencepiece, {"<0x37>", "8", S + "8", "<s>", S}, "7", "8"), "a label without any id"),
        fixed("letters",
              "A and B, as of a multiple choice: a and b after a space are spellings too, other characters are not",
              tokens_problem(gpt2,
                             {"A", "B", "C", "a", "b", G + "A", G + "B", G + "a", "AB", G + "And", "A.", "(A", "Ab",
                              "\u0141", G + "\u0142"},
                             "A", "B"),
              "one letter is a prefix of much"),
        fixed("brackets", "[A] and [B]: letters have two cases, brackets have none",
              tokens_problem(gpt2, {"{A}", "[A]", G + "[a]", "[B]", G + "{b}", "[", "{a]"}, "[A]", "[b]")),
        fixed("no-pieces", "an empty vocabulary", tokens_problem(gpt2, {}, "yes", "no"), "nothing to find"),
    };
    cases.push_back({"gpt2-vocabulary", "some hundred pieces as GPT-2 writes them, true against false",
                     [](std::uint64_t) { return tokens_problem(gpt2, vocabulary("gpt2_style"), "true", "False"); },
                     "byte symbols and word pieces"});
    cases.push_back(
        {"sentencepiece-vocabulary", "some hundred pieces as SentencePiece writes them, yes against no",
         [](std::uint64_t) { return tokens_problem(sentencepiece, vocabulary("sentencepiece_style"), "yes", "no"); },
         "control and byte pieces"});
    cases.push_back({"long-labels", "labels of several tokens in the same vocabulary",
                     [](std::uint64_t) {
                         return tokens_problem(sentencepiece, vocabulary("sentencepiece_style"), "Entailment",
                                               "contradiction");
                     },
                     "first tokens among some hundred pieces"});
    return cases;
}

} // namespace assay::p_yes_judge
