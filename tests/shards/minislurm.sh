#!/bin/bash
# From the project's reference material (packaging facts); used by shards_test.sh alone.
# minislurm.sh start|stop DIR [NNODES] [CPUS_PER_NODE] [auth: none|munge]
# A private Slurm on loopback: own directory, own ports, no systemd, no cgroup, no database.
set -eu
cmd=$1 D=$2 N=${3:-2} C=${4:-1} AUTH=${5:-munge} BASE=${BASE_PORT:-17000}
case $cmd in
start)
  mkdir -p "$D"/{state,log,spool,munge}
  chmod 755 "$D"
  H=$(hostname -s)
  if [ "$AUTH" = munge ]; then
    chmod 700 "$D/munge"
    head -c 128 /dev/urandom >"$D/munge/key"; chmod 400 "$D/munge/key"
    mkdir -p "$D/msock"; chmod 755 "$D/msock"
    munged --key-file="$D/munge/key" --socket="$D/msock/s" --pid-file="$D/munge/pid" \
           --log-file="$D/munge/log" --seed-file="$D/munge/seed" --num-threads=2
    A="AuthType=auth/munge
AuthInfo=socket=$D/msock/s,cred_expire=${CRED_EXPIRE:-5}
CredType=cred/munge"
  else
    A="AuthType=auth/none
AuthInfo=cred_expire=${CRED_EXPIRE:-5}
CredType=cred/none"
  fi
  {
    cat <<X
ClusterName=icount
SlurmctldHost=$H(127.0.0.1)
SlurmUser=root
SlurmdUser=root
$A
SlurmctldPort=$BASE
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd-%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/%n.log
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$D/jobcomp.txt
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobRequeue=1
SlurmdTimeout=${SLURMD_TIMEOUT:-10}
SlurmctldTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=300
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
X
    for i in $(seq 1 "$N"); do
      echo "NodeName=node$i NodeHostname=$H NodeAddr=127.0.0.1 Port=$((BASE+i)) CPUs=$C State=UNKNOWN"
    done
    echo "PartitionName=all Nodes=node[1-$N] Default=YES MaxTime=INFINITE State=UP"
  } >"$D/slurm.conf"
  export SLURM_CONF=$D/slurm.conf
  /usr/sbin/slurmctld -f "$D/slurm.conf"
  for i in $(seq 1 "$N"); do mkdir -p "$D/spool/node$i"; /usr/sbin/slurmd -f "$D/slurm.conf" -N "node$i"; done
  ;;
stop)
  for p in "$D"/slurmd-*.pid "$D"/slurmctld.pid "$D"/munge/pid; do
    [ -s "$p" ] && kill "$(cat "$p")" 2>/dev/null || true
  done
  ;;
esac
