#!/bin/sh
# Submits what was missing of the plan when this was written: 3 of 6 segments; the audio is there.
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
tasks=${1-1,4-5}
# Within a job of Slurm: its number in an array, and how often it was tried, are not those of the jobs to come.
unset SLURM_ARRAY_TASK_ID SLURM_RESTART_COUNT

# Prints a job's number. Logs are beside the scripts.
submit() {
  id=$(sbatch --parsable --chdir="$here" "$@") || return
  echo "${id%%;*}"
}

after=
if [ -n "$tasks" ]; then
  segments=$(submit --output=log-%A_%a.txt --array="$tasks" "$here/part.sbatch")
  echo "segments: job $segments, tasks $tasks"
  after=$after:$segments
fi
# After all of them, whether or not they succeeded: the join finds out, and says what is missing.
movie=$(submit --output=log-%j-join.txt ${after:+--dependency=afterany$after} $wait "$here/join.sbatch")
echo "movie: job $movie"
# sbatch takes a job that was canceled before it began for one that succeeded. Such a job has no log; the movie may be an old one.
if [ -n "$wait" ]; then
  [ -e "$here/log-$movie-join.txt" ] || exit 75
  cd -- "$here" && cd -- .. || exit 74
  [ -e holiday.mp4 ] || exit 75
fi
