package import CompositorAPI

/// A layer of a title that shows nothing in any frame.
package struct UnseenLayer: Hashable, Sendable {
  /// Why it shows nothing.
  package enum Reason: Hashable, Sendable {
    case outside, withoutBounds, withoutFontSize, masked, unrevealed, emitterWithoutCell, emitterWithoutBirths
    /// It lies outside of its mask, or of that of a layer around it.
    case outsideMask
    /// A layer around it cuts it off at its bounds (`masksToBounds`).
    case cutByBounds
    /// A replicator around it makes no copies.
    case withoutInstances
    /// Its layout, or its bounds, have no width or no height.
    case flat(hasNoWidth: Bool, hasNoHeight: Bool)
    /// Its back is toward the viewer, and is hidden.
    case turnedAway
    /// It isn't visible in any of the frames: transparent, hidden or over.
    case transparent
  }

  /// The key path from the title; empty for the title itself.
  package var path: String
  /// Its name in messages, or that of the first of several.
  package var name: String
  package var reason: Reason
}

/// Parts of a title that are never seen, found by evaluating its tree at frames of the movie, without drawing.
package struct TitleParts: Sendable {
  package private(set) var late: [LatePart] = []
  package private(set) var units: [UnseenUnits] = []
  package private(set) var ranges: [IdleRange] = []
  package private(set) var typing: [UnfinishedTyping] = []
  package private(set) var layers: [UnseenLayer] = []
  /// Whether a layer is seen.
  package private(set) var showsSomething = false

  /// The maximum number of layers evaluated at all times together: nothing is said of larger trees.
  private static let mostNodes = 200_000

  /// Searches a title.
  ///
  /// - Parameters:
  ///   - start: Start, in seconds of the title's parent.
  ///   - end: End, in seconds of the title's parent; > start.
  ///   - frame: The length of a frame in seconds, > 0, if frames are at its multiples; `nil` if their times aren't known.
  /// - Throws: Errors of evaluating the layer.
  package init(
    _ title: Layer, from start: Double, to end: Double, frame: Double?, canvas: PixelSize, fonts: FontLibrary
  ) throws(CompositorError) {
    let length = title.timing.duration > 0 ? title.timing.duration : end - title.timing.beginTime
    let search = LateSearch(title, length: length)
    late = search.found
    guard end > start else { return }
    let told = Set(late.map(\.layerPath))
    var wanted: [UnseenLayer] = []
    title.gatherShowing(except: told, into: &wanted)
    var watch = PartsWatch(canvas: canvas, fonts: fonts, wanted: Set(wanted.map(\.path)))
    for text in search.texts where !told.contains(text.path) { watch.texts[text.path] = TextWatch(text) }
    if title.timing.stretch == nil { title.gatherTyping(into: &watch.typing, TitleClock(end: length), except: told) }
    let moments = TitleMoments(from: start, to: end, frame: frame)
    for time in moments.samples(of: title) where !watch.isDone {
      try watch.evaluate(title, at: time)
      guard watch.nodeCount < Self.mostNodes else { return }
    }
    for (path, text) in watch.texts.sorted(by: { $0.key < $1.key }) {
      // Letters that appear for a moment may lie between the samples.
      for time in text.missing.prefix(40).flatMap({
        moments.frames(near: $0.map { title.timing.beginTime + text.clock.title($0) })
      }) {
        try watch.evaluate(title, at: time)
      }
      if let found = watch.texts[path]?.unseen(length: length, start: title.timing.beginTime) { units.append(found) }
      ranges += watch.texts[path]?.idleRanges ?? []
    }
    typing = watch.typing.values.compactMap(\.unfinished).sorted { $0.path < $1.path }
    showsSomething = watch.wanted.count < wanted.count
    let explained = told.union(units.map(\.layerPath)).union(typing.map(\.layerPath))
    let named = Dictionary(
      wanted.map { ($0.path, $0.explained(by: watch.reasons)) }, uniquingKeysWith: { first, _ in first })
    title.gatherUnseen(named, watch.wanted, except: explained, into: &layers)
  }
}

/// The times at which a title is evaluated.
struct TitleMoments {
  private let start, end: Double
  private let frame: Double?
  private static let mostFrames = 150

  init(from start: Double, to end: Double, frame: Double?) { (self.start, self.end, self.frame) = (start, end, frame) }

  /// Every frame if there are few, or else those near the times at which something begins, ends or reaches a value, and the last. The middle first.
  func samples(of title: Layer) -> [Double] {
    let middle = (start + end) / 2
    return times(of: title).sorted { abs($0 - middle) < abs($1 - middle) }
  }

