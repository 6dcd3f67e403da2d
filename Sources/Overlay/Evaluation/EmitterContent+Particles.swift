package import CompositorAPI

/// One particle at one time.
package struct Particle: Hashable, Sendable {
  /// Seconds since birth.
  package var age: Double
  /// Position of birth, in fractions of the emitter's bounds.
  package var source: Point
  /// Displacement since birth, in pixels.
  package var offset: Point
  package var scale: Double
  /// In radians.
  package var angle: Double
  package var opacity: Double
}

extension EmitterContent {
  /// The maximum number of particles alive at once.
  package static let maximumParticles = 20_000

  /// Every particle alive at `time`, oldest first. Number k is due at k / ``birthRate``; its trajectory depends only on the
  /// seed, k, and the emitter at its birth.
  ///
  /// - Parameters:
  ///   - greatest: Upper bounds of birth rate and lifetime. If the emitter's own rate is lower at a given time, an evenly
  ///     chosen share of the particles is born.
  ///   - emitter: The emitter at a given time.
  /// - Throws: `.invalidValue` if more than ``maximumParticles`` would be alive.
  static func particles(
    at time: Double, greatest: (birthRate: Double, lifetime: Double), _ emitter: (Double) -> EmitterContent
  ) throws(CompositorError) -> [Particle] {
    guard greatest.birthRate > 0, greatest.lifetime > 0, time >= 0, time.isFinite else { return [] }
    let rate = greatest.birthRate
    let first = max((time - greatest.lifetime) * rate, 0).rounded(.up)
    let last = ((time + time.timeTolerance) * rate).rounded(.down)
    guard last - first < Double(EmitterContent.maximumParticles), last < 1e15 else {
      throw CompositorError(
        .invalidValue, "An emitter has more than \(EmitterContent.maximumParticles) particles alive.",
        recoverySuggestion: "Lower its birth rate or its lifetime.", at: ErrorLocation(path: "content.emitter.birthRate"))
    }
    guard last >= first else { return [] }
    return (Int(first)...Int(last)).compactMap { index in
      let birth = Double(index) / rate
      let parent = emitter(birth)
      guard parent.birthRate >= rate || share(of: index) * rate < parent.birthRate else { return nil }
      return parent.particle(index, age: max(time - birth, 0))
    }
  }

  /// 0 ..< 1, evenly distributed over any range of indices: multiples of the golden ratio.
  private static func share(of index: Int) -> Double {
    Double((UInt64(index) &* 0x9e37_79b9_7f4a_7c15) >> 11) * 0x1p-53
  }

  private func particle(_ index: Int, age: Double) -> Particle? {
    func chance(_ channel: UInt64) -> Double {
      EmitterContent.unit(seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15 &+ channel &* 0xd1b5_4a32_d192_ed03)
    }
    func spread(_ value: Double, _ range: Double, _ channel: UInt64) -> Double { value + range * (2 * chance(channel) - 1) }
    guard age.isBefore(spread(lifetime, lifetimeRange, 1)) else { return nil }
    let speed = spread(velocity, velocityRange, 2)
    let direction = AffineMatrix.rotation(radians: spread(emissionAngle, emissionRange, 3))
    let born = Point(x: emitterSize.width * (chance(4) - 0.5), y: emitterSize.height * (chance(5) - 0.5))
    let offset = Point(
      x: born.x + direction.a * speed * age + acceleration.x * age * age / 2,
      y: born.y + direction.b * speed * age + acceleration.y * age * age / 2)
    let size = max(spread(scale, scaleRange, 6) + scaleSpeed * age, 0)
    let opacity = min(max(1 + alphaSpeed * age, 0), 1)
    guard size > 0, opacity > 0, [offset.x, offset.y, emitterPosition.x, emitterPosition.y].allSatisfy(\.isFinite) else {
      return nil
    }
    return Particle(
      age: age, source: emitterPosition, offset: offset, scale: size, angle: spread(spin, spinRange, 7) * age, opacity: opacity)
  }

  /// 0 ..< 1 from any bits.
  private static func unit(_ bits: UInt64) -> Double { Double(SplitMix64.mixed(bits) >> 11) * 0x1p-53 }
}
