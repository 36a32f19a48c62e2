// SIGINT and SIGTERM as something to wait for.
#ifndef ASSAY_COMMANDS_STOP_SIGNAL_HPP
#define ASSAY_COMMANDS_STOP_SIGNAL_HPP

namespace assay {

/// While it lives (it is made once), the first SIGINT or SIGTERM becomes a byte in a pipe, so that a wait ends at once
/// and none is lost between waits; a second one ends the program. Throws Stop (environment) where no descriptor is
/// left.
class StopSignal {
  public:
    StopSignal();
    /// Readable once a signal has come.
    int descriptor() const { return reader_; }
    bool given() const;

  private:
    int reader_ = -1;
};

} // namespace assay

#endif
