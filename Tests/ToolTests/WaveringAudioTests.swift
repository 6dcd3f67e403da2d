import CompositorTestSupport
import Foundation
import Testing

/// Files whose times waver by a few samples about the lengths of their packets, as ffmpeg writes them from Matroska, which counts
/// milliseconds: samples follow each other as in every player.
@Suite(.enabled(if: hasFFmpeg)) struct WaveringAudioTests {
  private static func samples(_ file: String, in scratch: Scratch) throws -> [Float] {
    let raw = scratch.folder.appending(path: "s.raw")
    let made = try ToolRun.program("ffmpeg", "-v", "error", "-y", "-i", file, "-ac", "1", "-f", "f32le", raw.path)
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: raw).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// The greatest step between neighbors, away from both ends.
  private static func greatestStep(_ samples: [Float]) -> Float {
    let inner = samples.dropFirst(4_000).dropLast(4_000)
    return zip(inner, inner.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }

  /// {codecs} × {containers} × {sample rates}, by FFmpeg's decoding of the same file.
  @Test(arguments: ["alac", "flac", "libopus", "ac3", "eac3", "aac"], ["m4a", "mov"])
  func packets_followEachOther(_ codec: String, _ suffix: String) throws {
    guard suffix != "mov" || !["libopus", "flac"].contains(codec) else { return }
    for rate in codec == "libopus" ? [48_000] : [44_100, 48_000] {
      let scratch = try Scratch()
      let (source, file) = (scratch.folder.appending(path: "s.mkv").path, scratch.folder.appending(path: "s.\(suffix)").path)
      var made = try ToolRun.program(
        "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=440:d=4:r=\(rate)", "-c:a", "pcm_s16le", source)
      try #require(made.status == 0, "\(made.errors)")
      made = try ToolRun.program(
        "ffmpeg", "-v", "error", "-y", "-i", source, "-c:a", codec, "-strict", "-2", "-f", suffix == "m4a" ? "mp4" : "mov", file
      )
      try #require(made.status == 0, "\(made.errors)")
      let result = try ToolRun.compositor(["render", file, "-o", "o.wav", "--progress", "none"], in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      let expected = try Self.samples(file, in: scratch)
      let found = try Self.samples(scratch.folder.appending(path: "o.wav").path, in: scratch)
      #expect(Self.greatestStep(found) <= Self.greatestStep(expected) * 1.05, "\(codec) \(suffix) \(rate)")
      // Decoders of FFmpeg 5.1 also return what an encoder filled its last packet with.
      #expect((4 * rate - 64...4 * rate + 1_600).contains(found.count), "\(codec) \(suffix) \(rate): \(found.count)")
    }
  }
}
