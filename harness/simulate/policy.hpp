// An object of the attempt's, made and asked through the contract: the policy that a simulation drives.
#ifndef ASSAY_SIMULATE_POLICY_HPP
#define ASSAY_SIMULATE_POLICY_HPP

#include "core/caller.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The attempt failed in the middle of a run, which cannot go on. Caught by `simulated`.
struct PolicyFailed {
    Failure failure;
};

/// Runs `run` and makes a failed call of a policy its failure: what a level's script consists of.
Outcome<Outputs> simulated(const std::function<Outputs()>& run);

class PolicyObject {
  public:
    /// Calls `maker` of the contract, which returns a `type*`. Every call throws PolicyFailed where the attempt fails.
    PolicyObject(Caller& caller, std::string_view type, std::string_view maker, const std::vector<Value>& arguments);
    PolicyObject(const PolicyObject&) = delete;
    PolicyObject& operator=(const PolicyObject&) = delete;

    /// Calls "type.method". The last `lists` parameters are lists that it fills. Gives what Caller::call does: the
    /// fields of its record, then the lists as (items, fields).
    std::vector<Array> call(std::string_view method, const std::vector<Value>& arguments, int lists = 0);

    /// Destroys it; to be called at the end of a run, so that a destructor's crash is seen.
    void destroy();

  private:
    Caller& caller_;
    std::string type_;
    Value handle_;

    std::vector<Array> ask(std::string_view function, const std::vector<Argument>& arguments);
};

} // namespace assay

#endif
