#!/usr/bin/env bash
# A Slurm of its own on loopback, for shards_test.sh: Debian's slurm-wlm without systemd, accounts, cgroups or a database.
#   minislurm.sh start FOLDER [NODES]    a controller and nodes node1, node2 ... with one CPU each, all below FOLDER; then
#                                        SLURM_CONF=FOLDER/slurm.conf leads sbatch, squeue and scontrol there
#   minislurm.sh lose FOLDER NODE        ends the node as a power cut does, as soon as a job has processes there: them and its daemon
#   minislurm.sh stop FOLDER             ends all of it, and waits until it has ended
# Ports from 17000 on, or from BASE_PORT. Needs root, or a SlurmUser that is you.
set -euo pipefail
command=$1 folder=$2
ports=${BASE_PORT:-17000}

write_conf() {  # NODES
  local host user node
  host=$(hostname -s) user=$(id -un)
  cat <<CONF
ClusterName=icount
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
CredType=cred/none
# A job of a lost node goes on elsewhere only when its credential has expired; two minutes by default.
AuthInfo=cred_expire=5
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
StateSaveLocation=$folder/state
SlurmdPidFile=$folder/%n.pid
SlurmdLogFile=$folder/%n.log
SlurmdSpoolDir=$folder/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
# One CPU for each node, whatever the machine has.
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
SlurmdTimeout=10
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
CONF
  for ((node = 1; node <= $1; node++)); do
    echo "NodeName=node$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((ports + node)) CPUs=1 State=UNKNOWN"
  done
  echo "PartitionName=all Nodes=node[1-$1] Default=YES MaxTime=INFINITE State=UP"
}

# Ends the processes by SIGNAL and waits, at most ten seconds, until none of them is left.
end_processes() {  # SIGNAL PID...
  local signal=$1 i
  shift
  [ $# -gt 0 ] || return 0
  kill "-$signal" "$@" 2>/dev/null || true
  for ((i = 0; i < 100; i++)); do
    kill -0 "$@" 2>/dev/null || return 0
    read -rt 0.1 <> <(:) || true
  done
}

# Processes of jobs: Slurm tells them their node, and who submitted them which Slurm it is. One may end while its file is read.
processes_of() {  # NODE
  local files
  mapfile -t files < <(grep -slzx "SLURM_CONF=$folder/slurm.conf" /proc/[0-9]*/environ)
  [ ${#files[@]} -eq 0 ] || grep -slzx "SLURMD_NODENAME=$1" "${files[@]}" | cut -d / -f 3
}

case $command in
start)
  nodes=${3:-2}
  mkdir -p "$folder/state"
  write_conf "$nodes" >"$folder/slurm.conf"
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -f "$SLURM_CONF"
  for ((i = 1; i <= nodes; i++)); do
    mkdir -p "$folder/spool-node$i"
    slurmd -f "$SLURM_CONF" -N "node$i"
  done
  ;;
lose)
  lost=()
  until mapfile -t lost < <(processes_of "$3") && [ ${#lost[@]} -gt 1 ]; do
    [ $SECONDS -lt 60 ] || { echo "no job ran on $3 within a minute" >&2; exit 1; }
  done
  # The step daemon above them goes first: it would tell the controller that the job has failed.
  steps=()
  for pid in "${lost[@]}"; do
    echo "$3 loses $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" | cut -c 1-80)"
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status")
    [ "$(cat "/proc/${parent:-0}/comm" 2>/dev/null)" != slurmstepd ] || steps+=("$parent")
  done 2>/dev/null
  end_processes KILL "$(cat "$folder/$3.pid")" "${steps[@]}" "${lost[@]}"
  ;;
stop)
  pids=()
  for file in "$folder"/*.pid; do
    [ -s "$file" ] && pids+=("$(cat "$file")")
  done
  end_processes TERM "${pids[@]}"
  ;;
esac
