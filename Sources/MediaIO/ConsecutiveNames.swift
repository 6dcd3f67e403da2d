/// File names of a recording's parts, such as `GH010042.MP4` and `GH020042.MP4`, or `part009.ts` and `part010.ts`.
package enum ConsecutiveNames {
  /// Whether two paths differ in one number only, which is one higher in the second.
  package static func areConsecutive(_ first: String, _ second: String) -> Bool {
    var (a, b) = (Array(first.utf8)[...], Array(second.utf8)[...])
    while let x = a.first, x == b.first { (a, b) = (a.dropFirst(), b.dropFirst()) }
    while let x = a.last, x == b.last { (a, b) = (a.dropLast(), b.dropLast()) }
    // What both numbers begin and end with is left out: 109 and 110 leave 09 and 10, 010042 and 020042 leave 1 and 2.
    guard let low = number(a), let high = number(b) else { return false }
    return high == low + 1
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 9 else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 >= 0 && digits.first != UInt8(ascii: "+") ? $0 : nil }
  }
}
