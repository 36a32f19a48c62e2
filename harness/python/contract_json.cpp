#include "python/contract_json.hpp"

#include <assay/unset.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

namespace assay {

namespace {

using Json = nlohmann::ordered_json;
using Kind = ContractType::Kind;

const char* kind_name(Kind kind) {
    switch (kind) {
    case Kind::nothing: return "nothing";
    case Kind::boolean: return "boolean";
    case Kind::integer: return "integer";
    case Kind::number: return "number";
    case Kind::enumeration: return "enumeration";
    case Kind::tensor: return "tensor";
    case Kind::var: return "var";
    case Kind::record: return "record";
    case Kind::list: return "list";
    case Kind::object: return "object";
    }
    return "";
}

Json value(const ContractValue& held) {
    if (const bool* flag = std::get_if<bool>(&held)) return *flag;
    if (const auto* integer = std::get_if<std::int64_t>(&held))
        return *integer == unset_integer ? Json(nullptr) : Json(*integer);
    const double number = std::get<double>(held);
    return std::isnan(number) ? Json(nullptr) : Json(number);
}

class Writer {
  public:
    explicit Writer(const Contract& contract) : contract_(contract) {}

    Json document() const {
        Json j;
        j["exercise"] = contract_.exercise;
        j["functions"] = functions(contract_.functions);
        j["methods"] = functions(contract_.methods);
        j["classes"] = contract_.classes;
        j["records"] = Json::array();
        for (const ContractRecord& record : contract_.records)
            j["records"].push_back({{"name", record.name}, {"fields", fields(record)}});
        j["enumerations"] = Json::array();
        for (const ContractEnumeration& one : contract_.enumerations) {
            Json values = Json::array();
            for (const auto& [name, number] : one.values) values.push_back({{"name", name}, {"value", number}});
            j["enumerations"].push_back({{"name", one.name}, {"values", values}});
        }
        j["constants"] = Json::array();
        for (const auto& [name, held] : contract_.constants)
            j["constants"].push_back({{"name", name}, {"value", value(held)}});
        return j;
    }

  private:
    const Contract& contract_;

    Json fields(const ContractRecord& record) const {
        Json list = Json::array();
        for (const ContractName& field : record.fields)
            list.push_back({{"name", field.name}, {"type", type(field.type)}, {"initial", value(field.initial)}});
        return list;
    }

    Json type(const ContractType& described) const {
        Json j;
        j["kind"] = kind_name(described.kind);
        if (!described.name.empty()) j["name"] = described.name;
        const bool has_dtype = described.kind == Kind::integer || described.kind == Kind::number ||
                               described.kind == Kind::enumeration || described.kind == Kind::tensor;
        if (has_dtype) j["dtype"] = name_of(described.dtype);
        j["optional"] = described.optional;
        if (described.kind == Kind::tensor) {
            j["rank"] = described.rank;
            j["writable"] = described.writable;
            j["gradient"] = described.gradient;
        }
        if (described.kind == Kind::record)
            for (const ContractRecord& record : contract_.records)
                if (record.name == described.name) j["fields"] = fields(record);
        if (described.kind == Kind::list) j["item"] = type(described.item.front());
        return j;
    }

    Json functions(const std::vector<ContractFunction>& all) const {
        Json list = Json::array();
        for (const ContractFunction& function : all) {
            Json parameters = Json::array();
            for (const ContractName& parameter : function.parameters)
                parameters.push_back({{"name", parameter.name}, {"type", type(parameter.type)}});
            list.push_back({{"name", function.name},
                            {"of", function.of},
                            {"ranked", function.ranked},
                            {"parameters", parameters},
                            {"result", type(function.result)}});
        }
        return list;
    }
};

} // namespace

std::string to_json(const Contract& contract) { return Writer(contract).document().dump(2) + '\n'; }

} // namespace assay
