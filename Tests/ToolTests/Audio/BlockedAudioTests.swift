import CompositorTestSupport
import Foundation
import Testing

/// Compressed audio in WAV and AIFF, whose headers state bytes per second that ffmpeg leaves at a default: cuts are those of the whole.
@Suite(.enabled(if: hasFFmpeg)) struct BlockedAudioTests {
  static let codings = [
    ("a.wav", ["-c:a", "adpcm_ms"]), ("a.wav", ["-c:a", "adpcm_ima_wav"]), ("a.wav", ["-c:a", "adpcm_yamaha"]),
    // `make test` runs it at 8000 Hz, as every third coding: it has no other rate.
    ("a.wav", ["-c:a", "adpcm_g726"]), ("a.wav", ["-c:a", "g722"]), ("a.wav", ["-c:a", "libmp3lame"]),
    ("a.wav", ["-c:a", "wmav2"]),
    ("a.w64", ["-c:a", "adpcm_ms"]), ("a.wav", ["-c:a", "pcm_alaw"]),
  ]

  private func samples(_ path: String) throws -> [Float] {
    let data = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// `make test` runs one rate of each coding.
  private static let rows = TableSelection.pairs(Array(codings.indices), [8000, 16_000, 44_100], each: 1).filter {
    !codings[$0.0].1.contains("adpcm_g726") || $0.1 == 8000
  }

  @Test(arguments: rows)
  func cut_isThatOfTheWhole(_ index: Int, _ rate: Int) throws {
    let (name, coding) = Self.codings[index]
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    let source = ["-f", "lavfi", "-i", "anoisesrc=d=6:r=\(rate):seed=7:a=0.3", "-ac", "1"]
    let made = try ToolRun.run(URL(filePath: "/usr/bin/env"), ["ffmpeg", "-v", "error", "-y"] + source + coding + [path])
    try #require(made.status == 0, "\(coding) at \(rate): \(made.errors)")
    func render(_ output: String, _ options: [String] = []) throws -> [Float] {
      let arguments = [
        "render", path, "-o", folder.file(output), "--audio-codec", "pcm-f32", "--no-limiter", "--progress", "none",
      ]
      let result = try ToolRun.compositor(arguments + options)
      try #require(result.status == 0, "\(coding): \(result.errors)")
      return try samples(folder.file(output))
    }
    let whole = try render("whole.wav")
    #expect(whole.count >= 6 * rate - rate / 10, "\(coding) at \(rate): \(whole.count)")
    for (start, end) in [(1, 2), (3, 4), (5, 6)] {
      let cut = try render("cut.wav", ["--range", "\(start)s..\(end)s", "--overwrite"])
      let expected = whole[min(start * rate, whole.count)..<min(end * rate, whole.count)]
      let count = min(cut.count, expected.count)
      let greatest = zip(cut, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
      print("\(coding.last ?? "") in \(name) at \(rate), \(start) s: \(count) samples, \(greatest)")
      #expect(count >= rate * 9 / 10 && greatest < 2e-3, "\(coding) at \(rate), from \(start) s: \(greatest)")
    }
  }
}
