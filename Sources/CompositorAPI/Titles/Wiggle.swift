/// A random swing about a property's value: a camera in the hand, a nervous letter, a flickering light.
///
/// Its value is a pure function of the seed and the time, so frames may be requested in any order and are the same bit for bit.
/// It is smooth (twice differentiable), is never farther from the property's value than the amplitude, and is on average at it:
/// each swing is followed by the opposite one.
public struct Wiggle: Hashable, Sendable, Codable {
  /// Swings per second on average, above 0 and at most 1000.
  public var frequency = 2.0
  /// The seed. The numbers of a property, such as x and y, swing independently.
  public var seed: UInt64 = 1

  /// Creates a wiggle.
  public init(frequency: Double = 2, seed: UInt64 = 1) {
    self.frequency = frequency
    self.seed = seed
  }

  /// Decodes a wiggle. Missing keys have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    frequency = try values.read(.frequency, or: frequency)
    seed = try values.read(.seed, or: seed)
  }

  /// The deviation at a time in seconds, −1 … 1: random values with opposite ones between them, joined by quintic curves.
  ///
  /// - Parameter number: The index of the property's number.
  public func value(at seconds: Double, number: Int = 0) -> Double {
    // Between random values of either sign there are as many zeros as one and a half swings have in the time of two.
    let position = seconds * frequency * (8.0 / 3)
    guard position.isFinite, abs(position) < 0x1p52 else { return 0 }
    let start = position.rounded(.down)
    let share = position - start
    let curve = share * share * share * (share * (share * 6 - 15) + 10)
    let (from, to) = (knot(Int64(start), number), knot(Int64(start) + 1, number))
    return from + (to - from) * curve
  }

  private func knot(_ index: Int64, _ number: Int) -> Double {
    let pair = UInt64(bitPattern: index >> 1)
    let own = SplitMix64.mixed(seed &+ UInt64(number) &* 0xd1b5_4a32_d192_ed03)
    let bits = SplitMix64.mixed(own &+ pair &* 0x9e37_79b9_7f4a_7c15)
    let value = Double(bits >> 11) * 0x1p-52 - 1
    return index & 1 == 0 ? value : -value
  }

  func requireUsable() throws(CompositorError) {
    guard frequency > 0, frequency <= 1000 else {
      throw Animation.mistake("A wiggle of \(frequency) swings per second is not possible.", "Give it more than 0, up to 1000.")
    }
  }
}
