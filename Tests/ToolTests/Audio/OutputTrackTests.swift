import CompositorTestSupport
import Foundation
import Testing

/// Audio tracks of the output that choose a track of each clip's media, which media lack or which are of unequal lengths.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct OutputTrackTests {
  /// Makes a movie with a track of audio in each language, of a length in seconds; `und` states no language.
  private static func make(_ name: String, _ languages: [(String, Int)], video: Int = 2, in scratch: Scratch) throws {
    var arguments = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=\(video)"]
    var outputs = ["-map", "0:v"]
    for (index, (language, length)) in languages.enumerated() {
      arguments += ["-f", "lavfi", "-i", "sine=\(440 * (index + 1)):r=48000:d=\(length)"]
      outputs += ["-map", "\(index + 1):a", "-metadata:s:a:\(index)", "language=\(language)"]
    }
    try scratch.make(name, arguments + outputs + ["-c:v", "ffv1", "-c:a", "flac"])
  }

  private static func project(_ outputs: String, _ tracks: String, in scratch: Scratch) throws -> String {
    let files = [("a", "a.mkv"), ("b", "b.mkv"), ("song", "song.wav")].filter { file in
      FileManager.default.fileExists(atPath: scratch.folder.appending(path: file.1).path)
    }
    let assets = files.map { "\($0): \"\($1)\"" }.joined(separator: ", ")
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, output: { audioTracks: \(outputs) }, assets: { \(assets) }, tracks: \(tracks) }")
    return project.path
  }

  private static func diagnostics(_ project: String) throws -> [[String: Any]] {
    let output = try ToolRun.compositor(["validate", project, "--json"]).output
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]], "\(output)")
  }

  @Test(arguments: [
    ("[{ from: 'fra' }, { from: 'eng' }]", "no audio track in \"fra\"", 1),
    ("[{ from: 'eng' }, { from: 5 }]", "no audio track 5", 2),
    ("[{ from: 'mix:0,7' }]", "no audio track 7", 1), ("[{ from: 'mix:eng,fra' }]", "no audio track in \"fra\"", 1),
  ])
  func track_thatNoClipHas_isRefused(_ outputs: String, _ words: String, _ number: Int) throws {
    let scratch = try Scratch()
    try Self.make("a.mkv", [("eng", 2), ("deu", 2)], in: scratch)
    try Self.make("b.mkv", [("eng", 2)], in: scratch)
    for clips in ["{ asset: 'a' }", "{ asset: 'a' }, { asset: 'b' }"] {
      let project = try Self.project(outputs, "[{ clips: [\(clips)] }]", in: scratch)
      let found = try Self.diagnostics(project)
      let errors = found.filter { $0["severity"] as? String == "error" }
      #expect(errors.count == 1 && (errors[0]["message"] as? String)?.contains(words) == true, "\(found)")
      #expect(errors.first?["path"] as? String == "output.audioTracks[\(number - 1)].from", "\(found)")
      let render = try ToolRun.compositor(["render", project, "-o", "o.mkv", "--progress", "none"], in: scratch.folder)
      #expect(render.status == 66 && render.errors.contains(words), "\(render.status): \(render.errors)")
    }
  }

  /// The clip of the media without the track plays its own, which is told. Music is the same in every language.
  @Test func track_thatSomeClipsLack_isWarnedOf() throws {
    let scratch = try Scratch()
    try Self.make("a.mkv", [("eng", 2), ("deu", 2)], in: scratch)
    try Self.make("b.mkv", [("eng", 2)], in: scratch)
    try scratch.make("song.wav", ["-f", "lavfi", "-i", "sine=200:r=48000:d=2"])
    let music = "{ clips: [{ asset: 'song', duration: 'fill', loop: true }] }"
    let mixed = try Self.project(
      "[{ from: 'eng' }, { from: 'deu' }]", "[{ clips: [{ asset: 'a' }, { asset: 'b' }] }, \(music)]", in: scratch)
    let found = try Self.diagnostics(mixed)
    #expect(found.map { $0["code"] as? String } == ["mediaTrackMissing"], "\(found)")
    #expect(found.first?["path"] as? String == "tracks[0].clips[1]" && found.first?["severity"] as? String == "warning")
    #expect((found.first?["message"] as? String)?.contains("b.mkv has no audio track deu") == true, "\(found)")
    let render = try ToolRun.compositor(["render", mixed, "-o", "o.mkv", "--progress", "none"], in: scratch.folder)
    #expect(render.status == 0 && render.errors.contains("b.mkv has no audio track deu"), "\(render.errors)")
    let whole = try Self.project("[{ from: 'eng' }, { from: 'deu' }]", "[{ clips: [{ asset: 'a' }] }, \(music)]", in: scratch)
    #expect(try Self.diagnostics(whole).isEmpty)
  }

  /// The silence of a chosen track that is shorter than another one is told, as that of a file's only track is.
  @Test(arguments: [[1, 3], [3, 1], [2, 2]]) func shorterTrack_silenceIsCounted(_ lengths: [Int]) throws {
    let scratch = try Scratch()
    try Self.make("a.mkv", [("eng", lengths[0]), ("deu", lengths[1])], video: 3, in: scratch)
    let project = try Self.project("[{ from: 'eng' }, { from: 'deu' }]", "[{ clips: [{ asset: 'a' }] }]", in: scratch)
    func expected(_ file: String) -> [String] {
      lengths.enumerated().filter { $0.1 < 3 }.map { index, length in
        let name = lengths.max() == length ? "audio" : "audio track \(index)"
        return "the \(name) of \(file) ends \(3 - length) s before the clip: silence for \((3 - length) * 48000) samples"
      }
    }
    // Files of a project are named with its folder.
    let path = scratch.folder.appending(path: "a.mkv").path
    let found = try Self.diagnostics(project).compactMap { $0["message"] as? String }
    #expect(Set(found) == Set(expected(path).map { "\($0)." }), "\(found)")
    for (arguments, file) in [([project], path), (["a.mkv", "--audio-tracks", "all"], "a.mkv")] {
      let render = try ToolRun.compositor(
        ["render"] + arguments + ["-o", "o.mkv", "--overwrite", "--progress", "none"], in: scratch.folder)
      #expect(render.status == 0, "\(render.errors)")
      for sentence in expected(file) { #expect(render.errors.contains(sentence), "\(arguments): \(render.errors)") }
    }
  }

  /// `explain` says which of a file's audio tracks plays, and what the output's audio tracks are.
  @Test func explain_namesTheTracks() throws {
    let scratch = try Scratch()
    try Self.make("a.mkv", [("eng", 2), ("deu", 2)], in: scratch)
    let project = try Self.project(
      "[{ from: 'deu', title: 'Deutsch' }, { from: 0, default: true }]", "[{ clips: [{ asset: 'a' }] }]", in: scratch)
    let text = try ToolRun.compositor(["explain", project]).output
    for line in [
      "a.mkv, audio track 1, de, from 0 s to 2 s", "a.mkv, audio track 0, en, from 0 s to 2 s",
      "audio track 0 of the output   track 2; language de; “Deutsch”",
      "audio track 1 of the output   track 3; language en; default",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    #expect(!text.contains("video track"), "\(text)")
    let json = try ToolRun.compositor(["explain", project, "--json"]).output
    let explained = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let outputs = try #require(explained["audioTracks"] as? [[String: Any]])
    #expect(outputs.map { $0["language"] as? String } == ["de", "en"], "\(json)")
    #expect(outputs.map { $0["isDefault"] as? Bool } == [false, true], "\(json)")
    let tracks = try #require(explained["tracks"] as? [[String: Any]])
    let played = tracks.filter { $0["mediaType"] as? String == "audio" }.compactMap { $0["segments"] as? [[String: Any]] }
    #expect(played.map { $0.first?["sourceTrack"] as? Int } == [1, 0], "\(json)")
  }
}
