/// The string in `words` that was probably intended: the one with the smallest edit distance, or `nil` if none is near enough.
///
/// The limit is one edit for up to four characters, two for up to eight, and three for more. At most a third of the longer
/// string may differ, because `codec` isn't a misspelled `cover`, nor `w` an `x`; one missing, additional or swapped character
/// is always near. Case is ignored. A word in another notation is that word: `easeInOut` is `ease-in-out`, not `ease-out`; and a
/// beginning of parts is, if it is of one alone: `inverted-luma` is `inverted-luminance`. A word that differs in a part which carries
/// its meaning is another one, and so is all that is farther: `rotationZ` is no misspelled `rotationX`.
///
/// - Parameter areNames: Whether the words are names of things, whose parts mean something. Those of files are free.
package func suggestion(for word: String, among words: [String], areNames: Bool = true) -> String? {
  // One letter away from its opposite.
  guard word.lowercased() != "hdr" else { return nil }
  let letters = lettersAlone(word)
  if letters.count > 2 {
    if let same = words.first(where: { lettersAlone($0) == letters }) { return same }
    let abbreviated = words.filter { isAbbreviation(word, of: $0) && !differInMeaning(word, $0) }
    if abbreviated.count == 1 { return abbreviated[0] }
  }
  let limit = nearLimit(word)
  let candidates = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
  let near = candidates.filter { other, distance in
    guard distance <= limit else { return false }
    guard !areNames || arePartsNear(word, other) else { return false }
    let isSlip = distance == 1 && (other.count != word.count || other.lowercased().sorted() == word.lowercased().sorted())
    // Words that are three edits apart begin alike, or are others: `saturation` is no `duration`.
    let isAlike = distance < 3 || word.lowercased().commonPrefix(with: other.lowercased()).count >= 3
    return isSlip || isAlike && distance * 3 <= max(word.count, other.count)
  }
  let same = near.filter { !differInMeaning(word, $0.word) }
  guard let best = same.min(by: { $0.distance < $1.distance }) else { return nil }
  return near.contains { $0.distance < best.distance } ? nil : best.word
}

/// The number of edits that a word may be away from the one that is meant.
package func nearLimit(_ word: String) -> Int { word.count <= 4 ? 1 : word.count <= 8 ? 2 : 3 }

/// Whether each part of a name is near its counterpart by itself: `text` of `textColor` is no misspelled `box`, however long the rest
/// is. A part more or less is a single letter.
private func arePartsNear(_ word: String, _ other: String) -> Bool {
  let (own, parts) = (nameParts(word), nameParts(other))
  guard own.count == parts.count, own.count > 1 else {
    return own.count == parts.count || editDistance(word.lowercased(), other.lowercased()) <= 1
  }
  return zip(own, parts).allSatisfy { part, counterpart in editDistance(part, counterpart) <= nearLimit(part) }
}

/// Its letters and digits in lowercase: the same in `easeInOut`, `ease-in-out` and `ease.in_out`.
private func lettersAlone(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }

/// Whether a word has the parts of another one, each of them whole or beginning like it with at least three letters, of which all
/// but one are the same: `luma` of `luminance`.
private func isAbbreviation(_ word: String, of other: String) -> Bool {
  func parts(_ text: String) -> [Substring] { text.lowercased().split { !$0.isLetter && !$0.isNumber } }
  let (own, full) = (parts(word), parts(other))
  guard own.count == full.count, own.count > 1, own != full else { return false }
  return zip(own, full).allSatisfy { part, whole in
    let common = zip(part, whole).prefix { $0 == $1 }.count
    return part == whole || (common >= 3 && common >= part.count - 1 && whole.count > part.count)
  }
}

/// "Did you mean …?" if one of `words` is near enough; otherwise, a list of `words`.
package func recoverySuggestion(for word: String, among words: [String]) -> String {
  if let near = suggestion(for: word, among: words) { return "Did you mean \(quoted(near))?" }
  guard !words.isEmpty else { return "No name is valid here. Remove it." }
  let others = namesOfOtherMeaning(word, among: words)
  guard others.isEmpty || words.count <= 12 else { return "Similar names: \(others.prefix(8).joined(separator: ", "))." }
  let related = relatedNames(to: word, among: words)
  guard related.isEmpty else { return "Did you mean \(alternatives(related.map(quoted)))?" }
  guard words.count <= 40 else { return "Possible: \(grouped(words))." }
  return "Possible: \(words.joined(separator: ", "))."
}

/// Names such as `transform.scale` with a part that a word names or begins like: `scale`, `rotate`. Empty if one of `words` is near
/// as a whole; at most five.
package func relatedNames(to word: String, among words: [String]) -> [String] {
  guard suggestion(for: word, among: words) == nil, word.count > 2 else { return [] }
  guard namesOfOtherMeaning(word, among: words).isEmpty else { return [] }
  let wanted = word.lowercased().split(separator: ".").last.map(String.init) ?? ""
  func parts(_ name: String) -> [String] { name.lowercased().split(separator: ".").map(String.init) }
  let dotted = words.filter { $0.contains(".") }
  let exact = dotted.filter { parts($0).last == wanted }
  let similar = dotted.filter { name in
    parts(name).last.map { editDistance($0, wanted) <= 1 || $0.commonPrefix(with: wanted).count >= 5 } == true
  }
  return Array((exact.isEmpty ? similar : exact).prefix(5))
}

/// Many names, those with a common first part as one.
private func grouped(_ words: [String]) -> String {
  var counts: [Substring: Int] = [:]
  for word in words where word.contains(".") { counts[word.prefix { $0 != "." }, default: 0] += 1 }
  var told: Set<Substring> = []
  let shown = words.compactMap { word -> String? in
    let first = word.prefix { $0 != "." }
    guard word.contains("."), counts[first, default: 0] > 2 else { return word }
    return told.insert(first).inserted ? "\(first).… (\(counts[first, default: 0]) names)" : nil
  }
  return shown.joined(separator: ", ")
}

extension String {
  fileprivate func commonPrefix(with other: String) -> Substring {
    prefix(zip(self, other).prefix { $0 == $1 }.count)
  }
}

/// Choices as a phrase: "1", "1 or 2", "1, 2 or 4".
package func alternatives(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) or \(last)"
}

/// The number of insertions, deletions, replacements and transpositions between two strings (optimal string alignment). Only
/// the first 256 Unicode scalars of each are compared.
package func editDistance(_ first: String, _ second: String) -> Int {
  let (a, b) = (Array(first.unicodeScalars.prefix(256)), Array(second.unicodeScalars.prefix(256)))
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

/// A string in double quotes, for messages. Control characters are shown as escapes, and long strings are cut off.
package func quoted(_ text: String) -> String {
  let escaped = text.unicodeScalars.prefix(80).map {
    $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0)
  }
  return "\"\(escaped.joined())\(text.unicodeScalars.count > 80 ? "…" : "")\""
}
