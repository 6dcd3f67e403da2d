/// SHA-1 (FIPS 180-4), which the WebSocket handshake requires. It protects nothing there, and must not be used to.
package enum SHA1 {
  /// The digest of bytes: 20 bytes.
  package static func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let message = padded(bytes)
    for start in stride(from: 0, to: message.count, by: 64) { update(&state, with: message[start..<start + 64]) }
    return state.flatMap(bigEndian)
  }

  /// The bytes, a bit, zeros, and the length in bits: a multiple of 64 bytes (section 5.1.1).
  private static func padded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var message = Array(bytes) + [0x80]
    message += repeatElement(0, count: (64 - (message.count + 8) % 64) % 64)
    return message + bigEndian(UInt64(bytes.count) * 8)
  }

  /// Adds a block of 64 bytes to the state (section 6.1.2).
  private static func update(_ state: inout [UInt32], with block: ArraySlice<UInt8>) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (function, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (rotated(a, by: 5) &+ function &+ e &+ constant &+ word, a, rotated(b, by: 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
