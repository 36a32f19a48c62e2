// The only file that includes CLI11, which costs seconds a file.
#include "commands/command_line.hpp"

#include "commands/bench.hpp"
#include "commands/check.hpp"
#include "commands/demo.hpp"
#include "commands/doctor.hpp"
#include "commands/exercise_describe.hpp"
#include "commands/exercise_new.hpp"
#include "commands/exercise_verify.hpp"
#include "commands/grade.hpp"
#include "commands/hint.hpp"
#include "commands/hunt.hpp"
#include "commands/list.hpp"
#include "commands/report.hpp"
#include "commands/roofline.hpp"
#include "commands/show.hpp"
#include "commands/solution.hpp"
#include "commands/start.hpp"
#include "commands/watch.hpp"
#include "report/text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

#ifndef ASSAY_VERSION
#define ASSAY_VERSION "unknown"
#endif

namespace {

using namespace assay;

const std::map<std::string, ColorMode> color_modes{
    {"auto", ColorMode::automatic}, {"always", ColorMode::always}, {"never", ColorMode::never}};
const std::map<std::string, WantedDevice> devices{{"cuda", WantedDevice::cuda}, {"emulated", WantedDevice::emulated}};
const std::map<std::string, WantedDevice> timed_devices{
    {"cpu", WantedDevice::unsaid}, {"cuda", WantedDevice::cuda}, {"emulated", WantedDevice::emulated}};
const std::map<std::string, Format> formats{{"terminal", Format::terminal}, {"json", Format::json}};

/// The names of a map's keys, as a check on what was typed.
template <class Map> CLI::IsMember names_of(const Map& map) {
    std::vector<std::string> names;
    for (const auto& entry : map) names.push_back(entry.first);
    return CLI::IsMember(names);
}

/// All commands with their arguments, which live as long as the parser.
class CommandLine {
  public:
    CommandLine() {
        app_.require_subcommand(1);
        app_.set_version_flag("--version", "assay " ASSAY_VERSION);
        app_.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
        list();
        show();
        start();
        check();
        watch();
        bench();
        hint();
        solution();
        hunt();
        grade();
        report();
        grade_unit();
        grade_shard();
        exercise();
        roofline();
        doctor();
        demo();
    }

    Exit run(int argc, char** argv) {
        if (argc < 2) {
            std::fputs(app_.help().c_str(), stderr);
            return Exit::usage;
        }
        try {
            parse(argc, argv);
        } catch (const CLI::Success& asked) { // --help, --version
            app_.exit(asked);
            return Exit::passed;
        }
        return chosen_();
    }

    /// Throws Stop (usage) for what is no command line, CLI::Success for one that asks for help.
    void parse(int argc, char** argv) {
        require_command(argc, argv);
        try {
            app_.parse(argc, argv);
        } catch (const CLI::Success&) {
            throw;
        } catch (const CLI::ParseError& error) {
            throw Stop(Exit::usage, fmt::format("{} ({} --help shows the usage)", error.what(), command_name(app_)));
        }
    }

  private:
    CLI::App app_{"Self-checking ML-systems interview exercises.", "assay"};
    std::function<Exit()> chosen_;
    ListArguments list_;
    ShowArguments show_;
    StartArguments start_;
    CheckArguments check_;
    WatchArguments watch_;
    BenchArguments bench_;
    HintArguments hint_;
    SolutionArguments solution_;
    GradeArguments grade_;
    ReportArguments report_;
    GradeUnitArguments grade_unit_;
    GradeShardArguments grade_shard_;
    HuntArguments hunt_;
    ExerciseNewArguments new_;
    ExerciseDescribeArguments describe_;
    ExerciseVerifyArguments verify_;
    RooflineArguments roofline_;
    DoctorArguments doctor_;
    DemoArguments demo_;
    std::string device_, format_ = "terminal", text_format_ = "text", color_ = "auto";

    /// CLI11 only says that a command is required, not that the one given is unknown.
    void require_command(int argc, char** argv) const {
        const CLI::App* app = &app_;
        for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
            const std::string word = argv[i];
            std::vector<std::string> names;
            for (const CLI::App* command : app->get_subcommands({})) names.push_back(command->get_name());
            if (names.empty()) return;
            if (std::find(names.begin(), names.end(), word) == names.end()) {
                const std::string near = nearest(word, names);
                throw Stop(Exit::usage,
                           fmt::format("no such command: {} {} ({})", app_path(*app), printable(word),
                                       near.empty() ? "assay --help shows them" : "did you mean " + near + "?"));
            }
            app = app->get_subcommand(word);
        }
    }

    static std::string app_path(const CLI::App& app) {
        return app.get_parent() == nullptr ? app.get_name() : app_path(*app.get_parent()) + " " + app.get_name();
    }

