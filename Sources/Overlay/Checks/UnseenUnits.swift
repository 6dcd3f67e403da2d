package import CompositorAPI

/// Units of an animated text (letters, words or lines) that a title ends too early for.
package struct UnseenUnits: Hashable, Sendable {
  /// What becomes of the units.
  package enum Fate: Hashable, Sendable {
    /// They are never visible.
    case unseen
    /// They are hardly visible: they appear while the title disappears.
    case faint
    /// They are visible, but their animation never begins.
    case unchanged
  }

  /// The key path of the animator, from the title, and that of its layer.
  package var path, layerPath: String
  package var name: String
  package var unit: TextAnimator.Unit
  /// The fate of the unit that begins last.
  package var fate: Fate
  /// The number of such units, and of all units that the animator has.
  package var count, total: Int
  /// The first such unit.
  package var first: String
  /// When the first of them begins, in seconds of the title.
  package var begin: Double
  /// The length in seconds that a title must have for all of them.
  package var neededLength: Double
  /// The times of all units as they are written, in seconds of the layer; empty if they follow from a delay.
  package var times: [Double]
  /// The end of the layer, in its own seconds.
  package var end: Double
}

/// A range of an animator that contains none of the text's units at any time.
package struct IdleRange: Hashable, Sendable {
  /// The key path of the animator, from the title.
  package var path: String
  package var name: String
  package var unit: TextAnimator.Unit
  package var range: Range<Int>
  /// The most units that the text has at any time; > 0.
  package var total: Int
}

/// A text that is typed too slowly for its title.
package struct UnfinishedTyping: Hashable, Sendable {
  /// The key path of the animation, from the title, and that of its layer.
  package var path, layerPath: String
  package var name: String
  /// The number of characters that are seen, and of all.
  package var count, total: Int
  /// When the animation would end, in seconds of the title.
  package var neededLength: Double
  /// The animation's start and duration, and the end of the layer, in seconds of the layer.
  package var begin, duration, end: Double
}

/// What is seen of the units of an animated text.
struct TextWatch {
  let text: TextContent
  let path: String
  let clock: TitleClock
  private var animators: [Seen]
  /// The most units of each animator's kind.
  private var totals: [Int]
  private var name = ""
  /// The highest opacity of the layer, and the last time at which it had nearly that, in the title's time.
  private var peak = 0.0
  private var last: [(time: Double, opacity: Double)] = []
  /// The share of the layer's opacity that a unit must reach to count as seen.
  private static let leastShare = 0.3

  private struct Seen {
    var opacities: [Double] = []
    var begins: [Double] = []
    var strings: [String] = []
  }

  init(_ found: AnimatedText) {
    (text, path, clock) = (found.text, found.path, found.clock)
    animators = found.text.animators.map { _ in Seen() }
    totals = found.text.animators.map { _ in 0 }
  }

  mutating func note(_ units: [TextUnit], of shown: TextContent, _ layout: TextLayout, opacity: Double, at time: Double) {
    peak = max(peak, opacity)
    last.append((time, opacity))
    for (index, animator) in text.animators.enumerated() {
      let all = layout.units(by: animator.unit)
      let chosen = all[animator.range?.clamped(to: 0..<all.count) ?? 0..<all.count]
      if all.count > totals[index] || animators[index].strings.count != chosen.count {
        name = "the text “\(shown.runs.map(\.text).joined().beginningInOneLine)”"
      }
      totals[index] = max(totals[index], all.count)
      if animators[index].strings.count != chosen.count {
        let bytes = Array(shown.runs.map(\.text).joined().utf8)
        animators[index] = Seen(
          opacities: chosen.map { _ in 0 }, begins: animator.begins(count: chosen.count),
          strings: chosen.map { layout.string(of: $0, in: bytes) })
      }
      var piece = 0
      for (place, range) in chosen.enumerated() {
        while piece < units.count, units[piece].clusters.lowerBound < range.lowerBound { piece += 1 }
        var own = units.isEmpty ? 1.0 : 0
        while piece < units.count, units[piece].clusters.lowerBound < range.upperBound {
          own = max(own, units[piece].opacity)
          piece += 1
        }
        animators[index].opacities[place] = max(animators[index].opacities[place], own * opacity)
      }
    }
  }

  private func isLost(_ place: Int, of index: Int) -> Bool {
    let (animator, seen) = (text.animators[index], animators[index])
    guard !animator.animations.isEmpty else { return false }
    if isLate(seen.begins[place], of: animator) { return true }
    // What a selector weighs may be seen at any time.
    return animator.changesOpacity && animator.selector == nil && seen.opacities[place] < Self.leastShare * peak
  }

  private func isLate(_ begin: Double, of animator: TextAnimator) -> Bool {
    let first = animator.animations.map(\.timing.beginTime).min() ?? 0
    return !(begin + first).isBefore(clock.end)
  }

  /// Local times at which units that haven't been seen may be, a few for each.
  var missing: [[Double]] {
    text.animators.indices.flatMap { index -> [[Double]] in
      let (animator, seen) = (text.animators[index], animators[index])
      guard animator.changesOpacity, animator.selector == nil, seen.begins.count == seen.strings.count else { return [] }
      return seen.begins.indices.filter { isLost($0, of: index) && !isLate(seen.begins[$0], of: animator) }.map { place in
        animator.animations.map(\.span).flatMap { span -> [Double] in
          guard span.upperBound.magnitude < 1e9, span.lowerBound.magnitude < 1e9 else { return [] }
          let length = span.upperBound - span.lowerBound
          return [0.25, 0.5, 0.75, 1, 1.05].map { seen.begins[place] + span.lowerBound + $0 * length }
        }
      }
    }
  }

