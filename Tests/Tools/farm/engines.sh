# Part of Tests/Tools/farm-check: OpenJD and lists of commands. Bash, sourced.
openjd=$checkout/.venv/bin/openjd

check_openjd() {
  if [ ! -x "$openjd" ]; then
    skip "OpenJD: openjd-cli is not installed. Run: scripts/oracles"
    return
  fi
  copy openjd
  check "a job bundle is written" in_folder openjd "$tool" farm openjd plan.json --output job --tool "$tool"
  check "openjd check accepts it" "$openjd" check "$(folder openjd)/job/template.yaml"
  check "openjd run" run_openjd openjd && same "OpenJD" openjd
  check_openjd_progress
  check "a second run renders nothing and joins anew" again_openjd openjd && same "OpenJD, once more" openjd

  # What workers do: two sessions at a time, each with its share of the tasks.
  copy sessions
  in_folder sessions "$tool" farm openjd plan.json --output job --tool "$tool" >/dev/null
  run_openjd sessions --step Segments --tasks '[{"Segment":5},{"Segment":3},{"Segment":1}]' >"$work/session" 2>&1 &
  local other=$!
  check "one session renders three segments" run_openjd sessions --step Segments --tasks '[{"Segment":0},{"Segment":2},{"Segment":4}]'
  wait "$other"
  expect "the session beside it ends with" $? 0
  check "the audio" run_openjd sessions --step Audio
  check "the join" join sessions && same "two sessions at a time" sessions
}

run_openjd() {
  (cd -- "$(folder "$1")/job" && "$openjd" run template.yaml -p file://openjd_values.yaml "${@:2}")
}

again_openjd() { rm -f -- "$(movie "$1")" && run_openjd "$1"; }

# The engine parsed the tool's output: progress and status are among the messages of the session.
check_openjd_progress() {
  copy progress
  in_folder progress "$tool" render --plan plan.json --segment 0 --progress openjd >"$work/lines" 2>/dev/null
  expect "progress ends at 100" "$(grep '^openjd_progress: ' "$work/lines" | tail -n 1)" "openjd_progress: 100.0"
  in_folder progress "$tool" render --plan none.json --segment 0 --progress openjd >"$work/lines" 2>/dev/null
  expect "a failure is told" "$(grep -c '^openjd_fail: ' "$work/lines")" 1
}

check_lists() {
  copy xargs
  in_folder xargs "$tool" farm commands plan.json --tool "$tool" --output list 2>/dev/null
  check "xargs runs the commands" in_folder xargs xargs -a list -d '\n' -P 2 -I{} sh -c {}
  check "the join" join xargs && same "xargs" xargs

  if ! command -v parallel >/dev/null; then
    skip "GNU parallel is not installed. Run: scripts/setup parallel"
    return
  fi
  copy parallel
  in_folder parallel "$tool" farm commands plan.json --tool "$tool" --output list 2>/dev/null
  check "parallel runs the commands" in_folder parallel parallel --will-cite -j 2 --joblog log -a list
  check "the join" join parallel && same "GNU parallel" parallel
  # The truth is the folder: parallel's own log would have nothing to do.
  rm -f -- "$(movie parallel)" "$(find "$(parts parallel)" -name '*1.mp4' | sort | head -n 1)"
  in_folder parallel "$tool" farm commands plan.json --tool "$tool" --output list --overwrite 2>/dev/null
  expect "commands after a part got lost" "$(wc -l <"$(folder parallel)/list")" 1
  check "they run" in_folder parallel parallel --will-cite -a list
  check "the join" join parallel && same "GNU parallel, after a part got lost" parallel
}
