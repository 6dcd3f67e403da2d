import Compositor

/// Imitates a telephone: removes frequencies outside 300 … 3400 Hz, and softly saturates the rest.
final class Telephone: AudioProcessor {
  static let descriptor = AudioProcessorDescriptor(
    id: "org.example.telephone", name: "Telephone", summary: "Imitates a telephone.",
    parameters: [
      ParameterDescription(
        "drive", .number(minimum: 1, maximum: 20, unit: ""), default: .number(4), summary: "The amount of saturation.")
    ])

  private let drive: Float
  private let (low, high): (Float, Float)
  /// The state of each channel's two filters.
  private var kept: [(low: Float, high: Float)]

  init(parameters: ParameterValues, context: AudioProcessingContext) {
    drive = Float(parameters["drive"]?.number ?? 4)
    // Coefficients of the one-pole filters.
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
