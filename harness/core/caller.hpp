// The seam between an exercise's levels and whatever answers the contract's calls.
#ifndef ASSAY_CORE_CALLER_HPP
#define ASSAY_CORE_CALLER_HPP

#include "core/outcome.hpp"
#include "core/problem.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// How one parameter of a contract function is passed.
struct Parameter {
    enum class Kind { boolean, integer, number, tensor, list };
    std::string name;
    Kind kind = Kind::tensor;
    Dtype dtype = Dtype::f32; // tensors: of the elements; numbers and integers: the C++ type's own
    int rank = 0;             // tensors only
    bool optional = false;
    bool writable = false;          // tensors of non-const elements, and lists
    std::vector<Parameter> items{}; // lists only: the fields of one item
};

/// A contract function as read off its C++ type.
struct Signature {
    std::string name;                  // "attention"
    std::string scope;                 // "sdpa"
    std::string readable;              // "void (assay::tensor<float const, 4ul>, ...)", for near misses
    std::vector<Parameter> parameters; // a record's fields each stand as a parameter
    std::vector<Parameter> results{};  // fields of the record it returns; empty where it returns nothing
    /// Run once a rank of a group (the first parameter: how many): every tensor has a leading axis over the ranks.
    bool ranked = false;
    /// Called on an object, whose handle is the first parameter; every attempt has it that makes the object.
    bool method = false;
};

/// The parameter of methods, and the result of functions that make an object.
inline constexpr const char* handle_name = "handle";

/// What a ranked function's call gives beside its outputs, one number a rank: bytes it sent, collectives it took part
/// in.
inline constexpr std::string_view ranked_results[] = {"sent_bytes", "collectives"};

/// How the callee may use a tensor: read it; find poison and write it; read and change it.
enum class Mode { in, out, inout };

struct Argument {
    Value value;
    Mode mode = Mode::in;
};

/// Answers contract calls. After a failure the callee is gone (a fresh one is started for what follows).
class Caller {
  public:
    virtual ~Caller() = default;

    /// Calls `function` with one argument a parameter. Gives the tensors of mode out and inout in parameter order, then
    /// the results as tensors of rank 0, then each list as a float64 tensor (items, fields), then, of a ranked
    /// function, the ranked_results. A list's own argument is absent and of mode out. A value that does not fit the
    /// signature is a bug of the exercise: JE.
    virtual Outcome<std::vector<Array>> call(std::string_view function, std::span<const Argument> arguments) = 0;

    /// Bytes of memory of its own that the callee held at most over this call, above what it held once it was loaded
    /// (attempt/peak_memory.hpp says what counts). The callee is a fresh one, and is called twice. Failure SKIP: it
    /// cannot be measured here, or the callee is no process.
    virtual Outcome<std::int64_t> peak_bytes(std::string_view function, std::span<const Argument> arguments) {
        (void)function, (void)arguments;
        return Failure{Verdict::SKIP, "only a process's memory can be measured"};
    }
};

} // namespace assay

#endif
