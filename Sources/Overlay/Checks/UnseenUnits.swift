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
    /// Their animator leaves them transparent whenever they are shown, however long the title is.
    case transparent
    /// They are scrambled until the end.
    case unsettled
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
  /// When the first of them begins, or settles, in seconds of the title.
  package var begin: Double
  /// The length in seconds that a title must have for all of them.
  package var neededLength: Double
  /// The times of all units as they are written, in seconds of the layer; empty if they follow from a delay.
  package var times: [Double]
  /// The end of the layer, in its own seconds, and in those of the title.
  package var end, layerEnd: Double
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

  /// Whether random characters take the space that they need, so that they may join to other units than those of the text.
  var isScrambledNaturally: Bool { text.animators.contains { $0.scramble?.spacing == .natural } }

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
    for (index, animator) in text.animators.enumerated() {
      let seen = animators[index]
      guard seen.begins.count == seen.strings.count else { continue }
      let lost = seen.begins.indices.filter { isLost($0, of: index) }
      guard let first = lost.min(by: { seen.begins[$0] < seen.begins[$1] }),
        let latest = lost.max(by: { seen.begins[$0] < seen.begins[$1] })
      else { continue }
      let isUnseen = seen.opacities[latest] <= peak / 512
      var fate: UnseenUnits.Fate = isUnseen ? .unseen : isLate(seen.begins[latest], of: animator) ? .unchanged : .faint
      let span = animator.animations.map { min($0.span.upperBound, $0.timing.beginTime + 10) }.max() ?? 0
      let bright = last.filter { $0.opacity >= 0.9 * peak }.map(\.time).max() ?? start
      let fade = fate == .unchanged ? 0 : max(start + length - bright, 0)
      let begin = seen.begins[first] + max(animator.animations.map(\.timing.beginTime).min() ?? 0, 0)
      let needed = clock.title(seen.begins[latest] + span) + (fade < 0.1 ? 0 : fade)
      let isOver = (seen.begins[latest] + span).isBefore(clock.end)
      if isUnseen, isOver, !isLate(seen.begins[latest], of: animator) { fate = .transparent }
      return UnseenUnits(
        path: path.appending(key: "content.text.animators[\(index)]"), layerPath: path, name: name, unit: animator.unit,
        fate: fate, count: lost.count, total: seen.begins.count, first: seen.strings[first],
        begin: clock.title(begin), neededLength: needed, times: animator.times, end: clock.end, layerEnd: clock.title(clock.end)
      )
    }
    return text.animators.indices.lazy.compactMap(unsettled).first
  }

  /// The units that an animator scrambles until the layer ends; `nil` if there are none.
  private func unsettled(by index: Int) -> UnseenUnits? {
    let (animator, seen) = (text.animators[index], animators[index])
    guard let scramble = animator.scramble, seen.begins.count == seen.strings.count else { return nil }
    let lost = seen.begins.indices.filter { !(seen.begins[$0] + scramble.duration).isBefore(clock.end) }
    guard let first = lost.min(by: { seen.begins[$0] < seen.begins[$1] }), let latest = lost.map({ seen.begins[$0] }).max()
    else { return nil }
    return UnseenUnits(
      path: path.appending(key: "content.text.animators[\(index)]"), layerPath: path, name: name, unit: animator.unit,
      fate: .unsettled, count: lost.count, total: seen.begins.count, first: seen.strings[first],
      begin: clock.title(seen.begins[first] + scramble.duration), neededLength: clock.title(latest + scramble.duration),
      times: animator.times, end: clock.end, layerEnd: clock.title(clock.end))
  }
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
