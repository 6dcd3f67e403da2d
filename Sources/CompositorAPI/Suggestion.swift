/// The string in `words` that was probably intended: the one with the smallest edit distance, or `nil` if none is near enough.
///
/// The limit is one edit for up to four characters, two for up to eight, and three for more. At most a third of the longer
/// string may differ, because `codec` isn't a misspelled `cover`, nor `w` an `x`; one missing, additional or swapped character
/// is always near. Case is ignored.
package func suggestion(for word: String, among words: [String]) -> String? {
  let limit = word.count <= 4 ? 1 : word.count <= 8 ? 2 : 3
  let candidates = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
  let near = candidates.filter { other, distance in
    guard distance <= limit else { return false }
    let isSlip = distance == 1 && (other.count != word.count || other.lowercased().sorted() == word.lowercased().sorted())
    return isSlip || distance * 3 <= max(word.count, other.count)
  }
  return near.min(by: { $0.distance < $1.distance })?.word
}

/// "Did you mean …?" if one of `words` is near enough; otherwise, a list of `words`.
package func recoverySuggestion(for word: String, among words: [String]) -> String {
  if let near = suggestion(for: word, among: words) { return "Did you mean \(quoted(near))?" }
  guard !words.isEmpty else { return "No name is valid here. Remove it." }
  return "Possible: \(words.joined(separator: ", "))."
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
