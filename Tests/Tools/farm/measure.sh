# Part of Tests/Tools/farm-check: what the farm costs, on a machine that does nothing else. Bash, sourced.

now() { date +%s.%N; }
elapsed() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# A worker takes the next command that no other took, on a processor of its own.
worker() {
  local line number=0
  while IFS= read -r line; do
    number=$((number + 1))
    mkdir "$work/taken/$number" 2>/dev/null || continue
    taskset -c "$1" sh -c "$line" || return
  done <"$work/list"
}

# 60 s of 1080p: two nodes of one processor each against one of one processor, from the plan to the movie. H.264, since the threads
# of libx265 choose their processors themselves: taskset does not hold them.
measure_nodes() {
  step "two nodes of one processor against one, 60 s of 1920x1080"
  make_project "$work/large" "${MEASURE_SECONDS:-60}" 1920x1080 || { fail "no plan" && return; }
  sed -i 's/codec: "hevc"/codec: "h264"/; s/color: "pq", hdrMetadata: "generate"/color: "bt709"/' "$work/large/movie.json5"
  (cd -- "$work/large" && "$tool" plan movie.json5 --length 10s --output plan.json --overwrite >/dev/null 2>&1) || { fail "no plan" && return; }
  local start one two
  copy alone "$work/large"
  start=$(now)
  check "one node" render_single alone taskset -c 0
  one=$(elapsed "$start")
  copy pair "$work/large"
  rm -rf -- "$work/taken" && mkdir "$work/taken"
  start=$(now)
  in_folder pair "$tool" farm commands plan.json --tool "$tool" >"$work/list" 2>/dev/null
  in_folder pair worker 0 >/dev/null 2>&1 &
  local first=$!
  in_folder pair worker 1 >/dev/null 2>&1
  wait "$first"
  check "the join" in_folder pair taskset -c 0 "$tool" concat plan.json --output movie.mp4
  two=$(elapsed "$start")
  same "two nodes" pair alone
  echo "  one node $one s, two nodes $two s"
  within "time of two nodes, of one's" "$(ratio "$two" "$one")" 0.56
}

# The same frames in one part and in parts of 10 s.
measure_cuts() {
  step "parts of 10 s against one part, 60 s of 1280x720"
  make_project "$work/sizes" "${MEASURE_SECONDS:-60}" 1280x720 || { fail "no plan" && return; }
  local codec sizes=() form
  for codec in h264 hevc; do
    sizes=()
    for form in "--segments 1" "--length 10s"; do
      copy sizes "$work/sizes"
      sed -i "s/codec: \"hevc\"/codec: \"$codec\"/" "$(folder sizes)/movie.json5"
      [ "$codec" = hevc ] || sed -i 's/color: "pq", hdrMetadata: "generate"/color: "bt709"/' "$(folder sizes)/movie.json5"
      # shellcheck disable=SC2086
      in_folder sizes "$tool" plan movie.json5 $form --output plan.json --overwrite >/dev/null 2>&1
      check "$codec, $form" render_single sizes
      sizes+=("$(ffprobe -v error -select_streams v -show_entries packet=size -of csv=p=0 "$(movie sizes)" | tr -d , | awk '{ s += $1 } END { print s }')")
    done
    echo "  $codec: ${sizes[0]} bytes in one part, ${sizes[1]} in parts of 10 s"
    within "$codec: size in parts of 10 s, of one part's" "$(ratio "${sizes[1]}" "${sizes[0]}")" 1.01
  done
}

# An hour of 1280x720 with some noise, 5 GB to join: the join against a copy of the movie, both to the disk.
measure_join() {
  local length=${MEASURE_JOIN_SECONDS:-3600} try start copies=() joins=()
  step "joining $length s against copying the movie"
  mkdir -p -- "$work/hour/clips"
  ffmpeg -v error -nostdin -y -f lavfi -i "testsrc2=s=1280x720:r=30,noise=alls=4:allf=t" -f lavfi -i "sine=frequency=330:sample_rate=48000" \
    -t 20 -pix_fmt yuv420p -c:a aac -c:v libx264 -preset ultrafast "$work/hour/clips/noise.mp4"
  {
    echo '{ version: 1, output: { size: "1280x720", frameRate: 30, video: { codec: "h264", encoderSpeed: "ultrafast" } }, '
    echo '  assets: { noise: "clips/noise.mp4" }, tracks: [{ clips: ['
    for ((try = 0; try < length; try += 20)); do echo '    { asset: "noise", duration: "20s" },'; done
    echo '] }] }'
  } >"$work/hour/movie.json5"
  (cd -- "$work/hour" && "$tool" plan movie.json5 --length 60s --output plan.json >/dev/null) || { fail "no plan" && return; }
  copy hour "$work/hour"
  check "the parts and a first join" render_single hour
  for try in 1 2 3 4 5; do
    rm -f -- "$work/copy.mp4"
    sync -f "$work"
    start=$(now)
    cp -- "$(movie hour)" "$work/copy.mp4" && sync "$work/copy.mp4"
    copies+=("$(elapsed "$start")")
    mv -- "$(movie hour)" "$work/whole.mp4"
    sync -f "$work"
    start=$(now)
    join hour >/dev/null 2>&1
    joins+=("$(elapsed "$start")")
    cmp -s "$(movie hour)" "$work/whole.mp4" || fail "join $try: other bytes"
  done
  echo "  $(stat -c %s "$(movie hour)") bytes; copies ${copies[*]} s, joins ${joins[*]} s"
  within "median of the joins, of the copies'" \
    "$(ratio "$(printf '%s\n' "${joins[@]}" | median)" "$(printf '%s\n' "${copies[@]}" | median)")" 1.2
}
