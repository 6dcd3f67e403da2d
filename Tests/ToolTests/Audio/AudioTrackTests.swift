import CompositorTestSupport
import Foundation
import Testing

/// Several audio tracks of a file: which one is used, which are kept, and what is said of the others.
@Suite struct AudioTrackTests {
  /// The tone of each audio track in Hz, its language and its title.
  private static let tracks: [(tone: Int, language: String, title: String)] = [
    (400, "eng", "English"), (900, "ger", "Deutsch"), (1700, "fra", "Ton"),
  ]

  /// A file with three audio tracks, the second one the default, and a subtitle track where the container can have one.
  private static func make(_ container: String, in scratch: Scratch, name: String = "a") throws -> String {
    let srt = try scratch.file("subtitles.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n")
    var arguments = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=r=25:d=2:s=160x120"]
    for track in tracks { arguments += ["-f", "lavfi", "-i", "sine=\(track.tone):d=2:r=48000,volume=0.5"] }
    let hasSubtitles = container == "mkv" || container == "mp4" || container == "mov"
    if hasSubtitles { arguments += ["-i", srt.path] }
    for index in 0...(tracks.count + (hasSubtitles ? 1 : 0)) { arguments += ["-map", "\(index)"] }
    arguments += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"]
    if hasSubtitles { arguments += ["-c:s", container == "mkv" ? "srt" : "mov_text", "-metadata:s:s:0", "language=eng"] }
    for (index, track) in tracks.enumerated() {
      arguments += ["-metadata:s:a:\(index)", "language=\(track.language)", "-metadata:s:a:\(index)", "title=\(track.title)"]
      arguments += ["-disposition:a:\(index)", index == 1 ? "default" : "0"]
    }
    try MadeOnce.file(scratch.file("\(name).\(container)"), key: ["audio tracks", container]) {
      let made = try ToolRun.run(
        URL(filePath: "/usr/bin/env"), ["ffmpeg"] + arguments + [try scratch.file("\(name).\(container)").path])
      try #require(made.status == 0, "\(made.errors)")
    }
    return "\(name).\(container)"
  }

  /// The tones in each audio track of a file, as ffmpeg decodes them.
  private static func tones(of url: URL) throws -> [Set<Int>] {
    let count = try streams(of: url).count
    return try (0..<count).map { index in
      let audio = try DecodedAudio(url.path, track: index)
      return Set(tracks.map(\.tone).filter { audio.amplitude(of: Double($0), at: 0.8, over: 0.5) > 0.02 })
    }
  }

