// Parts of names that carry their meaning, though they are a letter or two: an axis, a side, a number. A name that differs in one of
// them is another name, not a misspelled one.

/// The groups of such parts. Those that mean the same are one entry.
private let meaningfulParts: [String: String] = {
  let groups = [
    ["x"], ["y"], ["z"], ["hdr"], ["sdr"], ["pq"], ["hlg"], ["hq"], ["lt"], ["left"], ["right"], ["up"], ["down"], ["top"],
    ["bottom"], ["in"], ["out"], ["luma", "luminance"], ["alpha"], ["start", "begin"], ["end"], ["min", "minimum"],
    ["max", "maximum"], ["width"], ["height"], ["horizontal"], ["vertical"],
  ]
  return Dictionary(uniqueKeysWithValues: groups.flatMap { group in group.map { ($0, group[0]) } })
}()

/// The parts of a name in lowercase: `rotation` and `x` of `rotationX`, `bt`, `2020` and `pq` of `bt2020-pq`.
package func nameParts(_ name: String) -> [String] {
  var parts: [String] = []
  var last: Character?
  for character in name {
    defer { last = character }
    guard character.isLetter || character.isNumber else { continue }
    let continues =
      last.map {
        $0.isNumber == character.isNumber && ($0.isLetter || $0.isNumber) && !($0.isLowercase && character.isUppercase)
      }
      ?? false
    if continues, let part = parts.popLast() {
      parts.append(part + character.lowercased())
    } else {
      parts.append(character.lowercased())
    }
  }
  return parts
}

/// What a part means; `nil` if it is any other word.
private func meaning(_ part: String) -> String? {
  part.allSatisfy(\.isNumber) ? part : meaningfulParts[part]
}

/// Whether a number lacks the last digits of another, as one that is mistyped: `70` and `709`, but not `1` and `12`.
package func isCutShort(_ first: String, _ second: String) -> Bool {
  let (short, long) = first.count <= second.count ? (first, second) : (second, first)
  return short.count > 1 && long.hasPrefix(short) && long.allSatisfy(\.isNumber)
}

/// Whether two names differ in a part that carries their meaning: `rotationX` and `rotationZ`, `bt2020-pq` and `bt2020`, but not
/// `rotatoinX` and `rotationX`.
package func differInMeaning(_ first: String, _ second: String) -> Bool {
  let (short, long) = first.count <= second.count ? (first, second) : (second, first)
  let rest = long.lowercased().dropFirst(short.count)
  let digits = short.reversed().prefix { $0.isNumber }.count
  if short.count > 2, long.lowercased().hasPrefix(short.lowercased()), !rest.isEmpty,
    rest.allSatisfy(\.isNumber) && digits < 2 || ["x", "y", "z"].contains(rest)
  {
    return true
  }
  let (own, other) = (nameParts(first), nameParts(second))
  guard own.count != other.count else {
    return zip(own, other).contains { part, counterpart in
      guard let known = meaning(part), let wanted = meaning(counterpart) else { return false }
      return known != wanted && !isCutShort(part, counterpart)
    }
  }
  let (fewer, more) = own.count < other.count ? (own, other) : (other, own)
  let all = editDistance(fewer.joined(), more.joined())
  return more.indices.contains { index in
    guard meaning(more[index]) != nil, !fewer.contains(more[index]) else { return false }
    var without = more
    without.remove(at: index)
    // A part is additional if the names are alike without it.
    return editDistance(fewer.joined(), without.joined()) < all
  }
}

/// The names that are a word but for a part that carries their meaning: `wipe-up` and `wipe-left` of `wipe-in`.
package func namesOfOtherMeaning(_ word: String, among words: [String]) -> [String] {
  func plain(_ name: String) -> [String] { nameParts(name).filter { meaning($0) == nil } }
  let own = plain(word)
  guard !own.isEmpty else { return [] }
  return words.filter { plain($0) == own && differInMeaning(word, $0) }
}
