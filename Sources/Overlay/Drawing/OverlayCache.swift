package import CompositorAPI
import Synchronization

/// A cache of values that serve many frames: bounded by bytes, with the least recently used evicted first. Thread-safe.
package final class OverlayCache: Sendable {
  package enum Key: Hashable, Sendable {
    case extents(StyledText)
    case layout(StyledText)
    case units(StyledText, RasterGrid, [Range<Int>])
    case unitEmoji(StyledText, RasterGrid, Int, Range<Int>)
    case text(StyledText, RasterGrid)
    case fill(ShapePath, FillRule, RasterGrid)
    case stroke(StrokeStyle, RasterGrid)
    case patch(PresentationNode, RasterGrid)
    case surface(PresentationNode, RasterGrid)
    case emoji(StyledText, RasterGrid)
    case plate(PresentationNode, Projection, PixelBox)
  }

  package enum Value: Sendable {
    case extents(TextExtents)
    case layout(TextLayout)
    case units(TextUnitRaster)
    case text(TextRaster)
    case mask(Mask)
    case patch(CachedSprite)
    case surface(Surface)
    case picture(Picture)
    case plate(MoviePlate)
    case nothing
  }

  fileprivate struct Entry {
    var value: Value
    var byteCount: Int
    var lastUse: Int
  }

  fileprivate struct State {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
    var clock = 0
    var misses = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  package init(byteLimit: Int) { limit = byteLimit }

  /// Bytes held, entries, and the number of misses.
  package var statistics: (byteCount: Int, entries: Int, misses: Int) {
    state.withLock { ($0.byteCount, $0.entries.count, $0.misses) }
  }

  /// The value of a key, made by `make` if it is missing. Two threads may make the same value at the same time; values of
  /// equal keys are equal, so either may be kept.
  package func value<E: Error>(_ key: Key, make: () throws(E) -> Value) throws(E) -> Value {
    let found: Value? = state.withLock { state in
      state.clock += 1
      guard let index = state.entries.index(forKey: key) else { return nil }
      state.entries.values[index].lastUse = state.clock
      return state.entries.values[index].value
    }
    if let found { return found }
    let made = try make()
    state.withLock { state in
      state.misses += 1
      let entry = Entry(value: made, byteCount: made.byteCount, lastUse: state.clock)
      state.byteCount += entry.byteCount - (state.entries.updateValue(entry, forKey: key)?.byteCount ?? 0)
      if state.byteCount > limit || state.entries.count > OverlayCache.maximumEntries { state.shrink(to: limit) }
    }
    return made
  }

  fileprivate static let maximumEntries = 20_000
}

extension OverlayCache.State {
  /// Evicts least recently used values until a quarter of the capacity is free.
  fileprivate mutating func shrink(to limit: Int) {
    for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard byteCount > limit / 4 * 3 || entries.count > OverlayCache.maximumEntries / 4 * 3 else { break }
      entries[key] = nil
      byteCount -= entry.byteCount
    }
  }
}

extension OverlayCache.Value {
  fileprivate var byteCount: Int {
    switch self {
    case .extents, .nothing: 256
    case .layout(let layout): 256 + 256 * layout.clusters.count
    case .units(let units): units.byteCount
    case .mask(let mask): 256 + mask.bytes.count
    case .text(let text):
      256 + (text.outline?.bytes.count ?? 0) + text.fills.reduce(0) { $0 + $1.mask.bytes.count }
        + (text.picture?.pixels.count ?? 0) * 2
    case .patch(let patch): 256 + patch.byteCount
    case .surface(let surface): 256 + surface.pixels.byteCapacity
    case .picture(let picture): 256 + 2 * picture.pixels.count
    case .plate(let plate): 256 + plate.byteCount
    }
  }
}
