import CompositorAPI
import CompositorPlatform

/// A sine tone at a quarter of full scale (−12 dBFS), the same in every channel, with phase 0 at media time 0.
final class ToneReader: AudioReader {
  let info: AudioTrackInfo
  let options: AudioReaderOptions
  private let cyclesPerSample: Double
  private let end: Double

  static let amplitude = 0.25

  init(_ source: GeneratedSource, frequency: Double, options: AudioReaderOptions) throws(CompositorError) {
    try options.validate(path: MediaSource.generated(source).description)
    guard frequency > 0, frequency * options.speed < Double(options.sampleRate) / 2 else {
      throw CompositorError(
        .invalidValue, "A tone of \(frequency) Hz cannot be made at \(options.sampleRate) Hz and speed \(options.speed).",
        recoverySuggestion: "Use a positive frequency below half the sample rate.")
    }
    self.options = options
    info = AudioTrackInfo(
      index: 0, codec: "tone", sampleRate: options.sampleRate, channelCount: options.channelCount,
      timeRange: TimeRange(start: .zero, duration: source.duration))
    cyclesPerSample = frequency * options.speed / Double(options.sampleRate)
    end = source.duration.seconds * Double(options.sampleRate) / options.speed
  }

  func read(
    frameCount: Int, at position: Int64, into channels: [UnsafeMutablePointer<Float>]
  ) throws(CompositorError) {
    try options.validate(frameCount: frameCount, position: position, channels: channels.count)
    for index in 0..<frameCount {
      let sample = Double(position + Int64(index))
      let cycles = (sample * cyclesPerSample).truncatingRemainder(dividingBy: 1)
      let value = sample >= 0 && sample < end ? Float(Self.amplitude * sin(2 * .pi * cycles)) : 0
      for channel in channels { channel[index] = value }
    }
  }
}
