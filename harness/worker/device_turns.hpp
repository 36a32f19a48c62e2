// How an attempt on a device has its calls timed: the worker hands over by whom the judge is told when a turn begins
// and when it is over. Worker and attempt are built apart: plain C.
#ifndef ASSAY_WORKER_DEVICE_TURNS_HPP
#define ASSAY_WORKER_DEVICE_TURNS_HPP

namespace assay {

struct DeviceTurns {
    /// Returns once the judge has started its clock.
    void (*begin)();
    /// Stops it. Seconds by the events around the call and by the worker's own clock.
    void (*end)(double events, double host);
};

inline constexpr const char* device_turns_symbol = "assay_device_turns";

} // namespace assay

/// In every attempt that is built for a device. Called once, where calls are to be timed; `turns` stays.
extern "C" void assay_device_turns(const assay::DeviceTurns* turns);

#endif
