// Slurm played by shell scripts on PATH: sbatch runs its tasks at once, or does to them what the test asks for.
#ifndef ASSAY_TESTS_GRADE_FAKE_SLURM_HPP
#define ASSAY_TESTS_GRADE_FAKE_SLURM_HPP

#include "catalogue/files.hpp"
#include "grade/slurm.hpp"
#include "grade/stand_in.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/stat.h>

/// What becomes of a task is read from the file fate-<job>-<index>, else fate-<job>, else fate, else it runs:
///   twice   delivered two times, both at once        lost     its node fails before it begins
///   held    waits for a person                       stuck    runs for ever
///   silent  runs where nothing that it writes is seen   dies  writes a log and no result
/// `down` holds how often squeue, `mute` how often sbatch has yet to fail as with no controller; `refuse` holds what
/// sbatch says to everything; `taken` makes a mute sbatch run its tasks all the same.
class FakeSlurm {
  public:
    explicit FakeSlurm(const Scratch& scratch) : scratch_(scratch), path_(std::getenv("PATH")) {
        write_records(scratch);
        const std::string here = "here=" + scratch.path.native() + "\n";
        const std::string countdown = "fails() { n=$(cat $here/$1 2>/dev/null || echo 0); [ $n -gt 0 ] || return 1; "
                                      "echo $((n - 1)) > $here/$1; }\n";
        program("sbatch", here + countdown + sbatch);
        program("squeue", here + countdown + squeue);
        program("scancel", here + scancel);
        scratch.write("shard.sh", here + shard);
        scratch.write("queue", "");
        ::setenv("PATH", ((scratch.path / "bin").native() + ":/usr/bin:/bin").c_str(), 1);
    }
    FakeSlurm(const FakeSlurm&) = delete;
    FakeSlurm& operator=(const FakeSlurm&) = delete;
    ~FakeSlurm() { ::setenv("PATH", path_.c_str(), 1); }

    std::vector<std::string> task_program() const { return {"/bin/sh", (scratch_.path / "shard.sh").native()}; }

    std::string said(const std::string& file) const {
        bool ok = false;
        return assay::read_text(scratch_.path / file, ok);
    }
    /// Lines of a file: "submitted" (sbatch's arguments), "cancelled", "ran" (candidates), "asked" (squeue).
    int lines(const std::string& file) const {
        const std::string text = said(file);
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }

  private:
    const Scratch& scratch_;
    std::string path_;

    void program(const std::string& name, const std::string& text) const {
        scratch_.write("bin/" + name, "#!/bin/sh\n" + text);
        ::chmod((scratch_.path / "bin" / name).c_str(), 0755);
    }

    static constexpr const char* sbatch = R"sh(echo "$*" >> $here/submitted
unreachable='sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)'
if [ -e $here/refuse ]; then cat $here/refuse >&2; exit 1; fi
mute=; if fails mute; then mute=1; [ -e $here/taken ] || { echo "$unreachable" >&2; exit 1; }; fi
job=$(cat $here/next 2>/dev/null || echo 1); echo $((job + 1)) > $here/next
for word in "$@"; do
  case "$word" in
  --array=0-*) last=${word#--array=0-} ;;
  --output=*) pattern=${word#--output=} ;;
  --*) ;;
  *) if [ -z "$script" ]; then script=$word; else offset=$word; fi ;;
  esac
done
i=0
while [ $i -le $last ]; do
  log=$(echo "$pattern" | sed "s/%A/$job/; s/%a/$i/")
  run() { SLURM_ARRAY_TASK_ID=$i /bin/sh "$script" "$offset" >> "$log" 2>&1; }
  fate=$(cat $here/fate-$job-$i 2>/dev/null || cat $here/fate-$job 2>/dev/null || cat $here/fate 2>/dev/null || echo run)
  state='COMPLETED|None|n1'
  case $fate in
  run) run ;;
  twice) run & run; wait ;;
  lost) state='NODE_FAIL|NodeDown|n2' ;;
  held) state='PENDING|JobHeldUser|' ;;
  stuck) state='RUNNING|None|n1' ;;
  silent) state='FAILED|NonZeroExitCode|n1' ;;
  dies) echo 'no room on the disk' > "$log"; state='FAILED|NonZeroExitCode|n1' ;;
  esac
  echo "${job}_$i|$state" >> $here/queue
  i=$((i + 1))
done
[ -z "$mute" ] || { echo "$unreachable" >&2; exit 1; }
echo $job
)sh";
    static constexpr const char* squeue = R"sh(echo "$*" >> $here/asked
if fails down; then echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1; fi
cat $here/queue
)sh";
    static constexpr const char* scancel = R"sh(echo "$*" >> $here/cancelled
case "$*" in *--name=*) sed -i 's/RUNNING|.*/CANCELLED|None|/; s/PENDING|.*/CANCELLED|None|/' $here/queue ;;
*) for task in "$@"; do sed -i "/^$task|/d" $here/queue; done ;; esac
)sh";
    // $1 the output folder, $2 the shard's file. How a unit fares is in its candidate's name.
    static constexpr const char* shard = R"sh(folder=$(dirname "$2") number=$(basename "$2" .json) i=0 comma=
number=${number#shard-}
for c in $(sed -n 's/^ *"candidate": "\(.*\)",$/\1/p' "$2"); do
  record=$1/records/$c/sdpa.json
  mkdir -p "$(dirname "$record")"
  case $c in
  right*) [ -e "$record" ] || { echo $c >> $here/ran; cp $here/right.json "$record.$$"; mv "$record.$$" "$record"; } ;;
  crash*) faults="$faults$comma{\"unit\": $i, \"changed\": false, \"reason\": \"the judge was killed\"}" comma=, ;;
  changed*) faults="$faults$comma{\"unit\": $i, \"changed\": true, \"reason\": \"\"}" comma=, ;;
  esac
  i=$((i + 1))
done
echo "{\"node\": \"n1\", \"faults\": [$faults]}" > "$folder/report.$$"
mv "$folder/report.$$" "$folder/report-$number.json"
)sh";
};

#endif
