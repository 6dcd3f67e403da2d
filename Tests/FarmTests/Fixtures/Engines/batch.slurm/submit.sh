#!/bin/sh
# Submits what was missing of the plan when this was written: 40 of 40 rows.
#
#   submit.sh [--wait] [TASKS]
#
# TASKS are other numbers of the array, such as 1,7-9; '' submits none. With --wait it ends when all is done, with the status of the
# last job. sbatch takes its options from the environment: SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT, SBATCH_MEM_PER_NODE.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
wait=
if [ "${1-}" = --wait ]; then
  wait=--wait
  shift
fi
tasks=${1-0-13}
# Within a job of Slurm: its number in an array, and how often it was tried, are not those of the jobs to come.
unset SLURM_ARRAY_TASK_ID SLURM_RESTART_COUNT

# Prints a job's number. Logs are beside the scripts.
submit() {
  id=$(sbatch --parsable --chdir="$here" "$@") || return
  echo "${id%%;*}"
}

if [ -z "$tasks" ]; then
  echo "submit: nothing is missing"
  exit
fi
rows=$(submit --output=log-%A_%a.txt --array="$tasks" $wait "$here/part.sbatch")
echo "rows: job $rows, tasks $tasks"
