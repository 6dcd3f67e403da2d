# Part of Tests/Tools/farm-check: nodes that go down, tasks that are killed, tries, cancels. Bash, sourced.

# The process of the tool that renders a part in a run's folder; nothing if there is none. Only processes below that folder are looked at.
renderer() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(readlink -- "$process/cwd" 2>/dev/null)" = "$(folder "$1")" ] || continue
    [ "$(readlink -- "$process/exe" 2>/dev/null)" = "$(readlink -f -- "$tool")" ] || continue
    # Under way: it has begun to write.
    find "$(folder "$1")" -path '*partial*' -name '*.mp4' -size +0 2>/dev/null | grep -q . || continue
    echo "${process#/proc/}"
    return 0
  done
  return 1
}

parent() { sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status"; }

# Submits in the background and waits until a part is being rendered: `rendering` is its process, `submission` the submission's.
submit_until_rendering() {
  submit "$1" >"$work/submission" 2>&1 &
  submission=$!
  until_true 60 renderer "$1" || return
  rendering=$(renderer "$1")
}

check_failures() {
  check_openjd_cancel
  has_slurm_or_skip "failures in Slurm" || return 0
  check_killed_task
  check_another_try
  check_cancel
  check_killed_node
}

check_openjd_cancel() {
  if [ ! -x "$openjd" ]; then
    skip "a cancel in OpenJD: openjd-cli is not installed. Run: scripts/oracles"
    return
  fi
  copy interrupted
  in_folder interrupted "$tool" farm openjd plan.json --output job --tool "$tool" >/dev/null
  (cd -- "$(folder interrupted)/job" && exec "$openjd" run template.yaml -p file://openjd_values.yaml) >"$work/session" 2>&1 &
  local session=$!
  if until_true 60 renderer_below_openjd; then pass "a part is under way in OpenJD"; else fail "no part is under way in OpenJD"; fi
  kill -INT "$session"
  wait "$session"
  expect "an interrupted session ends with" $? 1
  expect "what it leaves half done" "$(find "$(folder interrupted)" -name '.compositor-partial*' | wc -l)" 0
  check "the next one renders the rest" run_openjd interrupted && same "OpenJD, after an interruption" interrupted
}

# In OpenJD the tool runs in the folder of the session; the parts say that it has begun.
renderer_below_openjd() { find "$(parts interrupted)" -path '*partial*' -size +0 2>/dev/null | grep -q .; }

# As the system does that is out of memory: signal 9 to the tool alone.
check_killed_task() {
  copy killed
  submit_until_rendering killed || { fail "no part is under way" && return; }
  kill -KILL "$rendering"
  wait "$submission"
  expect "the join after a killed task ends with" $? 75
  expect "a movie is there" "$([ -e "$(movie killed)" ] && echo yes || echo no)" no
  expect "what the join calls missing" "$(grep -c 'render --plan' "$(ls -t "$(folder killed)"/job/log-*-join.txt | head -n 1)")" 1
  touch -- "$work/before"
  check "what is missing" submit killed && same "after a killed task" killed
  expect "parts that were rendered again" "$(find "$(parts killed)" -name '*.mp4' -newer "$work/before" | wc -l)" 1
}

# Status 75: a stand-in ends with it at the first try of a segment, and runs the tool at the next.
check_another_try() {
  copy tries
  cat >"$work/flaky" <<SCRIPT
#!/bin/sh
case " \$* " in
*" --segment 2 "*) [ -e "$work/tried" ] || { : >"$work/tried" && exit 75; } ;;
esac
exec "$tool" "\$@"
SCRIPT
  chmod +x "$work/flaky"
  run_tool=$work/flaky submit tries >"$work/submission" 2>&1 &
  submission=$!
  start_requeued_now
  wait "$submission"
  expect "the join after another try ends with" $? 0
  same "after another try" tries
  expect "tasks that were tried again" "$(scontrol show job -o | grep -c "Restarts=1 ")" 1
}

check_cancel() {
  copy canceled
  submit_until_rendering canceled || { fail "no part is under way" && return; }
  scancel --me
  until_true 30 no_jobs
  wait "$submission"
  expect "a canceled submission ends with another status than 0" "$([ $? -ne 0 ] && echo yes)" yes
  expect "what it leaves half done" "$(find "$(folder canceled)" -name '.compositor-partial*' | wc -l)" 0
  until_true 20 nodes_are_idle
  check "the rest" submit canceled && same "after a cancel" canceled
}

# A node that is gone at once: nothing on it reports any more. Stopped first, so that no process sees another one end.
check_killed_node() {
  copy node
  submit_until_rendering node || { fail "no part is under way" && return; }
  local name script step daemon
  name=$(tr '\0' '\n' <"/proc/$rendering/environ" | sed -n 's/^SLURMD_NODENAME=//p')
  script=$(parent "$rendering")
  step=$(parent "$script")
  daemon=$(eval "echo \$$name")
  kill -STOP "$daemon" "$step" "$script" "$rendering"
  kill -KILL "$daemon" "$step" "$script" "$rendering"
  wait "$daemon" 2>/dev/null
  if until_true 90 node_is_down "$name"; then pass "$name is seen to be down"; else fail "$name is not seen to be down"; fi
  start_node "${name#node}"
  start_requeued_now
  wait "$submission"
  expect "the join after the death of a node ends with" $? 0
  same "after the death of a node" node
}

# Slurm waits two minutes before it starts a requeued job.
start_requeued_now() { until_true 60 requeued_job && scontrol update JobId="$(requeued_job)" StartTime=now; }

node_is_down() { sinfo -h -n "$1" -o %T | grep -q down; }
requeued_job() { scontrol show job -o | grep 'Restarts=1 ' | grep 'JobState=PENDING' | grep -o '^JobId=[0-9]*' | cut -d= -f2 | grep .; }
