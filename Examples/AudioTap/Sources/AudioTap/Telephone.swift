import Compositor

/// Makes a voice sound as over a telephone: what lies outside 300 … 3400 Hz is taken out, and the rest bends softly at the top.
final class Telephone: AudioProcessor {
  static let descriptor = AudioProcessorDescriptor(
    id: "org.example.telephone", name: "Telephone", summary: "Sounds as over a telephone.",
    parameters: [
      ParameterDescription(
        "drive", .number(minimum: 1, maximum: 20, unit: ""), default: .number(4), summary: "How much it bends.")
    ])

  private let drive: Float
  private let (low, high): (Float, Float)
  /// What each channel's two filters keep.
  private var kept: [(low: Float, high: Float)]

  init(parameters: ParameterValues, context: AudioProcessingContext) {
    drive = Float(parameters["drive"]?.number ?? 4)
    // One-pole filters: how much of a sample is taken over.
    let step = 2 * Float.pi / Float(context.sampleRate)
    (low, high) = (300 * step / (1 + 300 * step), 3400 * step / (1 + 3400 * step))
    kept = Array(repeating: (0, 0), count: context.channelCount)
  }

  func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) {
    for (index, samples) in channels.enumerated() {
      var (below, smooth) = kept[index]
      for sample in 0..<count {
        smooth += high * (samples[sample] - smooth)
        below += low * (smooth - below)
        let driven = (smooth - below) * drive
        samples[sample] = driven / (1 + abs(driven))
      }
      kept[index] = (below, smooth)
    }
  }

  func reset() { for index in kept.indices { kept[index] = (0, 0) } }
}