  /// The ranges of animators without any unit.
  var idleRanges: [IdleRange] {
    text.animators.enumerated().compactMap { index, animator in
      guard let range = animator.range, !animator.animations.isEmpty, totals[index] > 0, range.lowerBound >= totals[index]
      else { return nil }
      return IdleRange(
        path: path.appending(key: "content.text.animators[\(index)]"), name: name, unit: animator.unit, range: range,
        total: totals[index])
    }
  }

  /// The units that are never seen or never animated; `nil` if there are none.
  func unseen(length: Double, start: Double) -> UnseenUnits? {
    guard peak > 0, clock.end.isFinite else { return nil }
    // Random characters may join to other units than those of the text.
    guard !text.animators.contains(where: { $0.scramble != nil }) else { return nil }
    for (index, animator) in text.animators.enumerated() {
      let seen = animators[index]
      guard seen.begins.count == seen.strings.count else { continue }
      let lost = seen.begins.indices.filter { isLost($0, of: index) }
      guard let first = lost.min(by: { seen.begins[$0] < seen.begins[$1] }),
        let latest = lost.max(by: { seen.begins[$0] < seen.begins[$1] })
      else { continue }
      let isUnseen = seen.opacities[latest] <= peak / 512
      let fate: UnseenUnits.Fate = isUnseen ? .unseen : isLate(seen.begins[latest], of: animator) ? .unchanged : .faint
      let span = animator.animations.map { min($0.span.upperBound, $0.timing.beginTime + 10) }.max() ?? 0
      let bright = last.filter { $0.opacity >= 0.9 * peak }.map(\.time).max() ?? start
      let fade = fate == .unchanged ? 0 : max(start + length - bright, 0)
      let begin = seen.begins[first] + max(animator.animations.map(\.timing.beginTime).min() ?? 0, 0)
      let needed = clock.title(seen.begins[latest] + span) + (fade < 0.1 ? 0 : fade)
      return UnseenUnits(
        path: path.appending(key: "content.text.animators[\(index)]"), layerPath: path, name: name, unit: animator.unit,
        fate: fate, count: lost.count, total: seen.begins.count, first: seen.strings[first],
        begin: clock.title(begin), neededLength: needed, times: animator.times, end: clock.end)
    }
    return nil
  }
}

/// How much of a text is typed.
struct TypingWatch {
  let path, layerPath: String
  let animation: Animation
  let clock: TitleClock
  private var reveal = 0.0
  private var text: TextContent?

  init(_ animation: Animation, path: String, layerPath: String, _ clock: TitleClock) {
    (self.animation, self.path, self.layerPath, self.clock) = (animation, path, layerPath, clock)
  }

  mutating func note(_ shown: TextContent) {
    reveal = max(reveal, shown.reveal)
    text = shown
  }

  /// The characters that the title ends too early for; `nil` if there are none.
  var unfinished: UnfinishedTyping? {
    let timing = animation.timing
    let duration = (timing.duration > 0 ? timing.duration : Animation.standardDuration) / timing.speed
    let end = timing.beginTime + duration
    guard let string = text?.runs.map(\.text).joined(), clock.end.isBefore(end), reveal < 1 else { return nil }
    let count = Int(((max(reveal, 0) + .progressTolerance) * Double(string.count)).rounded(.down))
    guard string.dropFirst(count).contains(where: { !$0.isWhitespace }) else { return nil }
    return UnfinishedTyping(
      path: path, layerPath: layerPath, name: "the text “\(string.beginningInOneLine)”", count: count, total: string.count,
      neededLength: clock.title(end), begin: timing.beginTime, duration: duration, end: clock.end)
  }
}

extension Layer {
  /// Collects texts that an animation types, once and forward.
  func gatherTyping(
    into found: inout [String: TypingWatch], _ clock: TitleClock, except told: Set<String>, path: String = "", depth: Int = 0
  ) {
    guard depth < Layer.maximumDepth, !isHidden, !told.contains(path), !content.isEmitter else { return }
    if case .text = content {
      for (index, animation) in animations.enumerated()
      where animation.property == .textReveal && animation.timing.speed > 0 && animation.timing.repeatCount <= 1 {
        let own = path.appending(key: "animations[\(index)]")
        found[path] = TypingWatch(animation, path: own, layerPath: path, clock)
      }
    }
    for (index, layer) in sublayers.enumerated() where layer.timing.isPlain {
      let end = layer.timing.duration > 0 ? layer.timing.duration : .infinity
      layer.gatherTyping(
        into: &found,
        clock.inner(from: layer.timing.beginTime, speed: 1, end: min(clock.end - layer.timing.beginTime, end)), except: told,
        path: path.appending(key: "sublayers[\(index)]"), depth: depth + 1)
    }
  }
}

extension LayerTiming {
  /// Whether it plays once, at its own speed.
  fileprivate var isPlain: Bool { speed == 1 && timeOffset == 0 && repeatCount <= 1 && repeatDuration <= 0 && !autoreverses }
}

extension TextAnimator {
  fileprivate var changesOpacity: Bool { animations.flatMap(\.leaves).contains { $0.property == .opacity } }
}

extension TextLayout {
  /// The part of a text that some clusters are.
  fileprivate func string(of range: Range<Int>, in bytes: [UInt8]) -> String {
    let parts = clusters[range]
    guard let start = parts.map(\.start).min(), let end = parts.map(\.end).max(), start < end, end <= bytes.count else {
      return ""
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
