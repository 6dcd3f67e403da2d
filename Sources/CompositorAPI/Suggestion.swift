/// The word that was probably meant: the nearest of `words` by edit distance, if it is near enough; nil where none is.
///
/// Near enough is one edit for up to four letters, two for up to eight, three beyond; case does not count.
package func suggestion(for word: String, among words: [String]) -> String? {
  let limit = word.count <= 4 ? 1 : word.count <= 8 ? 2 : 3
  let candidates = words.map { (word: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
  guard let best = candidates.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
  return best.word
}

/// "Did you mean …?" where something is near, else the list of what is possible.
package func recoverySuggestion(for word: String, among words: [String]) -> String {
  if let near = suggestion(for: word, among: words) { return "Did you mean \(quoted(near))?" }
  guard !words.isEmpty else { return "Nothing is possible here." }
  return "Possible: \(words.joined(separator: ", "))."
}

/// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other (optimal string alignment).
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

/// A text in double quotes for a message; control characters are shown as escapes.
package func quoted(_ text: String) -> String {
  let escaped = text.unicodeScalars.prefix(80).map {
    $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0)
  }
  return "\"\(escaped.joined())\(text.unicodeScalars.count > 80 ? "…" : "")\""
}
