/// A 128-bit secret that a page must know.
package struct AccessToken: Sendable {
  /// 32 hexadecimal digits.
  package let text: String

  /// Creates a token from the system's random numbers.
  package init() {
    var generator = SystemRandomNumberGenerator()
    let words = [UInt64.random(in: .min ... .max, using: &generator), UInt64.random(in: .min ... .max, using: &generator)]
    text = words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether a string is the token. The comparison takes constant time.
  package func matches(_ candidate: String) -> Bool {
    let (own, other) = (Array(text.utf8), Array(candidate.utf8))
    var difference = UInt8(own.count == other.count ? 0 : 1)
    for index in own.indices { difference |= own[index] ^ (index < other.count ? other[index] : 0) }
    return difference == 0
  }
}