    static std::string command_name(const CLI::App& app) {
        const auto below = app.get_subcommands();
        return below.empty() ? app.get_name() : app.get_name() + " " + command_name(*below.front());
    }

    /// `command_of` is called with the arguments, in which the colour has been entered.
    template <class Arguments> CLI::App* add(CLI::App& parent, const std::string& name, const std::string& about,
                                             Arguments& arguments, Exit (*command_of)(const Arguments&)) {
        CLI::App* command = parent.add_subcommand(name, about);
        command->add_option("--color", color_, "auto, always or never")->check(names_of(color_modes));
        command->callback([this, &arguments, command_of] {
            chosen_ = [this, &arguments, command_of] {
                arguments.color = color_modes.at(color_);
                return command_of(arguments);
            };
        });
        return command;
    }

    static void add_isolation(CLI::App* command, std::string& isolation) {
        command->add_option("--require-isolation", isolation, "Run only where isolation is at least this")
            ->check(CLI::IsMember({"limits", "filtered", "contained", "bounded"}));
    }

    void list() { add(app_, "list", "Exercises by topic, their levels, your progress", list_, list_command); }

    void show() {
        add(app_, "show", "The statement of an exercise", show_, show_command)
            ->add_option("exercise", show_.exercise, "Its id, as assay list shows it")
            ->required();
    }

    void start() {
        CLI::App* command =
            add(app_, "start", "Lay a workspace; edited files are never overwritten", start_, start_command);
        command->add_option("exercise", start_.exercise, "Its id, as assay list shows it")->required();
        command->add_option("folder", start_.folder, "Where to lay it (default: ./<exercise>)");
        command->add_option("--language", start_.language, "cpp, cuda or python")
            ->check(CLI::IsMember({"cpp", "cuda", "python"}));
    }

    void check() {
        CLI::App* command =
            add(app_, "check", "Build an attempt, run its levels, explain the first failure", check_, check_command);
        command->add_option("attempt", check_.attempt,
                            "An exercise or a file (default: the only attempt in this folder)");
        command->add_option("--exercise", check_.exercise, "The exercise that the file attempts");
        command->add_option("--level", check_.level, "Only this level, by number or id");
        command->add_option("--case", check_.case_spec, "Only this case, as a report's replay line gives it");
        command->add_option("--seed", check_.seed, "Seed of the cases' inputs (default: 0)");
        command->add_option("--compiler", check_.compiler, "C++ compiler, by name or path");
        add_isolation(command, check_.isolation);
        command->add_option("--device", device_, "Of an attempt in CUDA: cuda (a GPU) or emulated (default: emulated)")
            ->check(names_of(devices));
        command->add_flag("--speed", check_.speed, "Then time it beside the solution, outside verdict and score");
        command->add_option("--format", format_, "terminal or json")->check(names_of(formats));
        command->parse_complete_callback([this] {
            check_.format = formats.at(format_);
            if (!device_.empty()) check_.device = devices.at(device_);
        });
    }

    void watch() {
        CLI::App* command = add(app_, "watch", "Check at every save, until Ctrl-C", watch_, watch_command);
        command->add_option("attempt", watch_.attempt,
                            "An exercise or a file (default: the only attempt in this folder)");
        command->add_option("--exercise", watch_.exercise, "The exercise that the file attempts");
        command->add_option("--compiler", watch_.compiler, "C++ compiler, by name or path");
        add_isolation(command, watch_.isolation);
        command->add_flag("--poll", watch_.poll, "Look for changes instead of waiting for the system to report them");
    }

    void bench() {
        CLI::App* command = add(app_, "bench", "Time an attempt beside the solution and what this machine can do",
                                bench_, bench_command);
        command->add_option("exercise", bench_.target,
                            "An exercise or a file (default: the only attempt in this folder)");
        command->add_option("file", bench_.file, "The attempt, after the exercise");
        command->add_option("--with", bench_.others, "Another file to time beside it (may be repeated)")
            ->take_all()
            ->allow_extra_args(false);
        command->add_option("--case", bench_.cases, "What to time it on (default: the first; a wrong one lists them)")
            ->take_all()
            ->allow_extra_args(false);
        command->add_option("--seconds", bench_.seconds, "Time to measure for, a case (default: 10)");
        command
            ->add_option("--device", device_,
                         "cpu, or cuda: attempts in CUDA, and the solution in it, on a GPU (default: cpu)")
            ->check(names_of(timed_devices));
        command->add_option("--threads", bench_.threads, "Of each program (default: what the exercise allows)");
        command->add_option("--compiler", bench_.compiler, "C++ compiler, by name or path");
        add_isolation(command, bench_.isolation);
        command->add_option("--format", format_, "terminal or json")->check(names_of(formats));
        command->parse_complete_callback([this] {
            bench_.format = formats.at(format_);
            if (!device_.empty()) bench_.device = timed_devices.at(device_);
        });
    }

