/// A channel's gains for the output's channels, which change without steps.
struct ChannelGain: Sendable {
  /// Maximum change of a gain per sample: −60.2 dB.
  static let steepest = 1.0 / 1024

  private(set) var volume = 1.0
  private(set) var pan = 0.0
  private let outputCount: Int
  private var from: [Double]
  private var to: [Double]
  /// The last change goes from `from` at this sample to `to` at `length` samples after it.
  private var start: Int64 = 0
  private var length: Int64 = 0
  /// The ends of the requested changes of volume and pan, so that a change of one does not cut the other's short.
  private var volumeEnd: Int64 = 0
  private var panEnd: Int64 = 0

  init(outputCount: Int) {
    self.outputCount = outputCount
    from = Array(repeating: 1, count: outputCount)
    to = from
  }

  mutating func setVolume(_ volume: Double, at sample: Int64, over count: Int64) {
    self.volume = volume
    move(at: sample, over: max(count, panEnd - sample))
    volumeEnd = start + length
  }

  mutating func setPan(_ pan: Double, at sample: Int64, over count: Int64) {
    self.pan = pan
    move(at: sample, over: max(count, volumeEnd - sample))
    panEnd = start + length
  }

  private mutating func move(at sample: Int64, over count: Int64) {
    var farthest = 0.0
    for index in 0..<outputCount {
      let now = gain(of: index, at: sample)
      var aim = volume
      if outputCount == 2 { aim *= min(1, index == 0 ? 1 - pan : 1 + pan) }
      from[index] = now
      to[index] = aim
      farthest = max(farthest, abs(aim - now))
    }
    start = sample
    length = max(count, Int64((farthest / Self.steepest).rounded(.up)))
  }

  /// The gain of one output at a sample that is not before the last change.
  private func gain(of output: Int, at sample: Int64) -> Double {
    guard sample - start < length else { return to[output] }
    return from[output] + (to[output] - from[output]) * (Double(sample - start) / Double(length))
  }

  /// Adds samples to an output, starting with the mixer's sample `sample`.
  func add(
    _ samples: UnsafePointer<Float>, count: Int, at sample: Int64, output: Int, to sums: UnsafeMutablePointer<Float>
  ) {
    let moving = Int(min(Int64(count), max(0, start + length - sample)))
    if moving > 0 {
      let (first, change, scale) = (from[output], to[output] - from[output], 1 / Double(length))
      let elapsed = sample - start
      for index in 0..<moving {
        sums[index] += samples[index] * Float(first + change * (Double(elapsed + Int64(index)) * scale))
      }
    }
    let gain = Float(to[output])
    guard gain != 0 else { return }
    for index in moving..<count { sums[index] += samples[index] * gain }
  }
}
