// A fixed crew of threads for timed work: it starts and ends a job by barriers, so that no thread is made while the
// clock runs.
#ifndef ASSAY_ROOFLINE_THREADS_HPP
#define ASSAY_ROOFLINE_THREADS_HPP

#include <cstddef>
#include <functional>
#include <memory>

namespace assay::roofline {

class Threads {
  public:
    explicit Threads(int count); // the caller is one of them
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

    int count() const { return count_; }

    /// job(part) for each part in [0, count), at once; returns when all are done.
    void run(const std::function<void(int part)>& job);

    struct Share {
        long begin = 0, end = 0;
        long size() const { return end - begin; }
    };
    /// What `part` does of `total`, in whole grains but at the end.
    Share share(int part, long total, long grain) const;

  private:
    struct Crew;
    int count_;
    std::unique_ptr<Crew> crew_;
};

} // namespace assay::roofline

#endif