    void hint() {
        CLI::App* command = add(app_, "hint", "The next hint for the first failing level", hint_, hint_command);
        command->add_option("exercise", hint_.exercise, "Default: the one in this folder, or worked on last");
        command->add_option("--level", hint_.level, "A hint for this level, by number or id");
    }

    void solution() {
        CLI::App* command =
            add(app_, "solution", "The solution with its walkthrough, after passing", solution_, solution_command);
        command->add_option("exercise", solution_.exercise, "Default: the one in this folder, or worked on last");
        command->add_option("--language", solution_.language, "cpp, cuda or python (default: your attempt's)")
            ->check(CLI::IsMember({"cpp", "cuda", "python"}));
        command->add_flag("--reveal", solution_.reveal, "Before passing; your records will say so");
    }

    void grade() {
        CLI::App* command = add(app_, "grade", "Grade every submission below a folder; resumes where it was stopped",
                                grade_, grade_command);
        command->add_option("submissions", grade_.submissions, "Folder with <candidate>/<exercise>.cpp")->required();
        command->add_option("--out", grade_.out, "Where results go (default: results)");
        command->add_option("-j,--jobs", grade_.jobs, "At once (default: one a processor; slurm: one a task)")
            ->check(CLI::Range(1, 4096));
        command->add_flag("--resume", grade_.resume, "Go on with what is missing in --out");
        command->add_option("--exercise", grade_.exercises, "Only this one (may be repeated)")->take_all();
        command
            ->add_option("--format", grade_.formats,
                         "cohort, csv, exercism, github, gradescope, jsonl, junit, markdown (may be repeated)")
            ->take_all();
        command->add_option("--seed", grade_.seed, "Seed of the cases' inputs (default: 0)");
        command->add_option("--seed-file", grade_.seed_file, "Hidden seeds (TOML: seed = 1, [exercises] sdpa = 2)");
        command->add_option("--compiler", grade_.compiler, "C++ compiler, by name or path");
        command->add_flag("--require-pass", grade_.require_pass, "Exit 1 unless every submission is accepted");
        command->add_flag("--speed", grade_.speed, "Then time what passes, here, one at a time, outside the scores");
        add_isolation(command, grade_.isolation);
        command->add_option("--engine", grade_.engine, "local or slurm (default: local)")
            ->check(CLI::IsMember({"local", "slurm"}));
        slurm(command);
    }

    /// Of --engine slurm, where --jobs is the processors of a task.
    void slurm(CLI::App* command) {
        GradeArguments::Slurm& slurm = grade_.slurm;
        std::vector<CLI::Option*> options{
            command->add_option("--partition", slurm.partition, "slurm: as sbatch takes it"),
            command->add_option("--account", slurm.account, "slurm: as sbatch takes it"),
            command->add_option("--time", slurm.time, "slurm: limit of a task, as sbatch takes it"),
            command->add_option("--sbatch-option", slurm.more, "slurm: --sbatch-option=--mem=4G (may be repeated)")
                ->take_all(),
            command->add_option("--shard-size", slurm.shard_size, "slurm: submissions a task (default: 50)")
                ->check(CLI::Range(1, 1000000)),
            command->add_option("--rounds", slurm.rounds, "slurm: how often a submission is tried (default: 3)")
                ->check(CLI::Range(1, 100)),
            command->add_option("--poll", slurm.poll_seconds, "slurm: seconds between two looks (default: 5)")
                ->check(CLI::Range(0.1, 3600.0))};
        command->parse_complete_callback([this, options] {
            if (grade_.engine == "slurm") return;
            for (const CLI::Option* option : options)
                if (option->count() > 0)
                    throw Stop(Exit::usage,
                               fmt::format("{} is for --engine slurm: add that, or leave it out", option->get_name()));
        });
    }

    void report() {
        CLI::App* command =
            add(app_, "report", "Reports of a grading, from its records alone", report_, report_command);
        command->add_option("results", report_.results, "The folder that grade wrote")->required();
        command->add_option("--format", report_.formats, "As for grade (default: the table here)")->take_all();
        command->add_option("--out", report_.out, "Where the files go (default: into the results)");
    }

    void grade_unit() {
        CLI::App* command = add(app_, "grade-unit", "", grade_unit_, grade_unit_command);
        command->group(""); // not for people
        command->add_option("record", grade_unit_.record)->required();
        command->add_option("exercise", grade_unit_.exercise)->required();
        command->add_option("source", grade_unit_.source)->required();
        command->add_option("seed", grade_unit_.seed)->required();
        command->add_option("--compiler", grade_unit_.compiler);
    }

