import CompositorAPI
import CompositorHost

/// A cache of finished frames by index. When it is full, the frames farthest from the playhead are dropped first.
struct FrameCache {
  struct Entry {
    let rendered: RenderedFrame
    let cost: FrameTimings
  }
  private var entries: [Int: Entry] = [:]
  /// The errors of frames that could not be rendered.
  private(set) var failures: [Int: CompositorError] = [:]
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { entries.count }

  subscript(index: Int) -> Entry? { entries[index] }

  /// Whether a frame is cached or known to fail.
  func isSettled(_ index: Int) -> Bool { entries[index] != nil || failures[index] != nil }

  /// Adds a frame. Above the capacity, drops the frames farthest from `center`, those behind the direction of movement first.
  mutating func insert(_ entry: Entry, center: Int, direction: Int) {
    entries[entry.rendered.index] = entry
    guard entries.count > capacity else { return }
    // Drops a batch at a time: sorting for each frame would cost more than it saves.
    let surplus = max(1, capacity / 32)
    let farthest = entries.keys.sorted {
      Self.distance($0, center, direction) > Self.distance($1, center, direction)
    }
    for index in farthest.prefix(surplus + entries.count - capacity - 1) { entries[index] = nil }
  }

  private static func distance(_ index: Int, _ center: Int, _ direction: Int) -> Int {
    let offset = index - center
    return offset * direction < 0 ? 3 * abs(offset) : abs(offset)
  }

  mutating func fail(_ index: Int, _ error: CompositorError) {
    // Kept so that a broken frame is not retried again and again; after many failures, they are retried.
    if failures.count >= 1024 { failures = [:] }
    failures[index] = error
  }

  /// Allows a failed frame to be retried.
  mutating func forgive(_ index: Int) { failures[index] = nil }

  /// The nearest cached frame to `index` inside a range.
  func nearest(to index: Int, in range: ClosedRange<Int>) -> Entry? {
    entries.keys.filter(range.contains).min { abs($0 - index) < abs($1 - index) }.flatMap { entries[$0] }
  }
}
