import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// Layouts × outputs × rates: the gain of every input in every output, against the table of docs/audio.md.
@Suite struct ChannelTests {
  private static let h = 0.5.squareRoot()

  /// Left, right, center and LFE of a 5.1 output by input, and stereo and mono, by the names that ffmpeg gives channels.
  private static let stereo: [String: (left: Double, right: Double)] = [
    "FL": (1, 0), "FR": (0, 1), "FC": (h, h), "LFE": (0, 0), "BL": (h, 0), "BR": (0, h), "SL": (h, 0), "SR": (0, h),
    "BC": (0.5, 0.5),
  ]
  static let layouts: [(name: String, channels: [String])] = [
    ("mono", ["FC"]), ("stereo", ["FL", "FR"]), ("2.1", ["FL", "FR", "LFE"]), ("3.0", ["FL", "FR", "FC"]),
    ("4.0", ["FL", "FR", "FC", "BC"]), ("quad", ["FL", "FR", "BL", "BR"]), ("5.0", ["FL", "FR", "FC", "BL", "BR"]),
    ("5.1", ["FL", "FR", "FC", "LFE", "BL", "BR"]), ("5.1(side)", ["FL", "FR", "FC", "LFE", "SL", "SR"]),
    ("6.1", ["FL", "FR", "FC", "LFE", "BC", "SL", "SR"]), ("7.1", ["FL", "FR", "FC", "LFE", "BL", "BR", "SL", "SR"]),
  ]

  /// The gains of a layout's inputs in the rows of an output.
  private static func gains(_ channels: [String], outputs: Int) -> [[Double]] {
    if channels == ["FC"] {
      return outputs == 6 ? [[0], [0], [1], [0], [0], [0]] : Array(repeating: [1], count: outputs)
    }
    let sides = channels.map { stereo[$0] ?? (0, 0) }
    switch outputs {
    case 1: return [sides.map { (channels.count == 2 ? 0.5 : h) * ($0.left + $0.right) }]
    case 2: return [sides.map(\.left), sides.map(\.right)]
    default: return surround(channels)
    }
  }

  /// 5.1: each channel to its own; sides and backs share theirs.
  private static func surround(_ channels: [String]) -> [[Double]] {
    let hasBoth = channels.contains("BL") && channels.contains("SL")
    let rows = [["FL"], ["FR"], ["FC"], ["LFE"], ["BL", "SL"], ["BR", "SR"]]
    return rows.enumerated().map { index, names in
      channels.map { channel in
        if channel == "BC" { return index >= 4 ? h : 0 }
        return names.contains(channel) ? (hasBoth && index >= 4 ? h : 1) : 0
      }
    }
  }

  /// Channel i is 0.5 in the i-th tenth of a second, 0 elsewhere.
  private static func write(_ channels: [String], _ layout: String, rate: Int, to path: String, _ encoding: [String]) throws {
    let tenth = rate / 10
    let samples = channels.indices.map { channel in
      (0..<tenth * channels.count).map { Float($0 / tenth == channel ? 0.5 : 0) }
    }
    try AudioFile.write(samples, rate: rate, layout: layout, to: path, encoding: encoding)
  }

  private static func found(
    _ path: String, inputs: Int, outputs: Int, rate: Int, downmix: AudioDownmix
  ) throws -> [[Double]] {
    var composition = Composition()
    let duration = MediaTime(value: Int64(inputs), timescale: 10)
    _ = try composition.addAudio(segment(.file(path: path), lasting: duration, at: .zero))
    var mix = AudioMix()
    mix.downmix = downmix
    let mixer = AudioMixer(composition, mix: mix, sources: TestSources(), sampleRate: rate, channelCount: outputs)
    let made = try mixer.samples(rate / 10 * inputs, channels: outputs)
    return made.map { row in (0..<inputs).map { Double(row[rate / 10 * $0 + rate / 20]) * 2 } }
  }

  @Test(arguments: layouts.map(\.name)) func layout_inEveryOutputAndRate_hasTheGainsOfTheTable(_ name: String) throws {
    let folder = try TemporaryFolder()
    let layout = try #require(Self.layouts.first { $0.name == name })
    var checked = 0
    for (file, encoding, fileRate) in [
      ("a.wav", ["-c:a", "pcm_f32le"], 48_000), ("c.mkv", ["-c:a", "flac"], 44_100),
      ("d.mov", ["-c:a", "pcm_s24le"], 96_000),
    ] {
      let path = folder.file(file)
      try Self.write(layout.channels, name, rate: fileRate, to: path, encoding)
      for outputs in [1, 2, 6] {
        for rate in [48_000, 44_100] {
          let expected = Self.gains(layout.channels, outputs: outputs)
          let greatest = max(1, expected.map { $0.reduce(0, +) }.max() ?? 1)
          for (downmix, scale) in [(AudioDownmix.standard, 1.0), (.normalized, 1 / greatest)]
          where downmix == .standard || rate == 48_000 {
            let found = try Self.found(path, inputs: layout.channels.count, outputs: outputs, rate: rate, downmix: downmix)
            for (row, wanted) in zip(found, expected) {
              for (gain, wanted) in zip(row, wanted) where abs(gain - wanted * scale) > 2e-4 {
                Issue.record("\(name) in \(file) → \(outputs) at \(rate), \(downmix): \(found), not \(expected) · \(scale)")
              }
              checked += row.count
            }
          }
        }
      }
    }
    #expect(checked == 3 * 3 * 9 * layout.channels.count)
  }

  /// ffmpeg's own `pan` with the documented coefficients, on noise.
  @Test func fiveOne_toStereo_isFFmpegsPan() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    let samples = (0..<6).map { channel in (0..<48_000).map { 0.3 * noise(Int64($0), UInt64(channel)) } }
    try AudioFile.write(samples, layout: "5.1", to: path)
    let panned = folder.file("b.wav")
    let pan = "pan=stereo|c0=c0+0.70710678*c2+0.70710678*c4|c1=c1+0.70710678*c2+0.70710678*c5"
    _ = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-af", pan, "-c:a", "pcm_f32le", panned])
    let expected = try AudioFile.read(panned, channels: 2)
    var composition = Composition()
    _ = try composition.addAudio(segment(.file(path: path), lasting: .seconds(1), at: .zero))
    let found = try AudioMixer(composition, sources: TestSources()).samples(48_000)
    for channel in 0..<2 {
      #expect(zip(found[channel], expected[channel]).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }
}