    void grade_shard() {
        CLI::App* command = add(app_, "grade-shard", "", grade_shard_, grade_shard_command);
        command->group(""); // not for people
        command->add_option("out", grade_shard_.out)->required();
        command->add_option("shard", grade_shard_.shard)->required();
    }

    void hunt() {
        CLI::App* command =
            add(app_, "hunt", "Lay code with bugs planted in it, new at every seed", hunt_, hunt_command);
        command->add_option("hunt", hunt_.hunt, "grpo or sdpa")->required();
        command->add_option("folder", hunt_.folder, "Where to lay it (default: ./<hunt>-hunt-<seed>)");
        command->add_option("--bugs", hunt_.bugs, "How many, 1 to 6 (default: 3)");
        command->add_option("--seed", hunt_.seed, "Same seed, same bugs (default: a fresh one)");
        command->add_option("--language", hunt_.language, "cpp or python")->check(CLI::IsMember({"cpp", "python"}));
    }

    void exercise() {
        CLI::App* group = app_.add_subcommand("exercise", "For those who write exercises");
        group->require_subcommand(1);
        add(*group, "new", "Scaffold an exercise that builds and verifies", new_, exercise_new_command)
            ->add_option("id", new_.id, "Lower-case letters, digits and _, starting with a letter")
            ->required();
        add(*group, "describe", "The contract as JSON: functions, records, enumerations", describe_,
            exercise_describe_command)
            ->add_option("id", describe_.exercise, "The exercise")
            ->required();
        CLI::App* verify =
            add(*group, "verify", "Run an exercise's own attempts and mistakes", verify_, exercise_verify_command);
        verify->add_option("id", verify_.exercise, "The exercise");
        verify->add_flag("--all", verify_.all, "Every exercise");
        verify->add_option("--compiler", verify_.compiler, "C++ compiler, by name or path");
        add_isolation(verify, verify_.isolation);
    }

    void roofline() {
        CLI::App* command = add(app_, "roofline", "What binds a feed-forward network: compute, memory or network",
                                roofline_, roofline_command);
        command->add_option("--chip", roofline_.chip, "A chip by name, as h100-sxm (a wrong name lists them)");
        command->add_flag("--here", roofline_.here, "Measure this machine: predicted beside measured, in fp32");
        command->add_option("--device", roofline_.device,
                            "--here: cpu, or cuda (a GPU's products and copies), cuda:1 the second (default: cpu)");
        command->add_option("--model", roofline_.model, "Widths of this model, as llama-3-8b");
        command->add_option("--d-model", roofline_.d_model, "Width of the residual stream");
        command->add_option("--hidden", roofline_.hidden, "Width inside the network");
        command->add_flag("--gated", roofline_.gated, "Three matrices (SwiGLU) instead of two");
        command->add_option("--tokens", roofline_.tokens, "1:65536 swept in equal ratios, or a list as 1,16,300");
        command->add_option("--gpus", roofline_.gpus, "Tensor parallel over so many (default: 1)");
        command->add_option("--dtype", roofline_.dtype, "fp32, tf32, fp16, bf16, fp8, int8 or fp4 (default: bf16)");
        command->add_option("--link", roofline_.link, "The link between chips (default: the fastest that joins them)");
        command->add_option("--chips", roofline_.chips_file, "More chips, in the form of data/hardware.toml");
        command->add_option("--models", roofline_.models_file, "More models, in the form of data/models.toml");
        command->add_option("--threads", roofline_.threads, "--here: beside one thread (default: all processors)");
        command->add_option("--seconds", roofline_.seconds, "--here: time to measure for (default: 10)");
        command->add_option("--format", text_format_, "text or json")->check(CLI::IsMember({"text", "json"}));
        command->parse_complete_callback([this] { roofline_.json = text_format_ == "json"; });
    }

    void doctor() {
        add(app_, "doctor", "What works here, what is missing, and how to mend it", doctor_, doctor_command);
    }

    void demo() {
        CLI::App* command =
            add(app_, "demo", "A wrong attempt explained, then a small cohort graded", demo_, demo_command);
        command->add_option("--compiler", demo_.compiler, "C++ compiler, by name or path");
        add_isolation(command, demo_.isolation);
    }
};

} // namespace

namespace assay {

Exit run_command_line(int argc, char** argv) { return CommandLine().run(argc, argv); }

std::string refusal_of(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"assay"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    try {
        CommandLine().parse(static_cast<int>(words.size()), pointers.data());
    } catch (const CLI::Success&) {
    } catch (const Stop& stop) {
        return stop.what();
    }
    return "";
}

} // namespace assay
