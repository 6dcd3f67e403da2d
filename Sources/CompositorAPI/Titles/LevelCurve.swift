/// A level of audio over the time of a layer: values at equal distances in the movie's time, between which it is linear.
package struct LevelCurve: Hashable, Sendable {
  /// The number of values for each second of the movie.
  package static let rate = 200

  /// The values from movie time 0, 0 … 1.
  package let values: [Float]
  /// The movie's time of the layer.
  package let clock: LayerClock

  /// Creates a curve.
  package init(_ values: [Float], clock: LayerClock) { (self.values, self.clock) = (values, clock) }

  /// The level at a time of the layer: before the movie the first value, after it the last.
  package func value(at time: Double) -> Double {
    let position = clock.movieTime(of: time) * Double(LevelCurve.rate)
    guard let first = values.first, let last = values.last, !position.isNaN else { return 0 }
    guard position > 0 else { return Double(first) }
    guard position < Double(values.count - 1) else { return Double(last) }
    let index = Int(position)
    let (from, to) = (Double(values[index]), Double(values[index + 1]))
    return from + (to - from) * (position - Double(index))
  }

  /// Hashes the clock and the number of values, which are too many to hash for each use of a layer.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(values.count)
    hasher.combine(clock)
  }
}

/// The time of the movie at which a layer shows a time of its own, through the timings of the layers around it.
package struct LayerClock: Hashable, Sendable {
  private struct Step: Hashable {
    /// Seconds of the layer per second of its parent.
    let speed: Double
    /// A time of the layer and the time of its parent at which it shows it.
    let own, parent: Double
    let stretch: TimeStretch?
    /// The duration that is stretched.
    let length: Double
  }

  /// From the root to the layer.
  private var steps: [Step] = []

  /// The clock of the movie itself.
  package init() {}

  /// The movie's time of a time of the layer.
  package func movieTime(of time: Double) -> Double {
    steps.reversed().reduce(time) { time, step in
      let shown = step.stretch.map { $0.time(ofContent: time, in: step.length) } ?? time
      return step.parent + (shown - step.own) / step.speed
    }
  }

  /// The clock of a layer within; `nil` if it shows a time of its own more than once, or stands still.
  package func inside(_ timing: LayerTiming) -> LayerClock? {
    let isEndless = timing.duration <= 0 || timing.duration == .infinity
    let isOnce =
      timing.repeatCount <= 1 && timing.repeatDuration <= 0 && !timing.autoreverses && timing.timeOffset == 0
    guard timing.speed != 0, timing.speed.isFinite, timing.beginTime.isFinite, isEndless || isOnce else { return nil }
    var clock = self
    // What plays backward begins at its end.
    let active = timing.duration * (timing.repeatCount > 0 ? timing.repeatCount : 1)
    let own = isEndless ? timing.timeOffset : timing.speed < 0 ? active : 0
    clock.steps.append(
      Step(
        speed: timing.speed, own: own, parent: timing.beginTime, stretch: isEndless ? nil : timing.stretch,
        length: timing.duration))
    return clock
  }
}
