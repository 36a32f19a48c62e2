# A Slurm cluster of its own on this machine, without systemd: munge, one controller, two nodes. Sourced by bash scripts.
# Everything lies in $cluster; as another user than root it serves that user alone.
#   cluster_missing      what is not installed, or nothing
#   cluster_up           sets $cluster, SLURM_CONF
#   start_controller, stop_controller, start_node N, lose_node N, repair_until_gone PID
#   cluster_down
# shellcheck shell=bash

sbin() { command -v "$1" || command -v "/usr/sbin/$1"; }

cluster_missing() {
  local program
  for program in munged slurmctld slurmd; do sbin $program >/dev/null || echo "$program"; done
  for program in sbatch squeue scancel scontrol sinfo; do command -v $program >/dev/null || echo "$program"; done
}

# COUNT ports that nobody listens on, in a row.
free_ports() {
  local first offset taken
  for ((first = 20000 + RANDOM % 20000; ; first += 7)); do
    taken=
    for ((offset = 0; offset < $1; offset++)); do
      (exec 3<>"/dev/tcp/127.0.0.1/$((first + offset))") 2>/dev/null && taken=1
    done
    [ -z "$taken" ] && echo "$first" && return
  done
}

wait_for() { # SECONDS WHAT COMMAND...
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if [ $SECONDS -ge $end ]; then
      echo "cluster: $what did not come about" >&2
      tail -n 20 "$cluster"/*.log >&2
      return 1
    fi
    sleep 0.2
  done
}

nodes_idle() { [ "$(sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | sort -u | wc -l)" = "$1" ]; }

start_munge() {
  mkdir -m 0700 "$cluster/munge"
  mkdir -m 0755 "$cluster/run"
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 0400 "$cluster/munge/key"
  "$(sbin munged)" --foreground --force --num-threads=2 --key-file="$cluster/munge/key" \
    --socket="$cluster/run/munge.socket" --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
    --seed-file="$cluster/munge/seed" >"$cluster/munged.log" 2>&1 &
  munge_pid=$!
  wait_for 20 "munge's socket" test -S "$cluster/run/munge.socket"
}

start_controller() {
  "$(sbin slurmctld)" -D -f "$SLURM_CONF" >"$cluster/slurmctld.out" 2>&1 &
  controller_pid=$!
}

stop_controller() { # as a machine that loses power
  kill -9 "$controller_pid"
  wait "$controller_pid" 2>/dev/null || true
}

start_node() {
  "$(sbin slurmd)" -D -N "$1" -f "$SLURM_CONF" >"$cluster/$1.out" 2>&1 &
  node_pid[$1]=$!
}

# All that runs for node N: its daemon, then the parents of its tasks, which would report their end, then the tasks.
lose_node() {
  kill -9 "${node_pid[$1]}"
  wait "${node_pid[$1]}" 2>/dev/null || true
  local pid parent parents=() tasks=()
  for pid in $(cd /proc && echo [0-9]*); do
    environment=$(tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null) || continue
    case "$environment" in *"SLURM_CONF=$SLURM_CONF"*) ;; *) continue ;; esac
    case "$environment" in *"SLURMD_NODENAME=$1"*) ;; *) continue ;; esac
    tasks+=("$pid")
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null) || continue
    case "$(tr '\0' ' ' <"/proc/$parent/cmdline" 2>/dev/null)" in slurmstepd*) parents+=("$parent") ;; esac
  done 2>/dev/null
  for pid in "${parents[@]}" "${tasks[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
}

# Puts the nodes back into service again and again while process PID is there.
repair_until_gone() { # PID
  while kill -0 "$1" 2>/dev/null; do
    scontrol update NodeName=n1,n2 State=RESUME >/dev/null 2>&1 || true
    sleep 2
  done
}

cluster_up() {
  cluster=$(mktemp -d "${TMPDIR:-/tmp}/assay-cluster-XXXXXX")
  export SLURM_CONF=$cluster/slurm.conf
  declare -gA node_pid=()
  munge_pid="" controller_pid=""
  local port host me
  port=$(free_ports 3)
  host=$(hostname -s)
  me=$(id -un)
  mkdir "$cluster/state" "$cluster/n1" "$cluster/n2"
  cat >"$SLURM_CONF" <<END
ClusterName=assay
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$cluster/run/munge.socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n/slurmd.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
ReturnToService=2
MessageTimeout=5
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=30
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
  start_munge
  start_controller
  start_node n1
  start_node n2
  wait_for 60 "two idle nodes" nodes_idle 2
}

cluster_down() {
  [ -n "${cluster:-}" ] || return 0
  scancel --user="$(id -u)" 2>/dev/null || true
  local node
  for node in "${!node_pid[@]}"; do lose_node "$node" 2>/dev/null || true; done
  [ -z "$controller_pid" ] || kill -9 "$controller_pid" 2>/dev/null || true
  [ -z "$munge_pid" ] || kill "$munge_pid" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$cluster"
}
