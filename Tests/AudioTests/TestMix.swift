import CompositorAPI
import CompositorAudio
import CompositorMediaIO
import CompositorTestSupport
import Foundation

/// Sources of a test: functions of the sample by name, and files.
struct TestSources: AudioSourceProvider {
  var functions: [String: @Sendable (_ sample: Int64, _ channel: Int) -> Float] = [:]

  func openAudio(
    _ source: MediaSource, trackIndex: Int, options: AudioReaderOptions
  ) throws(CompositorError) -> any AudioReader {
    if case .custom(let name) = source, let function = functions[name] { return Reader(function, options) }
    return try MediaOpener.openAudio(source, trackIndex: trackIndex, options: options)
  }

  private final class Reader: AudioReader {
    let info: AudioTrackInfo
    let options: AudioReaderOptions
    private let function: (Int64, Int) -> Float

    init(_ function: @escaping (Int64, Int) -> Float, _ options: AudioReaderOptions) {
      (self.function, self.options) = (function, options)
      info = AudioTrackInfo(
        index: 0, codec: "test", sampleRate: options.sampleRate, channelCount: options.channelCount,
        timeRange: .seconds(0, 10_000))
    }

    func read(
      frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
    ) throws(CompositorError) {
      for (channel, samples) in channels.enumerated() {
        for index in 0..<frameCount { samples[index] = function(position + Int64(index), channel) }
      }
    }
  }
}

extension TimeRange {
  /// From one second to another.
  static func seconds(_ start: Int, _ end: Int) -> TimeRange { TimeRange(start: .seconds(start), end: .seconds(end)) }
}

/// A segment that plays a source at its own speed.
func segment(_ source: MediaSource, from start: MediaTime = .zero, lasting duration: MediaTime, at target: MediaTime)
  -> CompositionTrackSegment
{
  CompositionTrackSegment(
    source: source,
    timeMapping: TimeMapping(
      source: TimeRange(start: start, duration: duration), target: TimeRange(start: target, duration: duration)))
}

extension Composition {
  /// An audio track with segments; gaps between them are filled.
  mutating func addAudio(_ segments: CompositionTrackSegment...) throws -> TrackID {
    let track = addTrack(.audio)
    var all: [CompositionTrackSegment] = []
    var end = MediaTime.zero
    for segment in segments {
      let target = segment.timeMapping.target
      if target.start > end { all.append(CompositionTrackSegment(empty: TimeRange(start: end, end: target.start))) }
      all.append(segment)
      end = target.end
    }
    try setSegments(all, ofTrack: track)
    return track
  }
}

extension AudioMixer {
  /// The next samples, mixed in blocks of any size.
  func samples(_ count: Int, channels: Int = 2, portion: Int = 4096) throws -> [[Float]] {
    let block = AudioBlock(channelCount: channels, capacity: portion)
    var made = [[Float]](repeating: [], count: channels)
    while made[0].count < count {
      let step = min(portion, count - made[0].count)
      try mix(step, into: block)
      for channel in 0..<channels { made[channel] += UnsafeBufferPointer(start: block.channels[channel], count: step) }
    }
    return made
  }
}

/// Files of floats, written and measured by ffmpeg.
enum AudioFile {
  /// Writes samples as a WAV file of floats, or what `encoding` says.
  static func write(
    _ channels: [[Float]], rate: Int = 48_000, layout: String? = nil, to path: String,
    encoding: [String] = ["-c:a", "pcm_f32le"]
  ) throws {
    let raw = path + ".raw"
    var interleaved: [Float] = []
    interleaved.reserveCapacity(channels.count * channels[0].count)
    for index in channels[0].indices { for channel in channels { interleaved.append(channel[index]) } }
    try interleaved.withUnsafeBytes { try Data($0).write(to: URL(filePath: raw)) }
    let form = layout.map { ["-channel_layout", $0] } ?? []
    _ = try runProgram(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "f32le", "-ar", "\(rate)", "-ac", "\(channels.count)"] + form + ["-i", raw] + encoding + [
        path
      ])
    try FileManager.default.removeItem(atPath: raw)
  }

  /// Integrated loudness and true peak, as ffmpeg measures them.
  static func loudness(_ path: String) throws -> (integrated: Double, range: Double, truePeak: Double) {
    let data = try runProgram(
      "ffmpeg",
      ["-v", "error", "-i", path, "-af", "ebur128=peak=true:metadata=1,ametadata=print:file=-", "-f", "null", "-"])
    var last: [String: Double] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=")
      if parts.count == 2 { last[String(parts[0])] = Double(parts[1]) }
    }
    // The measured peaks of the channels are linear.
    let peak = (0..<8).compactMap { last["lavfi.r128.true_peaks_ch\($0)"] }.max() ?? 0
    return (last["lavfi.r128.I"] ?? .nan, last["lavfi.r128.LRA"] ?? .nan, 20 * log10(peak))
  }

  /// Decoded by ffmpeg, in the file's own rate and channels.
  static func read(_ path: String, channels: Int) throws -> [[Float]] {
    let data = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return (0..<channels).map { channel in stride(from: channel, to: samples.count, by: channels).map { samples[$0] } }
  }
}

/// The level in dBFS of a stretch, RMS.
func level(_ samples: some Collection<Float>) -> Double {
  let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
  return 10 * log10(max(sum / Double(max(1, samples.count)), 1e-30))
}

/// Noise of a seed, −1 … 1, by place.
func noise(_ sample: Int64, _ seed: UInt64) -> Float {
  var value = UInt64(bitPattern: sample) &* 0x9E37_79B9_7F4A_7C15 &+ seed &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
  return Float(Int64(bitPattern: (value ^ (value >> 31)) >> 11)) / Float(1 << 52) - 1
}
