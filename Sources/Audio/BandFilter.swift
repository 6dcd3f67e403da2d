import CompositorPlatform

/// A band pass of one channel: a Butterworth high pass and a Butterworth low pass, each of the fourth order (24 dB per octave, −3 dB at
/// its frequency).
struct BandFilter {
  private var sections: [Biquad]

  /// - Parameter band: In Hz, from above 0 to below half the sampling rate.
  init(_ band: ClosedRange<Double>, sampleRate: Int) {
    let low = 2 * Double.pi * band.lowerBound / Double(sampleRate)
    let high = 2 * Double.pi * band.upperBound / Double(sampleRate)
    // The two pairs of poles of the fourth order.
    let qualities = [1, 3].map { 1 / (2 * cos($0 * Double.pi / 8)) }
    sections = qualities.map { Biquad(highPass: low, quality: $0) } + qualities.map { Biquad(lowPass: high, quality: $0) }
  }

  /// Filters the next sample.
  mutating func filter(_ sample: Double) -> Double {
    var value = sample
    for index in sections.indices { value = sections[index].filter(value) }
    return value
  }

  /// Ends what has decayed, so that silence isn't computed with subnormal numbers.
  mutating func settle() { for index in sections.indices { sections[index].settle() } }
}

/// A filter of the second order in transposed direct form II, with the coefficients of the Audio EQ Cookbook.
private struct Biquad {
  private let b0, b1, b2, a1, a2: Double
  private var first = 0.0
  private var second = 0.0

  /// - Parameter frequency: In radians per sample.
  init(lowPass frequency: Double, quality: Double) {
    let side = 1 - cos(frequency)
    self.init(frequency, quality, outer: side / 2, middle: side)
  }

  /// - Parameter frequency: In radians per sample.
  init(highPass frequency: Double, quality: Double) {
    let side = 1 + cos(frequency)
    self.init(frequency, quality, outer: side / 2, middle: -side)
  }

  private init(_ frequency: Double, _ quality: Double, outer: Double, middle: Double) {
    let alpha = sin(frequency) / (2 * quality)
    let scale = 1 / (1 + alpha)
    (b0, b1, b2) = (outer * scale, middle * scale, outer * scale)
    (a1, a2) = (-2 * cos(frequency) * scale, (1 - alpha) * scale)
  }

  mutating func filter(_ sample: Double) -> Double {
    let result = b0 * sample + first
    first = b1 * sample - a1 * result + second
    second = b2 * sample - a2 * result
    return result
  }

  mutating func settle() {
    if abs(first) < 1e-30 { first = 0 }
    if abs(second) < 1e-30 { second = 0 }
  }
}