  /// Language, title and default flag of the audio tracks of a file, as ffprobe says.
  private static func streams(of url: URL) throws -> [(language: String, title: String, isDefault: Bool)] {
    let result = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream_tags:stream_disposition=default", "-of",
      "json",
      url.path)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let streams = try #require(object?["streams"] as? [[String: Any]])
    return streams.map { stream in
      let tags = stream["tags"] as? [String: String] ?? [:]
      let isDefault = (stream["disposition"] as? [String: Int])?["default"] == 1
      let handler = tags["handler_name"].flatMap { $0 == "SoundHandler" ? nil : $0 }
      // ISO 639-2 has two codes for some languages, and Matroska uses the older ones.
      let language = ["ger": "deu", "fre": "fra"][tags["language"] ?? ""] ?? tags["language"] ?? ""
      return (language, tags["title"] ?? handler ?? "", isDefault)
    }
  }

  /// How tracks are chosen: the options, what a project says of the output, and the tones of each track of the result.
  private static let choices: [(options: [String], project: String, tones: [Set<Int>])] = [
    ([], "", [[400]]),
    (["--audio-track", "2"], "[{ from: 2 }]", [[1700]]),
    (["--audio-track", "deu"], "[{ from: \"de\" }]", [[900]]),
    (["--audio-track", "default"], "[{ from: \"default\" }]", [[900]]),
    (["--audio-tracks", "all"], "[{ from: 0 }, { from: 1, default: true }, { from: 2 }]", [[400], [900], [1700]]),
    (["--audio-tracks", "fra,eng"], "[{ from: \"fra\" }, { from: \"en\" }]", [[1700], [400]]),
    (["--audio-tracks", "mix"], "[{ from: \"mix\" }]", [[400, 900, 1700]]),
    (["--audio-tracks", "mix:0,fra"], "[{ from: \"mix:0,fra\" }]", [[400, 1700]]),
  ]

  /// {containers} × {render, join, passthrough, project} × {ways to choose}, with the level of each tone. `make test` runs one command of each
  /// choice, another one in each container, so that every choice meets every command.
  @Test(arguments: ["mp4", "mov", "mkv", "ts"]) func everyChoice_inEveryCommand(_ container: String) throws {
    let scratch = try Scratch()
    let input = try Self.make(container, in: scratch)
    let output = container == "ts" ? "mkv" : container
    var rows: [String] = []
    for (index, choice) in Self.choices.enumerated() {
      // A transport stream states no default: it is the first track.
      let expected = container == "ts" && choice.options.last == "default" ? [[400]] : choice.tones
      let text =
        "{ version: 1, assets: { a: \"\(input)\" }, tracks: [{ clips: [{ asset: \"a\" }] }], output: { "
        + (choice.project.isEmpty ? "" : "audioTracks: \(choice.project)") + " } }"
      _ = try scratch.file("p\(index).json5", text)
      let isMix = choice.options.last?.hasPrefix("mix") == true
      var commands = [
        ("render", ["render", input] + choice.options), ("join", ["join", input, input] + choice.options),
        ("project", ["render", "p\(index).json5"]),
      ]
      if !isMix { commands.append(("passthrough", ["render", input, "--passthrough", "auto"] + choice.options)) }
      if !TableSelection.isWhole {
        let first = index + (["mp4", "mov", "mkv", "ts"].firstIndex(of: container) ?? 0)
        commands = [commands[first % commands.count]]
      }
      for (name, command) in commands {
        let result = try ToolRun.compositor(
          command + ["-o", "o.\(output)", "--overwrite", "--progress", "none"], in: scratch.folder)
        #expect(result.status == 0, "\(container) \(name) \(choice.options): \(result.errors)")
        guard result.status == 0 else { continue }
        let found = try Self.tones(of: scratch.file("o.\(output)"))
        rows.append("\(container) \(name) \(choice.options.joined(separator: " ")): \(found.map { $0.sorted() })")
        #expect(found == expected, "\(container) \(name) \(choice.options)")
        let used = Set(expected.joined()).count
        #expect(
          result.errors.contains("not used: audio") == (used < 3), "\(container) \(name) \(choice.options): \(result.errors)")
      }
    }
    print(rows.joined(separator: "\n"))
  }

  /// A mix cannot be copied, which is said.
  @Test func mix_withoutEncoding_isRefused() throws {
    let scratch = try Scratch()
    let input = try Self.make("mp4", in: scratch)
    let result = try ToolRun.compositor(
      ["render", input, "--passthrough", "auto", "--audio-tracks", "mix", "-o", "o.mp4"], in: scratch.folder)
    #expect(result.status == 65 && result.errors.contains("Two tracks are heard at the same time"), "\(result.errors)")
  }

  /// Languages, titles and the default flag are those of the file, whether tracks are copied or encoded.
  @Test(arguments: ["mp4", "mov", "mkv", "webm"], [false, true]) func allTracks_keepLanguageTitleAndFlags(
    _ container: String, _ copies: Bool
  ) throws {
    guard !copies || container != "webm" else { return }
    let scratch = try Scratch()
    let input = try Self.make("mkv", in: scratch)
    let result = try ToolRun.compositor(
      ["render", input, "--audio-tracks", "all", "-o", "o.\(container)", "--progress", "none"]
        + (copies ? ["--passthrough", "auto"] : []), in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let streams = try Self.streams(of: scratch.file("o.\(container)"))
    #expect(streams.map(\.language) == ["eng", "deu", "fra"], "\(streams)")
    #expect(streams.map(\.title) == Self.tracks.map(\.title), "\(streams)")
    #expect(streams.map(\.isDefault) == [false, true, false], "\(streams)")
    let probed = try ToolRun.compositor(["probe", "o.\(container)"], in: scratch.folder).output
    #expect(probed.contains("de, “Deutsch”, default"), "\(probed)")
  }

  /// Each track has its own mix of the project's tracks.
  @Test func project_mixesTracksForEachLanguage() throws {
    let scratch = try Scratch()
    let input = try Self.make("mkv", in: scratch)
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, assets: { a: "\(input)" },
        tracks: [
          { name: "english", clips: [{ asset: "a" }] },
          { name: "german", clips: [{ asset: "a", video: false, audioTrack: "deu" }] },
          { name: "music", clips: [{ asset: "a", video: false, audioTrack: 2, volume: "-6dB" }] },
        ],
        output: { audioTracks: [
          { tracks: ["english", "music"] },
          { tracks: ["german", 2], title: "Deutsch mit Musik", default: true },
          { tracks: ["music"], language: "zxx" },
        ] } }
      """)
    let result = try ToolRun.compositor(["render", "p.json5", "-o", "o.mp4", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let url = try scratch.file("o.mp4")
    #expect(try Self.tones(of: url) == [[400, 1700], [900, 1700], [1700]])
    let streams = try Self.streams(of: url)
    #expect(streams.map(\.language) == ["eng", "deu", "zxx"] && streams[1].title == "Deutsch mit Musik", "\(streams)")
    #expect(streams.map(\.isDefault) == [false, true, false], "\(streams)")
    // −6 dB of the music, none of the voice: measured in each track.
    for track in 0..<2 {
      let audio = try DecodedAudio(url.path, track: track)
      let (voice, music) = (
        audio.amplitude(of: [400, 900][track], at: 0.8, over: 0.5), audio.amplitude(of: 1700, at: 0.8, over: 0.5)
      )
      #expect(abs(20 * log10(music / voice) + 6) < 0.5, "\(track): \(voice) \(music)")
    }
  }

  /// A file of a join that lacks a track plays its own instead, which is said.
  @Test func join_fileWithoutTheTrack_playsItsOwn() throws {
    let scratch = try Scratch()
    let input = try Self.make("mkv", in: scratch)
    _ = try scratch.clip("b.mp4", seconds: 2)
    let result = try ToolRun.compositor(
      ["join", input, "b.mp4", "--audio-tracks", "all", "-o", "o.mkv", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("b.mp4 has no audio track"), "\(result.errors)")
    for track in 0..<3 {
      let audio = try DecodedAudio(scratch.file("o.mkv").path, track: track)
      #expect(audio.amplitude(of: Double(Self.tracks[track].tone), at: 0.8, over: 0.5) > 0.02)
      #expect(audio.amplitude(of: 440, at: 2.8, over: 0.5) > 0.02)
    }
  }

  @Test(arguments: [
    (["--audio-track", "jpn"], 66, "no audio track jpn"), (["--audio-track", "7"], 66, "no audio track 7"),
    (["--audio-track", "loud!"], 64, "is not an audio track"),
    (["--audio-track", "1", "--audio-tracks", "all"], 64, "give one"),
  ]) func aTrackThatIsNone_isRefused(_ options: [String], _ status: Int32, _ words: String) throws {
    let scratch = try Scratch()
    let input = try Self.make("mp4", in: scratch)
    let result = try ToolRun.compositor(["render", input, "-o", "o.mp4"] + options, in: scratch.folder)
    #expect(result.status == status && result.errors.contains(words), "\(result.status): \(result.errors)")
  }

  @Test func severalTracks_whereOneFits_areRefusedInWords() throws {
    let scratch = try Scratch()
    let input = try Self.make("mkv", in: scratch)
    let file = try ToolRun.compositor(["render", input, "--audio-tracks", "all", "-o", "o.wav"], in: scratch.folder)
    #expect(file.status == 65 && file.errors.contains("A .wav file cannot hold 3 audio tracks"), "\(file.errors)")
    _ = try scratch.file("p.json5", "{ version: 1, assets: { a: \"\(input)\" }, tracks: [{ clips: [{ asset: \"a\" }] }] }")
    let project = try ToolRun.compositor(["render", "p.json5", "--audio-track", "1", "-o", "o.mp4"], in: scratch.folder)
    #expect(project.status != 0 && project.errors.contains("audioTracks"), "\(project.errors)")
  }

  @Test func probe_saysLanguageTitleAndFlags() throws {
    let scratch = try Scratch()
    let input = try Self.make("mkv", in: scratch)
    let text = try ToolRun.compositor(["probe", input], in: scratch.folder).output
    #expect(text.contains("audio 1") && text.contains("de, “Deutsch”, default"), "\(text)")
    let json = try ToolRun.compositor(["probe", input, "--json"], in: scratch.folder).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let audio = try #require(object["audioTracks"] as? [[String: Any]])
    #expect(audio.map { $0["language"] as? String } == ["en", "de", "fr"])
    #expect(audio.map { ($0["flags"] as? [String])?.contains("default") } == [false, true, false])
    let subtitles = try #require(object["subtitleTracks"] as? [[String: Any]])
    #expect(subtitles.count == 1 && subtitles[0]["language"] as? String == "en" && subtitles[0]["timeRange"] != nil)
  }

  /// Subtitle tracks are kept at their times, also behind one another.
  @Test(arguments: ["mp4", "mkv", "mov"]) func subtitleTracks_areKept(_ container: String) throws {
    let scratch = try Scratch()
    let input = try Self.make(container, in: scratch)
    for (command, times) in [(["render", input], [0.0]), (["join", input, input], [0.0, 2.0])] {
      let result = try ToolRun.compositor(
        command + ["--subtitle-tracks", "eng", "-o", "o.\(container)", "--overwrite", "--progress", "none"], in: scratch.folder)
      #expect(result.status == 0 && !result.errors.contains("subtitles"), "\(result.errors)")
      func packets(_ stream: String) throws -> [(time: Double, size: Int)] {
        let read = try ToolRun.program(
          "ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time,size", "-of", "csv=p=0",
          try scratch.file("o.\(container)").path)
        return read.output.split(separator: "\n").map { line in
          let fields = line.split(separator: ",")
          return (Double(fields[0]) ?? -1, fields.count > 1 ? Int(fields[1]) ?? 0 : 0)
        }
      }
      // Matroska begins after the priming of its audio. Timed text has empty packets where nothing is shown.
      let start = try #require(try packets("v:0").map(\.time).min())
      let shown = try packets("s:0").filter { $0.size > 2 }.map { $0.time - start }
      #expect(shown.count == times.count && zip(shown, times).allSatisfy { abs($0 - $1) < 0.002 }, "\(command): \(shown)")
    }
    let copied = try ToolRun.compositor(
      ["render", input, "--subtitle-tracks", "all", "--passthrough", "auto", "-o", "c.\(container)"], in: scratch.folder)
    #expect(copied.status == 65 && copied.errors.contains("There are captions"), "\(copied.errors)")
    let refused = try ToolRun.compositor(["render", input, "--subtitle-tracks", "fra", "-o", "r.mkv"], in: scratch.folder)
    #expect(refused.status == 66 && refused.errors.contains("no subtitle track fra"), "\(refused.errors)")
  }

  /// The tracks that are chosen determine where the movie ends, not the file's first one.
  @Test(arguments: [[1, 3], [3, 1]], ["0", "1", "mix", "all"])
  func chosenTracks_determineTheEnd(_ lengths: [Int], _ choice: String) throws {
    let scratch = try Scratch()
    let source = scratch.folder.appending(path: "a.mkv")
    var arguments = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=r=25:d=1:s=64x64"]
    for (index, length) in lengths.enumerated() {
      arguments += ["-f", "lavfi", "-i", "sine=\(400 + 500 * index):d=\(length):r=48000"]
    }
    let made = try ToolRun.run(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg"] + arguments + ["-map", "0", "-map", "1", "-map", "2", "-c:v", "ffv1", "-c:a", "pcm_s16le", source.path])
    try #require(made.status == 0, "\(made.errors)")
    let chosen = Int(choice).map { [lengths[$0]] } ?? lengths
    let option = choice == "all" ? ["--audio-tracks", "all"] : ["--audio-track", choice]
    for name in choice == "all" ? ["o.mkv"] : ["o.mkv", "o.wav"] {
      let output = scratch.folder.appending(path: name)
      let codec = name == "o.mkv" ? ["--audio-codec", "flac"] : []
      let result = try ToolRun.compositor(
        ["render", source.path, "-o", output.path, "--progress", "none"] + option + codec)
      #expect(result.status == 0, "\(result.errors)")
      #expect(chosen.contains(1) || !result.errors.contains("silen"), "\(result.errors)")
      for track in 0..<(choice == "all" ? 2 : 1) {
        let count = try DecodedAudio(output.path, track: track).samples.count
        #expect(count == (chosen.max() ?? 0) * DecodedAudio.sampleRate, "\(name), track \(track)")
      }
    }
  }

  /// A mix of tracks that a file doesn't have all is refused, as one such track is.
  @Test(arguments: ["mix:1,7", "mix:7", "mix:eng,swe"]) func mixWithAMissingTrack_isRefused(_ choice: String) throws {
    let scratch = try Scratch()
    let source = try Self.make("mp4", in: scratch)
    let project = try scratch.file(
      "p.json5",
      "{ version: 1, assets: { a: \"\(source)\" }, tracks: [{ clips: [{ asset: \"a\", audioTrack: \"\(choice)\" }] }] }")
    let missing = choice.split { ":,".contains($0) }.last.map(String.init) ?? ""
    let validated = try ToolRun.compositor(["validate", project.path], in: scratch.folder)
    #expect(validated.status == 66 && validated.output.contains(missing), "\(validated.output)\(validated.errors)")
    for arguments in [["p.json5"], [source, "--audio-track", choice], [source, "--audio-tracks", choice]] {
      let result = try ToolRun.compositor(
        ["render"] + arguments + ["-o", "o.mkv", "--overwrite", "--progress", "none"], in: scratch.folder)
      #expect(result.status != 0 && result.errors.contains(missing), "\(arguments): \(result.errors)")
    }
  }
}
