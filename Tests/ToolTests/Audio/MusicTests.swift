import CompositorTestSupport
import Foundation
import Testing

/// Audio on the command line: cross-fades, music and levels of joined clips.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct MusicTests {
  /// Stereo clips of 4 s with a tone of −12 dBFS each, and 3 s of music at −12 dBFS.
  private func media(_ scratch: Scratch) throws {
    func make(_ inputs: [String], _ options: [String]) throws {
      try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-y"] + inputs.flatMap { ["-f", "lavfi", "-i", $0] } + options)
    }
    for (name, frequency) in [("a.mov", 440), ("b.mov", 1000)] {
      try make(
        ["color=gray:s=64x48:r=25:d=4", "aevalsrc=0.25*sin(2*PI*\(frequency)*t)|0.25*sin(2*PI*\(frequency)*t):s=48000:d=4"],
        ["-c:v", "ffv1", "-c:a", "pcm_f32le", scratch.folder.appending(path: name).path])
    }
    try make(
      ["aevalsrc=0.25*sin(2*PI*220*t)|0.25*sin(2*PI*220*t):s=48000:d=3"],
      ["-c:a", "pcm_f32le", scratch.folder.appending(path: "song.wav").path])
  }

  private func join(_ scratch: Scratch, _ options: [String], codec: String = "pcm-f32") throws -> DecodedAudio {
    let result = try ToolRun.compositor(
      ["join", "a.mov", "b.mov", "-o", "all.mov", "--overwrite", "--audio-codec", codec, "--progress", "none"] + options,
      in: scratch.folder)
    try #require(result.status == 0, "\(result.errors)")
    return try DecodedAudio(scratch.folder.appending(path: "all.mov").path)
  }

  private func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude / 0.25) }

  @Test(arguments: [(nil, -3.01), ("equal-power", -3.01), ("linear", -6.02), ("none", 0)] as [(String?, Double)])
  func join_transition_crossFadesAudio(_ kind: String?, _ middle: Double) throws {
    let scratch = try Scratch()
    try media(scratch)
    let audio = try join(scratch, ["--transition", "dissolve:2s"] + (kind.map { ["--audio-crossfade", $0] } ?? []))
    #expect(audio.samples.count == 6 * DecodedAudio.sampleRate)
    for frequency in [440.0, 1000] {
      let level = decibels(audio.amplitude(of: frequency, at: 2.975))
      #expect(abs(level - middle) < 0.1, "\(frequency) Hz: \(level) dB")
    }
    #expect(abs(decibels(audio.amplitude(of: 440, at: 1))) < 0.02 && abs(decibels(audio.amplitude(of: 1000, at: 5))) < 0.02)
  }

  /// Three seconds of music under six of movie: again, at its level, faded out over the last quarter of six seconds.
  @Test func join_music_lastsAsLongAsThePictures() throws {
    let scratch = try Scratch()
    try media(scratch)
    let audio = try join(scratch, ["--transition", "dissolve:2s", "--music", "song.wav", "--music-volume", "-12dB"])
    #expect(audio.samples.count == 6 * DecodedAudio.sampleRate)
    for step in 0..<90 {
      let level = decibels(audio.amplitude(of: 220, at: Double(step) / 20))
      #expect(abs(level + 12) < 0.05, "\(level) dB at \(Double(step) / 20) s")
    }
    let middle = decibels(audio.amplitude(of: 220, at: 5.225))
    #expect(abs(middle + 12 + 6.02) < 0.2, "\(middle) dB")
    #expect(decibels(audio.amplitude(of: 220, at: 5.95)) < -40)
  }

  @Test func join_duck_lowersTheMusicUnderTheClips() throws {
    let scratch = try Scratch()
    try media(scratch)
    let audio = try join(scratch, ["--music", "song.wav", "--duck"])
    let level = decibels(audio.amplitude(of: 220, at: 3))
    #expect(abs(level + 12) < 0.3, "\(level) dB")
  }

  @Test func levels_ofTheWhole_areThoseOfTheCommandLine() throws {
    let scratch = try Scratch()
    try media(scratch)
    let quiet = try join(scratch, ["--volume", "-6dB"])
    #expect(abs(decibels(quiet.amplitude(of: 440, at: 1)) + 6) < 0.05)
    _ = try join(scratch, ["--loudness", "-20"], codec: "pcm-s24")
    let loudness = try DecodedAudio.loudness(scratch.folder.appending(path: "all.mov").path)
    #expect(abs(loudness.integrated + 20) < 0.5, "\(loudness.integrated) LUFS")
    // Four times the level of −12 dBFS is full scale; twice that is only kept below it by the limiter.
    let loud = try join(scratch, ["--volume", "18dB"], codec: "pcm-s16")
    #expect(loud.samples.allSatisfy { abs($0) < 0.99 })
    let clipped = try join(scratch, ["--volume", "18dB", "--no-limiter"], codec: "pcm-s16")
    #expect(clipped.samples.contains { abs($0) > 0.999 })
  }

  @Test(arguments: [
    (["join", "a", "b", "--audio-crossfade", "linear"], "--audio-crossfade requires --transition"),
    (["join", "a", "b", "--transition", "dissolve:1s", "--audio-crossfade", "loud"], "linear"),
    (["join", "a", "b", "--duck"], "--duck requires --music"),
    (["join", "a", "b", "--music-volume", "1"], "--music-volume requires --music"),
    (["join", "a", "b", "--music", "c", "--music-volume", "quiet"], "\"quiet\" is not a volume"),
    (["render", "a", "--loudness", "-14dB"], "not a loudness"), (["render", "a", "--loudness", "-3"], "-70 to -5"),
    (["render", "a", "--volume", "nan"], "not a volume"), (["render", "a", "--volume", "-1"], "not a volume"),
  ])
  func options_wrong_areMistakesOfUsage(_ arguments: [String], _ message: String) throws {
    let result = try ToolRun.compositor(arguments + ["-o", "x.mp4"])
    #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
  }

  @Test func explain_saysWhatBecomesOfTheAudio() throws {
    let scratch = try Scratch()
    try media(scratch)
    let project = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { audio: { loudness: -14, limiter: false } }, assets: { a: "a.mov", song: "song.wav" },
        tracks: [{ duck: {}, clips: [{ asset: "a" }] }, { clips: [{ asset: "song", loop: true, duration: "fill", volume: "-6dB" }] }] }
      """)
    let result = try ToolRun.compositor(["explain", project.path])
    #expect(result.status == 0, "\(result.errors)")
    for line in [
      "volume of track 3   -6 dB at 0 s", "12 dB lower while track 2 is above -40 dBFS", "brought to -14 LUFS", "limiter   off",
    ] {
      #expect(result.output.contains(line), "\(result.output)")
    }
    let json = try ToolRun.compositor(["explain", project.path, "--json"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let audio = try #require(object["audio"] as? [String: Any])
    #expect(audio["loudness"] as? Double == -14 && audio["limiter"] as? String == "off")
    #expect((audio["ducking"] as? [[String: Any]])?.first?["reduction"] as? Double == 12)
  }
}
