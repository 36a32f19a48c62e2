// A timed call on a device as its worker's clocks and the judge's saw it.
#ifndef ASSAY_CORE_DEVICE_TIMES_HPP
#define ASSAY_CORE_DEVICE_TIMES_HPP

namespace assay {

/// Seconds. What the worker tells of itself an attempt may have forged; the judge's own clock it cannot reach.
struct DeviceTurn {
    double events = 0; // told: between two events on the stream that the call was given
    double host = 0;   // told: by the worker's clock, from before the call until the whole device was done
    double judge = 0;  // seen: from the judge's word to begin to the worker's that it is over
};

/// The same way gone twice: without the call, then with it.
struct DeviceTimes {
    DeviceTurn empty, call;
};

} // namespace assay

#endif
