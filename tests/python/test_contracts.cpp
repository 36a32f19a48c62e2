// Every exercise's contract as a document, and as Python: it says what the signatures say, and its starter can be run.
#include "catch.hpp"
#include "commands/run_check.hpp"
#include "core/registry.hpp"
#include "python/contract_json.hpp"
#include "python/contract_python.hpp"
#include "python/toy.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace toy_python;

namespace {

std::size_t wire_parameters(const Contract& contract, const ContractFunction& function) {
    std::size_t count = function.ranked || !function.of.empty() ? 1 : 0; // ranks, or the object's handle
    for (const ContractName& parameter : function.parameters) {
        if (parameter.type.kind == ContractType::Kind::record)
            for (const ContractRecord& record : contract.records)
                count += record.name == parameter.type.name ? record.fields.size() : 0;
        else
            count += parameter.type.gradient ? 2 : 1;
    }
    return count;
}

} // namespace

TEST_CASE("every exercise describes the functions of its signatures, in their order") {
    for (const std::string_view id : exercise_ids()) {
        CAPTURE(id);
        const Contract contract = contract_of(id);
        const std::vector<Signature>& signatures = find_exercise(id)->signatures;
        REQUIRE(signatures.size() == contract.functions.size() + contract.methods.size() + contract.classes.size());
        std::vector<ContractFunction> calls = contract.functions;
        calls.insert(calls.end(), contract.methods.begin(), contract.methods.end());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const std::string of = calls[i].of.empty() ? "" : calls[i].of + ".";
            CHECK(signatures[i].name == of + calls[i].name);
            CHECK(signatures[i].ranked == calls[i].ranked);
            CHECK(signatures[i].parameters.size() == wire_parameters(contract, calls[i]));
        }
        const auto json = nlohmann::json::parse(to_json(contract));
        CHECK(json["exercise"] == std::string(id));
        CHECK(json["functions"].size() == contract.functions.size());
    }
}

TEST_CASE("names of enumerators, constants and initial values are the contract's own") {
    const Contract contract = toy_python::contract();
    REQUIRE(contract.enumerations.size() == 1);
    using Values = std::vector<std::pair<std::string, std::int64_t>>;
    CHECK(contract.enumerations[0].values == Values{{"none", -1}, {"plain", 0}, {"fancy", 1}});
    CHECK(contract.constants == std::vector<std::pair<std::string, ContractValue>>{{"never", std::int64_t{7}}});
    const std::string module = contract_module(contract);
    CHECK(contains(module, "class kind(IntEnum):\n    none = -1\n    plain = 0\n    fancy = 1\n"));
    CHECK(contains(
        module, "        total: float = unset,\n        items: int = unset_integer,\n        what: kind = kind.none,"));
    CHECK(contains(module, "        from_: int = 0,\n        to: int = 0,\n")); // `from` is Python's
    CHECK(contains(module, "never = 7\n"));
    CHECK(contains(module, "x: tensor of Var, 2 axes"));
    CHECK(contains(module, "mask: bool tensor, 1 axis, or None"));
    CHECK(python_call(contract.functions[4]) == "total(group, x, sum)");
}

TEST_CASE("the starter of every exercise can be loaded, has every function, and fails level 1 by its answers") {
    if (!there()) return;
    for (const std::string_view id : exercise_ids()) {
        CAPTURE(id);
        const auto folder = TemporaryFolder::make(fs::temp_directory_path());
        REQUIRE(folder.ok());
        CheckRequest request;
        request.exercise = id;
        request.source = folder->path() / "starter.py";
        request.options.explain = false;
        request.options.level = "1";
        REQUIRE(write_file(request.source, python_starter(contract_of(id))));
        const Record record = run_check(request).record;
        CAPTURE(record.reason, record.compiler_output);
        CHECK(record.verdict == Verdict::WA);
        CHECK(contains(record.environment.compiler, "python 3."));
        CHECK(record.environment.flags.empty());
    }
}
