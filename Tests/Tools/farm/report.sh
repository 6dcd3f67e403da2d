# Part of Tests/Tools/farm-check: what was found, counted. Bash, sourced.
passed=0 failed=0 skipped=0

step() { printf '\n== %s (%s)\n' "$1" "$(date -u +%H:%M:%S)"; }
pass() {
  passed=$((passed + 1))
  echo "  ok: $1"
}
fail() {
  failed=$((failed + 1))
  echo "  FAILED: $1"
}
skip() {
  skipped=$((skipped + 1))
  echo "  skipped: $1"
}

# check NAME COMMAND…: passes if the command does. Of one that fails the end of what it printed is shown.
check() {
  local name=$1 status
  shift
  "$@" >"$work/output" 2>&1
  status=$?
  if [ "$status" -eq 0 ]; then
    pass "$name"
  else
    fail "$name (status $status)"
    tail -n 15 "$work/output" | sed 's/^/    /'
  fi
  return "$status"
}

# expect NAME ACTUAL WANTED
expect() {
  if [ "$2" = "$3" ]; then pass "$1"; else fail "$1: $2, expected $3"; fi
}

# within NAME ACTUAL LIMIT: numbers with decimals.
within() {
  if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a <= b) }'; then pass "$1: $2 (at most $3)"; else fail "$1: $2 (at most $3)"; fi
}

digest() { sha256sum <"$1" 2>/dev/null | cut -d' ' -f1; }

# same NAME RUN: the movie of a run is that of one machine, and no partial files are left next to it.
same() {
  local rest
  rest=$(find "$(folder "$2")" -name '.compositor-partial*' -not -path '*/trash/*' 2>/dev/null)
  if [ -n "$rest" ]; then
    fail "$1: left behind $rest"
  elif [ -f "$(movie "$2")" ] && [ "$(digest "$(movie "$2")")" = "$(digest "$(movie "${3:-single}")")" ]; then
    pass "$1: the same bytes"
  else
    fail "$1: other bytes, or no movie"
  fi
}

# until_true SECONDS COMMAND…: waits for a command to succeed.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.05
  done
}

summary() {
  printf '\nfarm-check: %d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}
