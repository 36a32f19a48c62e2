// A document held against a JSON Schema of the checkout.
#ifndef ASSAY_TESTS_REPORT_JSON_SCHEMA_HPP
#define ASSAY_TESTS_REPORT_JSON_SCHEMA_HPP

#include "catch.hpp"
#include "cli/assay.hpp"

#include <string>

// rapidjson 1.1 of Debian 12 assigns through a const member, which newer compilers warn of.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <rapidjson/document.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>
#pragma GCC diagnostic pop

namespace assay::tests {

/// "" where `text` fits the schema, else where it does not.
inline std::string misfit_of(const std::string& text, const std::string& schema_file) {
    const std::string schema_text = checkout_file(schema_file);
    rapidjson::Document schema;
    schema.Parse(schema_text.c_str());
    REQUIRE_FALSE(schema.HasParseError());
    const rapidjson::SchemaDocument compiled(schema);
    rapidjson::Document document;
    document.Parse(text.c_str());
    if (document.HasParseError()) return "not JSON";
    rapidjson::SchemaValidator validator(compiled);
    if (document.Accept(validator)) return "";
    rapidjson::StringBuffer where;
    validator.GetInvalidDocumentPointer().Stringify(where);
    return std::string(where.GetString()) + " " + validator.GetInvalidSchemaKeyword();
}

} // namespace assay::tests

#endif
