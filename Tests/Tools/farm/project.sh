# Part of Tests/Tools/farm-check: projects, plans and the one-machine render. Bash, sourced.

# The folder and the movie of a run. Names want quoting, as names of people's folders do.
folder() { printf '%s' "$work/it's $1"; }
movie() { printf '%s' "$(folder "$1")/movie.mp4"; }

# A run has a copy of the project and of its plan, at a place of its own, as machines have.
copy() { rm -rf -- "$(folder "$1")" && cp -a -- "${2:-$work/project}" "$(folder "$1")"; }

# make_clips FOLDER SECONDS SIZE: a graded PQ clip with HDR10 metadata and a camera's clip, with audio.
make_clips() {
  local seconds=$2 size=$3
  local hdr10='master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50):max-cll=1000,400'
  mkdir -p -- "$1" &&
    ffmpeg -v error -nostdin -y -f lavfi -i "testsrc2=s=$size:r=30:d=$seconds,format=yuv420p10le,lutyuv=y=64+(val-64)*0.75" \
      -f lavfi -i "sine=frequency=330:sample_rate=48000:duration=$seconds" -c:a aac -c:v libx265 -preset ultrafast \
      -x265-params "log-level=none:hdr10=1:$hdr10" -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv \
      "$1/graded.mp4" &&
    ffmpeg -v error -nostdin -y -f lavfi -i "mandelbrot=s=$size:rate=30" -f lavfi -i "sine=frequency=440:sample_rate=48000" -t "$seconds" \
      -pix_fmt yuv420p -c:a aac -c:v libx264 -preset ultrafast "$1/camera.mp4"
}

# make_project FOLDER SECONDS [SIZE]: titles, a dissolve across the cut in the middle, audio, HDR metadata that are measured; and a
# plan of six parts.
make_project() {
  local seconds=$2 size=${3:-480x270} half fade
  half=$(($2 / 2))
  # A cut moves to the start of an instruction within a quarter of a part, which a dissolve has at both ends: they are farther away.
  fade=$((seconds / 15 > 0 ? seconds / 15 : 1))
  make_clips "$1/clips" $((half + fade + 1)) "$size" || return
  cat >"$1/movie.json5" <<JSON
{
  version: 1,
  output: { size: "$size", frameRate: 30, color: "pq", hdrMetadata: "generate", video: { codec: "hevc", encoderSpeed: "veryfast" } },
  assets: { graded: "clips/graded.mp4", camera: "clips/camera.mp4" },
  tracks: [
    {
      clips: [
        { asset: "graded", duration: "$((half + fade))s" },
        // Half of the dissolve is on either side of the cut.
        { asset: "camera", at: "$((half - fade))s", duration: "$((seconds - half + fade))s", transition: { type: "dissolve", duration: "$((2 * fade))s" } },
      ],
    },
  ],
  titles: [
    { text: "Farm", start: "0.5s", duration: "$((seconds - 1))s" },
    { kind: "lower-third", text: "Ada Lovelace", role: "Mathematician", start: "$((half - 2))s", duration: "4s" },
  ],
}
JSON
  (cd -- "$1" && "$tool" plan movie.json5 --segments 6 --output plan.json) || return
  expect "cuts within the dissolve" "$(cuts "$1/plan.json" | awk -v a=$(((half - fade) * 30)) -v b=$(((half + fade) * 30)) '$1 > a && $1 < b' | wc -l)" 1
}

# The first frame of each part.
cuts() { sed -n '/"cuts" : \[/,/\]/s/^ *\([0-9]*\),\{0,1\}$/\1/p' "$1"; }

# The form that one machine runs, to which all others are compared.
render_single() { (cd -- "$(folder "$1")" && "${@:2}" "$tool" render --plan plan.json --output movie.mp4 --progress none); }

parts() { printf '%s' "$(folder "$1")/plan.parts"; }
join() { (cd -- "$(folder "$1")" && "$tool" concat plan.json --output movie.mp4); }

check_single() {
  copy one-core
  check "one core renders the plan" render_single one-core taskset -c 0 && same "one core" one-core

  copy backwards
  check "the parts in another order" in_folder backwards sh -c '"$0" farm commands plan.json --tool "$0" 2>/dev/null | tac | sh -e' "$tool"
  check "their join" join backwards && same "another order" backwards
  touch -- "$work/before"
  check "their join, tried again" join backwards
  expect "movies that were written again" "$(find "$(movie backwards)" -newer "$work/before" | wc -l)" 0

  # A part that got lost is rendered again, the others are not.
  rm -f -- "$(movie backwards)" "$(find "$(parts backwards)" -name '*1.mp4' | sort | head -n 1)"
  touch -- "$work/before"
  check "one part again" render_single backwards && same "after a second run" backwards
  expect "parts that were rendered again" "$(find "$(parts backwards)" -name '*.mp4' -newer "$work/before" | wc -l)" 1
}

in_folder() { (cd -- "$(folder "$1")" && "${@:2}"); }
