import Foundation
import Testing

/// Transport and program streams that were put together byte by byte, and those whose 33-bit clock wraps: every frame is
/// shown once, in order, and its audio with it.
@Suite struct JoinedStreamTests {
  /// One part: seconds, the frequency of its tone, and the time its clock starts at.
  struct Part: Sendable {
    var seconds = 2
    var tone: Int
    var start = 0.0
    var sampleRate = 48_000
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var parts: [Part]
    var container = "ts"
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "the same start", parts: [Part(tone: 500), Part(tone: 2000)]),
    Case(name: "back", parts: [Part(tone: 500, start: 1000), Part(tone: 2000)]),
    Case(name: "ahead", parts: [Part(tone: 500), Part(tone: 2000, start: 50_000)]),
    Case(name: "three parts", parts: [Part(tone: 500, start: 30), Part(seconds: 1, tone: 2000), Part(tone: 1000, start: 90)]),
    Case(name: "program stream", parts: [Part(tone: 500), Part(tone: 2000)], container: "mpg"),
    Case(name: "program stream, last frame without a time", parts: [Part(tone: 500)], container: "mpg"),
    Case(name: "33-bit wrap", parts: [Part(seconds: 4, tone: 500, start: 95_440)]),
    Case(name: "sample rate changes", parts: [Part(tone: 500), Part(tone: 2000, sampleRate: 44_100)]),
  ]

  private func make(_ test: Case, in scratch: Scratch) throws -> (file: URL, parts: [URL]) {
    let file = try scratch.file("joined.\(test.container)")
    var (whole, parts) = (Data(), [URL]())
    for (index, part) in test.parts.enumerated() {
      let url = try scratch.file("part\(index).\(test.container)")
      let codecs =
        test.container == "ts"
        ? ["-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        : ["-c:v", "mpeg2video", "-bf", "2", "-c:a", "mp2", "-f", "mpeg"]
      let made = try ToolRun.run(
        URL(filePath: "/usr/bin/env"),
        [
          "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=r=25:d=\(part.seconds):s=160x90,hue=h=\(index * 100)", "-f",
          "lavfi",
          "-i", "sine=f=\(part.tone):r=\(part.sampleRate):d=\(part.seconds)",
        ] + codecs + ["-output_ts_offset", "\(part.start)", url.path])
      try #require(made.status == 0, "\(made.errors)")
      whole += try Data(contentsOf: url)
      parts.append(url)
    }
    try whole.write(to: file)
    return (file, parts)
  }

  /// Sums of decoded frames, as ffmpeg sees them.
  private func frames(_ file: URL) throws -> [String] {
    let result = try ToolRun.program(
      "ffmpeg", "-v", "error", "-i", file.path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    return result.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  /// The first audio channel at 48 kHz.
  private func samples(_ file: URL, in scratch: Scratch) throws -> [Float] {
    let raw = try scratch.file("raw.f32")
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-i", file.path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "f32le", raw.path)
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: raw).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// How strong a tone is in 50 ms from a time on, 1 for all there is (Goertzel).
  private func share(of tone: Int, in samples: [Float], at time: Double) -> Double {
    let start = Int(time * 48_000)
    guard start >= 0, start + 2400 <= samples.count else { return 0 }
    let factor = 2 * cos(2 * Double.pi * Double(tone) / 48_000)
    var (one, two, energy) = (0.0, 0.0, 0.0)
    for sample in samples[start..<start + 2400] {
      (one, two) = (Double(sample) + factor * one - two, one)
      energy += Double(sample) * Double(sample)
    }
    let power = one * one + two * two - factor * one * two
    return energy < 1e-6 ? 0 : power / (energy * 1200)
  }

  @Test(arguments: cases) func render_joinedStreams_showsEveryFrameWithItsAudio(_ test: Case) throws {
    let scratch = try Scratch()
    let (file, parts) = try make(test, in: scratch)
    let movie = try scratch.file("x.mkv")
    let result = try ToolRun.compositor(
      ["render", file.path, "-o", movie.path, "--codec", "ffv1", "--audio-codec", "pcm-s16", "--progress", "none"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let expected = try parts.flatMap(frames)
    #expect(expected.count == test.parts.reduce(0) { $0 + $1.seconds * 25 })
    let found = try frames(movie)
    #expect(found == expected, "\(found.count) of \(expected.count) frames")
    let sound = try samples(movie, in: scratch)
    var start = 0
    for part in test.parts {
      // All of the part but its first and last tenth of a second, where encoders begin and streams end.
      for step in 2..<(part.seconds * 20 - 3) {
        let time = Double(start) + Double(step) / 20
        #expect(share(of: part.tone, in: sound, at: time) > 0.8, "\(part.tone) Hz at \(time)")
      }
      start += part.seconds
    }
  }

  /// A hole that is closed is said, with the time at which the next part plays.
  @Test(arguments: cases) func probe_joinedStreams_saysWhereTheClockRestarts(_ test: Case) throws {
    let scratch = try Scratch()
    let (file, _) = try make(test, in: scratch)
    let result = try ToolRun.compositor(["probe", file.path])
    #expect(result.status == 0, "\(result.errors)")
    let said = result.output.firstMatch(of: /timestamps restart at ([^:]*): the file is played as (\d+) parts/)
    guard test.parts.count > 1 else {
      #expect(said == nil, "\(result.output)")
      return
    }
    #expect(said.map { String($0.2) } == "\(test.parts.count)", "\(result.output)")
    let times = said?.1.split(separator: ", ").compactMap { Double($0.dropLast(2)) } ?? []
    var starts: [Double] = []
    for part in test.parts.dropLast() { starts.append((starts.last ?? 0) + Double(part.seconds)) }
    #expect(times.count == starts.count && zip(times, starts).allSatisfy { abs($0 - $1) < 0.08 }, "\(times), \(starts)")
  }

  @Test func frame_inTheSecondHalf_isTheOneThatReadingInOrderShows() throws {
    let scratch = try Scratch()
    let (file, _) = try make(Self.cases[1], in: scratch)
    let all = try ToolRun.compositor(
      ["render", file.path, "-o", scratch.folder.appending(path: "%03d.png").path, "--progress", "none"])
    #expect(all.status == 0, "\(all.errors)")
    for number in [2, 49, 50, 51, 75, 99] {
      let still = try scratch.file("still\(number).png")
      let result = try ToolRun.compositor(["frame", file.path, "--at", "\(number)f", "-o", still.path])
      #expect(result.status == 0, "\(result.errors)")
      let name = "00\(number + 1)".suffix(3)
      #expect(try frames(still) == frames(scratch.file("\(name).png")), "frame \(number)")
    }
  }
}
