import CompositorTestSupport
import Foundation
import Testing

/// `Examples/Wedding`, through the tool: heard by numbers, seen.
///
/// Clip k starts at 3k s and lasts 4 s; there is speech at 1 s to 3 s of the first and of the third: at 1 s to 3 s and 7 s to 9 s.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct WeddingTests {
  /// The movie, rendered once for all tests, at a quarter of its size.
  private static let movie = Result { () throws -> (folder: Scratch, path: String, audio: DecodedAudio) in
    let scratch = try Scratch()
    let example = ToolRun.root.appending(path: "Examples/Wedding")
    let made = try ToolRun.run(example.appending(path: "make-media"), [scratch.folder.path])
    try #require(made.status == 0, "\(made.errors)")
    let text = try String(contentsOf: example.appending(path: "wedding.json5"), encoding: .utf8)
    let project = try scratch.file("wedding.json5", text.replacing("1280x720", with: "320x180"))
    let path = scratch.folder.appending(path: "wedding.mov").path
    let result = try ToolRun.compositor([
      "render", project.path, "-o", path, "--audio-codec", "pcm-s24", "--encoder-speed", "ultrafast", "--progress", "none",
    ])
    try #require(result.status == 0, "\(result.errors)")
    return (scratch, path, try DecodedAudio(path))
  }

  private func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

  /// The level of the song, whose tones are at 220 and 330 Hz, over half a second. Its gain is the same everywhere but where it is lowered.
  private func song(_ audio: DecodedAudio, at time: Double) -> Double {
    (pow(audio.amplitude(of: 220, at: time, over: 0.5), 2) + pow(audio.amplitude(of: 330, at: time, over: 0.5), 2)).squareRoot()
  }

  @Test func example_isShort() throws {
    let text = try String(contentsOf: ToolRun.root.appending(path: "Examples/Wedding/wedding.json5"), encoding: .utf8)
    #expect(text.split(separator: "\n").count <= 45)
  }

  @Test func length_isThatOfItsArithmetic() throws {
    let (_, path, audio) = try Self.movie.get()
    let streams = try ToolRun.streams(URL(filePath: path))
    #expect(streams.first { $0["codec_type"] == "video" }?["nb_read_frames"] == "400")
    #expect(audio.samples.count == 16 * DecodedAudio.sampleRate)
  }

  /// The first caption says 1 s to 3 s: frames 25 to 74.
  @Test func caption_isShownAndGoneOnItsFrames() throws {
    let folder = try Self.movie.get().folder
    let text = try String(contentsOf: folder.folder.appending(path: "wedding.json5"), encoding: .utf8)
    let plain = text.replacing("captions: [{ file: \"wedding.srt\" }],", with: "")
    #expect(plain != text)
    let project = try folder.file("plain.json5", plain)
    func picture(_ project: URL, _ number: Int) throws -> Data {
      let path = folder.folder.appending(path: "\(project.lastPathComponent)-\(number).png")
      let result = try ToolRun.compositor(["frame", project.path, "--at", "\(number)f", "-o", path.path])
      try #require(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: path)
    }
    for (number, isShown) in [(24, false), (25, true), (74, true), (75, false)] {
      let shown = try picture(folder.folder.appending(path: "wedding.json5"), number)
      #expect((shown != (try picture(project, number))) == isShown, "frame \(number)")
    }
  }

  @Test func song_underSpeech_isTwelveDecibelsLower() throws {
    let audio = try Self.movie.get().audio
    let free = song(audio, at: 13)
    #expect(free > 0.001)
    for time in [1.6, 2.3, 7.6, 8.3] {
      let depth = decibels(song(audio, at: time) / free)
      #expect(abs(depth + 12) < 0.5, "\(depth) dB at \(time) s")
    }
    // Back half a second of hold and 0.8 s of release after the last word, over every seam of the loop.
    for time in [4.6, 5.4, 10.5, 11.5, 12.2] {
      let depth = decibels(song(audio, at: time) / free)
      #expect(abs(depth) < 0.5, "\(depth) dB at \(time) s")
    }
  }

  @Test func loudness_isTheTarget() throws {
    let (integrated, truePeak) = try DecodedAudio.loudness(Self.movie.get().path)
    #expect(abs(integrated + 14) < 0.5, "\(integrated) LUFS")
    #expect(truePeak < -0.9, "\(truePeak) dBTP")
  }

  /// The first syllables come where the plan says, as near as AAC of the sources leaves them their attack.
  @Test func speech_beginsWhereItsClipsDo() throws {
    let audio = try Self.movie.get().audio.highs
    for start in [1.0, 7.0] {
      let loud = audio.power(at: start + 0.1, over: 0.5)
      let onset = try #require(
        stride(from: start - 0.2, to: start + 0.2, by: 0.0005).first { audio.power(at: $0, over: 0.001) > loud / 2 })
      #expect(abs(onset - start) < 0.008, "\(onset) s")
    }
  }

  @Test func fades_beginAndEndInSilence() throws {
    let audio = try Self.movie.get().audio
    let free = song(audio, at: 13)
    #expect(song(audio, at: 0) < free && audio.amplitude(of: 220, at: 0, over: 0.05) < 0.1 * free)
    #expect(audio.power(at: 15.98, over: 0.02) < pow(0.05 * free, 2))
  }

  /// Upright clips stand between black, wide ones fill the frame.
  @Test func pictures_ofEveryOrientation_stand() throws {
    let path = try Self.movie.get().path
    for (time, isUpright) in [(0.5, false), (5, true), (7.5, false), (10.5, false), (14.5, true)] {
      let data = try runProgram(
        "ffmpeg", ["-v", "error", "-ss", "\(time)", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
      try #require(data.count == 320 * 180)
      func mean(_ columns: Range<Int>) -> Double {
        let row = data.startIndex + 90 * 320
        return columns.reduce(0) { $0 + Double(data[row + $1]) } / Double(columns.count)
      }
      #expect((mean(5..<50) < 20) == isUpright, "\(time) s: \(mean(5..<50))")
      #expect(mean(140..<180) > 30)
    }
  }
}
