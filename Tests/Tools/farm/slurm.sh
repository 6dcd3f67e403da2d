# Part of Tests/Tools/farm-check: a cluster of two nodes on loopback, without systemd, cgroups, database or network. Bash, sourced.
cluster=$work/slurm
daemons=()

has_slurm() { command -v slurmctld slurmd sbatch scontrol munged >/dev/null; }

# An unused port.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# start_slurm: the daemons run as the user who calls, with a key of their own.
start_slurm() {
  [ ${#daemons[@]} -eq 0 ] || return 0
  local track=pgid
  [ "$(id -u)" -ne 0 ] || track=linuxproc
  mkdir -p -- "$cluster/state" "$cluster/spool/node1" "$cluster/spool/node2" "$cluster/munge"
  chmod 755 "$work" "$cluster" && chmod 711 "$cluster/munge"
  export SLURM_CONF=$cluster/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=farm
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd.%n.log
ProctrackType=proctrack/$track
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=10
KillWait=10
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=node2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=render Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
CONF
  head -c 128 /dev/urandom >"$cluster/munge/key"
  chmod 600 "$cluster/munge/key"
  munged --foreground --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" --pid-file="$cluster/munge/pid" \
    --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" >"$cluster/munge/output" 2>&1 &
  daemons+=($!)
  until_true 10 test -S "$cluster/munge/socket" || return
  slurmctld -D -c -f "$SLURM_CONF" >"$cluster/slurmctld.output" 2>&1 &
  daemons+=($!)
  start_node 1
  start_node 2
  until_true 30 nodes_are_idle
}

start_node() {
  slurmd -D -N "node$1" -f "$SLURM_CONF" >"$cluster/slurmd.node$1.output" 2>&1 &
  daemons+=($!)
  eval "node$1=$!"
}

nodes_are_idle() { [ "$(sinfo -h -N -o %T | sort -u)" = idle ]; }

# Jobs first, so that no step is left without its daemon; then the daemons, by their numbers.
stop_slurm() {
  [ ${#daemons[@]} -gt 0 ] || return 0
  scancel --quiet --me 2>/dev/null
  until_true 15 no_jobs
  local pid
  for ((pid = ${#daemons[@]} - 1; pid >= 0; pid--)); do
    kill "${daemons[pid]}" 2>/dev/null && wait "${daemons[pid]}" 2>/dev/null
  done
  daemons=()
}

no_jobs() { [ -z "$(squeue -h --me 2>/dev/null)" ]; }

# submit RUN [ARGUMENT…]: writes the scripts of what is missing, submits them and waits for the last job.
submit() {
  in_folder "$1" "$tool" farm slurm plan.json --output job --tool "${run_tool:-$tool}" --overwrite >/dev/null &&
    in_folder "$1" job/submit.sh --wait "${@:2}"
}

# The hosts on which the tasks of a run's array ran.
hosts() { grep -ho 'BatchHost=[^ ]*' "$1" | sort -u | wc -l; }

has_slurm_or_skip() {
  if ! has_slurm; then
    skip "$1: Slurm is not installed. Run: scripts/setup slurmctld slurmd slurm-client munge"
    return 1
  fi
  if ! start_slurm; then
    fail "$1: Slurm does not start"
    tail -n 5 "$cluster"/*.log "$cluster"/*.output "$cluster"/munge/{log,output} 2>/dev/null | sed 's/^/    /'
    return 1
  fi
}

check_slurm() {
  has_slurm_or_skip "Slurm" || return 0
  copy slurm
  check "an array, the audio and their join" submit slurm && same "Slurm" slurm
  scontrol show job -o >"$work/jobs"
  expect "nodes that took part" "$(hosts "$work/jobs")" 2
  rm -f -- "$(movie slurm)" "$(find "$(parts slurm)" -name '*1.mp4' | sort | head -n 1)"
  check "what is missing alone" submit slurm && same "Slurm, after a part got lost" slurm
  expect "its tasks" "$(grep -o '^tasks=.*' "$(folder slurm)/job/submit.sh")" 'tasks=${1-1}'

  # More segments than an array may have tasks.
  copy chunks
  in_folder chunks "$tool" farm slurm plan.json --output job --tool "$tool" --array-limit 2 >/dev/null
  check "three segments a task" in_folder chunks job/submit.sh --wait && same "Slurm, three segments a task" chunks
}
