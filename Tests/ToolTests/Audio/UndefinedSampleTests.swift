import CompositorTestSupport
import Foundation
import Testing

/// Samples of sound that are no numbers: silent and counted in media, an error of a processor. Levels, loudness and encoders go on.
@Suite(.enabled(if: hasFFmpeg)) struct UndefinedSampleTests {
  /// Two seconds of a sine at an eighth of full scale, with one sample replaced.
  private static func file(_ sample: Float?, _ suffix: String, in scratch: Scratch) throws -> URL {
    var samples = (0..<96_000).map { Float(0.125 * sin(Double($0) * 440 * 2 * .pi / 48_000)) }
    if let sample { samples[9_600] = sample }
    let raw = try scratch.file("s.raw", "")
    try samples.withUnsafeBytes { Data($0) }.write(to: raw)
    let file = scratch.folder.appending(path: "in.\(suffix)")
    let made = try ToolRun.program(
      "ffmpeg", "-v", "error", "-y", "-f", "f32le", "-ar", "48000", "-ac", "1", "-i", raw.path, "-c:a", "pcm_f32le", file.path)
    try #require(made.status == 0, "\(made.errors)")
    return file
  }

  private static func samples(_ file: URL, in scratch: Scratch) throws -> [Float] {
    let raw = scratch.folder.appending(path: "out.raw")
    let made = try ToolRun.program("ffmpeg", "-v", "error", "-y", "-i", file.path, "-ac", "1", "-f", "f32le", raw.path)
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: raw).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// {samples} × {containers} × {codecs}: as loud as asked, finite, and said.
  @Test(arguments: [Float.nan, -.infinity, .signalingNaN], ["wav", "mka", "caf"])
  func file_withAnUndefinedSample_isAsLoudAsAsked(_ sample: Float, _ suffix: String) throws {
    let scratch = try Scratch()
    let input = try Self.file(sample, suffix, in: scratch)
    for (output, codec) in [("o.wav", "pcm-f32"), ("o.flac", "flac"), ("o.m4a", "aac")] {
      let output = scratch.folder.appending(path: output)
      let result = try ToolRun.compositor(
        [
          "render", input.path, "-o", output.path, "--audio-codec", codec, "--loudness", "-14", "--progress", "none",
          "--overwrite",
        ])
      try #require(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("samples that are no finite numbers are silent"), "\(result.errors)")
      #expect(result.errors.contains("1 packet damaged"), "\(result.errors)")
      let samples = try Self.samples(output, in: scratch)
      #expect(samples.allSatisfy { $0.isFinite })
      // As loud as the same sine without that sample: its peaks are 10.3 dB below full scale. AAC adds to them where it is silent.
      let peak = 20 * log10(Double(samples.map(abs).max() ?? 0))
      #expect(abs(peak + 10.3) < (codec == "aac" ? 2 : 0.1), "\(codec): \(peak) dBFS")
    }
  }

  @Test func processor_thatGivesUndefinedSamples_isAnError() throws {
    let workshop = try PluginWorkshop()
    _ = try Self.file(nil, "wav", in: workshop.scratch)
    let plugin = try workshop.compile(
      PluginWorkshop.fixtures.appending(path: "processor.c"), flags: ["-DNAN_IS"], name: "processor")
    let project = try workshop.scratch.file(
      "p.json5",
      """
      { version: 1, plugins: ["\(plugin.path)"], assets: { sine: "in.wav" },
        tracks: [{ clips: [{ asset: "sine", audioEffects: [{ use: "org.example.halver" }] }] }] }
      """)
    let result = try ToolRun.compositor(
      ["render", project.path, "-o", "o.wav", "--trust-plugin", plugin.path, "--progress", "none"], in: workshop.scratch.folder)
    #expect(result.status == 69, "\(result.errors)")
    #expect(result.errors.contains("no finite numbers") && result.errors.contains(plugin.path), "\(result.errors)")
  }
}
