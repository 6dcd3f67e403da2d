/// Frames of a track that were promised and not decoded, by their times in ticks.
struct FrameLosses {
  struct Loss {
    var time: Int64
    /// Why, without a full stop.
    var reason: String
  }

  /// Rising in time, each time once.
  private var losses: [Loss] = []
  /// Times of losses that were counted.
  private var counted: Set<Int64> = []

  var first: Loss? { losses.first }

  /// Adds a loss; one that is known already is found again if its packets are decoded again.
  mutating func add(_ loss: Loss) {
    let index = losses.partitioningIndex { $0.time >= loss.time }
    if index < losses.count, losses[index].time == loss.time { return }
    losses.insert(loss, at: index)
  }

  /// The lost frame that should be shown at a time; nil if the frame that is shown is the right one.
  ///
  /// - Parameter shown: Time of the frame that is shown; nil if there is none.
  func loss(at tick: Int64, showing shown: Int64?) -> Loss? {
    let index = losses.partitioningIndex { $0.time > tick }
    guard index > 0, losses[index - 1].time > shown ?? .min else { return nil }
    return losses[index - 1]
  }

  /// Whether a loss is counted for the first time.
  mutating func count(_ time: Int64) -> Bool { counted.insert(time).inserted }
}

extension [FrameLosses.Loss] {
  /// The index of the first element that a predicate holds for; it holds for all after it.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
