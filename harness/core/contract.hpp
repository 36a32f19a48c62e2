// A contract as a document: its functions, records, enumerations and classes with their own names. Signatures say how a
// call is made; this says what a person, or a language that cannot read C++ headers, needs to know to answer it.
#ifndef ASSAY_CORE_CONTRACT_HPP
#define ASSAY_CORE_CONTRACT_HPP

#include "core/dtype.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay {

struct ContractType {
    enum class Kind { nothing, boolean, integer, number, enumeration, tensor, var, record, list, object };
    Kind kind = Kind::nothing;
    std::string name;                 // of the enumeration, record or class
    Dtype dtype = Dtype::f64;         // of a number, integer or enumeration; of a tensor's elements
    int rank = 0;                     // tensors
    bool optional = false;            // may be absent
    bool writable = false;            // tensors that the function writes
    bool gradient = false;            // tensors of Var: float64 on the wire, followed by the tensor of their gradients
    std::vector<ContractType> item{}; // lists: one entry
};

using ContractValue = std::variant<bool, std::int64_t, double>;

/// A parameter of a function, or a field of a record with what it holds until it is set.
struct ContractName {
    std::string name;
    ContractType type;
    ContractValue initial = false; // fields only
};

struct ContractRecord {
    std::string name;
    std::vector<ContractName> fields;
};

struct ContractEnumeration {
    std::string name;
    std::vector<std::pair<std::string, std::int64_t>> values;
};

/// A function, or a method of a class.
struct ContractFunction {
    std::string name;
    std::vector<ContractName> parameters; // a ranked function's without the communicator
    ContractType result;
    bool ranked = false;
    std::string of = {}; // the class
};

struct Contract {
    std::string exercise;
    std::vector<ContractFunction> functions; // in the order of the signatures, as are
    std::vector<ContractFunction> methods;   // these, and
    std::vector<std::string> classes;        // the destructors of these
    std::vector<ContractRecord> records{};   // each before those that hold it
    std::vector<ContractEnumeration> enumerations{};
    std::vector<std::pair<std::string, ContractValue>> constants{};
};

/// Enters the contract of an exercise; called by a static object that is compiled once an exercise. Returns true.
bool enter_contract(std::string_view exercise, Contract (*describe)());

/// The contract of this exercise; one without functions where there is none.
Contract contract_of(std::string_view exercise);

} // namespace assay

#endif