  private func times(of title: Layer) -> Set<Double> {
    if let frame, (end - start) / frame <= Double(Self.mostFrames) {
      return Set(TitleVisibility.frames(from: start, to: end, frame))
    }
    let even = (0..<60).map { start + (end - start) * (Double($0) + 0.5) / 60 }
    let critical = title.criticalTimes().map(\.seconds).filter { $0 >= start && $0 < end }
    let step = max(critical.count / 200, 1)
    let chosen = stride(from: 0, to: critical.count, by: step).map { critical[$0] }
    let length = frame ?? 0.04
    let last = (1...12).map { end - Double($0) * length }.filter { $0 >= start }
    return Set(frames(near: even + chosen + last))
  }

  /// The frames that begin at times or first after them, in the title's time.
  func frames(near times: [Double]) -> [Double] {
    times.compactMap { time in
      guard let frame else { return time >= start && time < end ? time : nil }
      let next = max((((time - frame / 1000) / frame).rounded(.up)) * frame, start)
      return next < end - frame / 1000 ? next : nil
    }
  }
}

extension Layer {
  /// The layers that are meant to be seen, with what is known of the reason if they aren't.
  ///
  /// - Parameter reason: Why none of them is seen; `nil` if that isn't known.
  fileprivate func gatherShowing(
    except told: Set<String>, path: String = "", depth: Int = 0, because reason: UnseenLayer.Reason? = nil,
    into found: inout [UnseenLayer]
  ) {
    guard depth < Layer.maximumDepth, found.count < 2000, !told.contains(path), !isHidden else { return }
    var isEmitter = false
    if case .emitter(let emitter) = content {
      isEmitter = true
      let hasNoBirths = emitter.birthRate <= 0 && animations.isEmpty
      if sublayers.isEmpty || hasNoBirths {
        found.append(
          UnseenLayer(path: path, name: label, reason: sublayers.isEmpty ? .emitterWithoutCell : .emitterWithoutBirths))
      }
    } else if isMeantToShow {
      found.append(UnseenLayer(path: path, name: label, reason: reason ?? (isTurnedAway ? .turnedAway : knownReason)))
    }
    guard !isEmitter else { return }
    let inner = reason ?? (makesNoCopies ? .withoutInstances : nil)
    for (index, layer) in sublayers.enumerated() {
      layer.gatherShowing(
        except: told, path: path.appending(key: "sublayers[\(index)]"), depth: depth + 1, because: inner, into: &found)
    }
  }

  /// Whether it is a replicator of 0 instances all the time.
  private var makesNoCopies: Bool {
    guard case .replicator(let replicator) = content else { return false }
    return replicator.instanceCount <= 0 && !animations.lazy.flatMap(\.leaves).contains { $0.property == .instanceCount }
  }

  /// Whether its own transform turns its back to the viewer all the time, and it is hidden for that.
  private var isTurnedAway: Bool {
    backfaceVisibility == .hidden && animations.isEmpty && transform.matrix.showsBack
  }

  private var knownReason: UnseenLayer.Reason {
    switch content {
    case .none, .replicator, .image, .movie, .gradient, .video:
      let isSized = animations.lazy.flatMap(\.leaves).contains { $0.property == .bounds || $0.property == .boundsSize }
      return bounds.isEmpty && layout == nil && !isSized ? .withoutBounds : .transparent
    case .text(let text): return text.isWithoutSize ? .withoutFontSize : text.reveal <= 0 ? .unrevealed : .transparent
    default: return .transparent
    }
  }

  /// The outermost layers of which nothing is seen.
  ///
  /// - Returns: Whether something of it is meant to be seen, and whether something is.
  @discardableResult
  fileprivate func gatherUnseen(
    _ wanted: [String: UnseenLayer], _ unseen: Set<String>, except told: Set<String>, path: String = "", depth: Int = 0,
    into found: inout [UnseenLayer]
  ) -> (isMeant: Bool, isSeen: Bool) {
    guard depth < Layer.maximumDepth else { return (true, true) }
    // What has been said counts as seen.
    guard !told.contains(path) else { return (true, true) }
    let own = wanted[path]
    var (isMeant, isSeen) = (own != nil, own != nil && !unseen.contains(path))
    var inner: [UnseenLayer] = []
    for (index, layer) in sublayers.enumerated() {
      let below = layer.gatherUnseen(
        wanted, unseen, except: told, path: path.appending(key: "sublayers[\(index)]"), depth: depth + 1, into: &inner)
      (isMeant, isSeen) = (isMeant || below.isMeant, isSeen || below.isSeen)
    }
    guard isMeant, !isSeen else {
      if let own, unseen.contains(path) { found.append(own) }
      found += inner
      return (isMeant, isSeen)
    }
    if var first = own ?? inner.first {
      first.path = inner.count + (own == nil ? 0 : 1) > 1 ? path : first.path
      found.append(first)
    }
    return (isMeant, isSeen)
  }
}

extension UnseenLayer {
  fileprivate func explained(by reasons: [String: Reason]) -> UnseenLayer {
    guard reason == .transparent, let known = reasons[path] else { return self }
    var copy = self
    copy.reason = known
    return copy
  }
}
