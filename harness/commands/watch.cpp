#include "commands/watch.hpp"

#include "catalogue/state.hpp"
#include "commands/changes.hpp"
#include "commands/find_attempt.hpp"
#include "commands/isolation.hpp"
#include "commands/print.hpp"
#include "commands/run_check.hpp"
#include "commands/stop_signal.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"

#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <unistd.h>

namespace assay {

namespace {

std::string clock_time() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

class Watch {
  public:
    explicit Watch(const WatchArguments& arguments) : arguments_(arguments) {
        std::string note;
        const State state = read_state(state_file(), note);
        print_note(note);
        found_ = find_attempt(arguments.attempt, arguments.exercise, here(), state);
        request_.exercise = found_.exercise;
        request_.source = found_.source;
        request_.compiler = arguments.compiler;
        request_.solution_revealed = state.of(found_.exercise).solution_revealed;
    }

    Exit run() {
        const StopSignal stop;
        Changes changes(found_.source, arguments_.poll);
        if (changes.polling() && !arguments_.poll)
            print_note("inotify does not work here; looking for changes instead");
        for (bool first = true;; first = false) {
            show(checked(first));
            if (stop.given() || std::ferror(stdout) != 0) break;
            if (!changes.wait(stop.descriptor())) break;
            if (terminal_) print(style().dim("checking ...") + "\r");
        }
        if (terminal_) print("\n");
        return last_;
    }

  private:
    const WatchArguments& arguments_;
    FoundAttempt found_;
    CheckRequest request_;
    Exit last_ = Exit::falls_short;
    const bool terminal_ = isatty(STDOUT_FILENO) == 1;
    bool shown_ = false;

    Style style() const {
        return style_for(arguments_.color, STDOUT_FILENO);
    } // asked again: windows change their width

    std::string checked(bool first) {
        TerminalOptions options;
        options.style = style();
        options.target = found_.target;
        request_.coloured_diagnostics = options.style.colour;
        try {
            const Checked checked = run_check(request_);
            last_ = exit_of(checked.record);
            print_note(change_state(state_file(), [&](State& state) { remember(state, checked.record); }));
            options.compiler_output = checked.diagnostics;
            return to_terminal(checked.record, options);
        } catch (const Stop& stop) {
            if (first && stop.exit() != Exit::usage) throw; // no save will mend it
            last_ = Exit::falls_short;
            return options.style.paint(Paint::red, printable(stop.what())) + "\n";
        }
    }

    /// What was shown stays until there is something new to show.
    void show(const std::string& text) {
        const std::string name = printable(found_.source.filename().string());
        if (terminal_)
            print("\x1b[2J\x1b[H" + text + "\n" +
                  style().dim(fmt::format("{}  watching {}; Ctrl-C ends", clock_time(), name)) + "\n");
        else
            print((shown_ ? fmt::format("\n--- {} was saved\n\n", name) : "") + text);
        shown_ = true;
    }
};

} // namespace

Exit watch_command(const WatchArguments& arguments) {
    require_isolation(arguments.isolation);
    return Watch(arguments).run();
}

} // namespace assay
