package import CompositorAPI
import Synchronization

/// Stills in the output's format and color, each converted once and reduced once per power of two.
///
/// An image is kept as long as its still, at most ``capacity`` of them. Thread-safe; a thread that asks for an
/// image that another thread is making waits for it.
package final class StillCache: Sendable {
  /// The still and the target of a conversion.
  fileprivate struct Key: Hashable {
    let lease: ObjectIdentifier
    let format: PixelFormat
    let color: ColorTags
    let source: FrameAttributes
    let policy: ColorConversionPolicy
  }

  fileprivate struct Entry {
    weak var lease: FrameLease?
    let picture: ScaledStill
    var lastRequest: Int
  }

  fileprivate struct State {
    var entries: [Key: Entry] = [:]
    var requestCount = 0
  }

  private let capacity: Int
  private let state = Mutex(State())
  /// Conversions and reductions made so far.
  package var madeCount: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.picture.madeCount } } }

  /// - Parameter capacity: The maximum number of stills to keep.
  package init(capacity: Int = 64) { self.capacity = capacity }

  /// A still in the context's format and color, reduced by 2 to the power of `level`: each sample is the mean of that many.
  ///
  /// - Throws: `.conversionNotPossible` if its color can't be converted to the output's.
  package func picture(of frame: Frame, level: Int, context: RenderContext) throws(CompositorError) -> Frame {
    let key = Key(
      lease: frame.leaseID, format: context.outputFormat, color: context.outputAttributes.color, source: frame.attributes,
      policy: context.colorConversion)
    let picture = state.withLock { $0.picture(key, frame.lease, capacity: capacity) }
    return try picture.level(level, of: frame, context: context)
  }
}

extension StillCache.State {
  fileprivate mutating func picture(_ key: StillCache.Key, _ lease: FrameLease, capacity: Int) -> ScaledStill {
    requestCount += 1
    // An address may be reused after its frame is released.
    if let known = entries[key], known.lease === lease {
      entries[key]?.lastRequest = requestCount
      return known.picture
    }
    entries = entries.filter { $0.key != key && $0.value.lease != nil }
    if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastRequest < $1.value.lastRequest })?.key {
      entries[oldest] = nil
    }
    let picture = ScaledStill()
    entries[key] = StillCache.Entry(lease: lease, picture: picture, lastRequest: requestCount)
    return picture
  }
}
