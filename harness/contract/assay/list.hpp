// A list that a contract function fills: what a policy decides, one item after the other.
#ifndef ASSAY_LIST_HPP
#define ASSAY_LIST_HPP

namespace assay {

/// Append only. `T` is a number or a record of the contract.
template <class T> class list {
  public:
    virtual void push(const T& item) = 0;
    virtual long size() const = 0;

  protected:
    ~list() = default;
};

} // namespace assay

#endif
