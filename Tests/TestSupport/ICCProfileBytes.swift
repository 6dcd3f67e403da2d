/// ICC profiles (ICC.1:2022 and ICC.1:2001-04) written byte by byte, without a library.
package enum ICCProfileBytes {
  /// A curve from signal to light.
  package enum Curve {
    /// `curv` with one number, eight bits behind the point.
    case power(Double)
    /// `curv` with 1024 samples of a function.
    case samples((Double) -> Double)
    /// `para` of type 3: IEC 61966-2-1.
    case sRGB

    fileprivate var bytes: [UInt8] {
      switch self {
      case .power(let gamma): Array("curv".utf8) + big(0) + big(1) + short(Int((gamma * 256).rounded()))
      case .samples(let function):
        Array("curv".utf8) + big(0) + big(1024)
          + (0..<1024).flatMap { short(Int((65_535 * function(Double($0) / 1023)).rounded())) }
      case .sRGB:
        Array("para".utf8) + big(0) + [0, 3, 0, 0]
          + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
      }
    }
  }

  /// A profile of R, G, B by three colorants (XYZ of R, G, B under D50) and a curve.
  package static func matrix(
    _ colorants: [[Double]], _ curve: Curve, version: Int = 4, codePoints: [UInt8]? = nil, name: String = "Test"
  ) -> [UInt8] {
    var tags = zip(["rXYZ", "gXYZ", "bXYZ"], colorants).map { ($0, Array("XYZ ".utf8) + big(0) + $1.flatMap(fixed)) }
    tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve.bytes) }
    if let codePoints { tags.append(("cicp", Array("cicp".utf8) + big(0) + codePoints)) }
    return assembled("mntrRGB XYZ ", tags, version: version, name: name)
  }

  /// A profile of gray by a curve.
  package static func gray(_ curve: Curve, version: Int = 2) -> [UInt8] {
    assembled("mntrGRAY" + "XYZ ", [("kTRC", curve.bytes)], version: version, name: "Gray")
  }

  /// A profile by a table of 16 bits (`mft2`): from signals, 0 … 1 each, to XYZ under D50.
  ///
  /// - Parameter components: 3 for R, G, B, 4 for C, M, Y, K.
  package static func table(
    components: Int, grid: Int, version: Int = 2, name: String = "Table", _ xyz: ([Double]) -> [Double]
  ) -> [UInt8] {
    var points: [[Double]] = [[]]
    for _ in 0..<components {
      points = points.flatMap { head in (0..<grid).map { head + [Double($0) / Double(grid - 1)] } }
    }
    var tag = Array("mft2".utf8) + big(0) + [UInt8(components), 3, UInt8(grid), 0]
    tag += [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { fixed($0) }
    tag += short(2) + short(2)
    for _ in 0..<components { tag += short(0) + short(65_535) }
    // 1 is 0x8000.
    tag += points.flatMap { xyz($0).flatMap { short(min(max(Int(($0 * 32_768).rounded()), 0), 65_535)) } }
    for _ in 0..<3 { tag += short(0) + short(65_535) }
    let kind = components == 4 ? "prtrCMYKXYZ " : "mntrRGB XYZ "
    return assembled(kind, [("A2B0", tag), ("A2B1", tag)], version: version, name: name)
  }

  private static func assembled(_ kind: String, _ tags: [(String, [UInt8])], version: Int, name: String) -> [UInt8] {
    let white = Array("XYZ ".utf8) + big(0) + [0.9642, 1, 0.8249].flatMap(fixed)
    let all = [("desc", description(name, version)), ("wtpt", white)] + tags
    var (table, body) = (big(all.count), [UInt8]())
    for (tag, bytes) in all {
      table += Array(tag.utf8) + big(132 + 12 * all.count + body.count) + big(bytes.count)
      body += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }
    var header = big(128 + table.count + body.count) + Array("none".utf8) + big(version == 2 ? 0x0240_0000 : 0x0430_0000)
    header += Array(kind.utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += [0.9642, 1, 0.8249].flatMap(fixed)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + body
  }

  private static func description(_ name: String, _ version: Int) -> [UInt8] {
    guard version != 2 else {
      let text = Array(name.utf8) + [0]
      return Array("desc".utf8) + big(0) + big(text.count) + text + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
    }
    let text = name.utf16.flatMap { short(Int($0)) }
    return Array("mluc".utf8) + big(0) + big(1) + big(12) + Array("enUS".utf8) + big(text.count) + big(28) + text
  }

  /// Four bytes, the most significant first.
  package static func big(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
  /// Two bytes, the most significant first.
  package static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
  private static func fixed(_ value: Double) -> [UInt8] {
    withUnsafeBytes(of: Int32((value * 65_536).rounded()).bigEndian, Array.init)
  }
}

/// Uncompressed image files with what a test wants in them.
package enum ImageBytes {
  /// A PNG of samples in rows, the most significant byte of 16-bit samples first.
  ///
  /// - Parameters:
  ///   - components: 1 for gray, 3 for R, G, B, 4 with alpha.
  ///   - chunks: Chunks before the picture's: name and content.
  package static func png(
    width: Int, height: Int, depth: Int, components: Int, samples: [UInt8], chunks: [(String, [UInt8])] = []
  ) -> [UInt8] {
    let kind: UInt8 = [1: 0, 3: 2, 4: 6][components] ?? 2
    let row = width * components * depth / 8
    let rows = (0..<height).flatMap { [0] + samples[($0 * row)..<(($0 + 1) * row)] }
    return [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
      + chunk("IHDR", ICCProfileBytes.big(width) + ICCProfileBytes.big(height) + [UInt8(depth), kind, 0, 0, 0])
      + chunks.flatMap { chunk($0, $1) } + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
  }

  /// The content of an `iCCP` chunk.
  package static func profileChunk(_ profile: [UInt8]) -> (String, [UInt8]) {
    ("iCCP", Array("profile".utf8) + [0, 0] + zlib(profile))
  }

  /// A little-endian TIFF of R, G, B or gray, 8 or 16 bits (the less significant byte first), with a profile.
  package static func tiff(
    width: Int, height: Int, depth: Int, components: Int, samples: [UInt8], profile: [UInt8]?
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let depths = (0..<components).flatMap { _ in little(depth, 2) }
    let (depthsAt, samplesAt) = (8, 8 + 8)
    let profileAt = samplesAt + samples.count
    let directoryAt = (profileAt + (profile?.count ?? 0) + 1) & ~1
    var entries: [(Int, Int, Int, Int)] = [
      (256, 4, 1, width), (257, 4, 1, height), (258, 3, components, components == 1 ? depth : depthsAt), (259, 3, 1, 1),
      (262, 3, 1, components == 1 ? 1 : 2), (273, 4, 1, samplesAt), (277, 3, 1, components), (278, 4, 1, height),
      (279, 4, 1, samples.count),
    ]
    if let profile { entries.append((34_675, 7, profile.count, profileAt)) }
    var file = [0x49, 0x49, 0x2a, 0] + little(directoryAt, 4) + depths
    file += [UInt8](repeating: 0, count: samplesAt - file.count) + samples + (profile ?? [])
    file += [UInt8](repeating: 0, count: directoryAt - file.count) + little(entries.count, 2)
    for entry in entries { file += little(entry.0, 2) + little(entry.1, 2) + little(entry.2, 4) + little(entry.3, 4) }
    return file + little(0, 4)
  }

  /// A zlib stream of stored blocks.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 1]
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let (low, high) = (UInt8(part.count & 255), UInt8(part.count >> 8))
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
    } while !rest.isEmpty
    let sums = bytes.reduce((1, 0)) { (($0.0 + Int($1)) % 65_521, ($0.1 + $0.0 + Int($1)) % 65_521) }
    return stream + ICCProfileBytes.big(sums.1 << 16 | sums.0)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var crc: UInt32 = 0xffff_ffff
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return ICCProfileBytes.big(content.count) + body + ICCProfileBytes.big(Int(~crc))
  }
}
