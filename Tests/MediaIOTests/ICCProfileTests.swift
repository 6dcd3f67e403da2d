import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// Stills with embedded ICC profiles, as phones and drawing programs write them.
struct ICCProfileTests {
  /// A profile of a matrix and a curve, made from the primaries' chromaticities.
  private func profile(_ primaries: ColorPrimaries, curve: [UInt8], codePoints: [UInt8]? = nil) throws -> [UInt8] {
    // Bradford's adaptation from D65 to the D50 of the profile connection space, as ICC's own sRGB profile has it.
    let adaptation = Matrix3(
      SIMD3(1.0478112, 0.0228866, -0.0501270), SIMD3(0.0295424, 0.9904844, -0.0170491),
      SIMD3(-0.0092345, 0.0150436, 0.7521316))
    let columns = (adaptation * (try #require(primaries.rgbToXYZ))).transposed.rows
    var tags: [(String, [UInt8])] = []
    for (name, xyz) in zip(["rXYZ", "gXYZ", "bXYZ"], [columns.0, columns.1, columns.2]) {
      tags.append((name, Array("XYZ ".utf8) + big(0) + [xyz.x, xyz.y, xyz.z].flatMap(fixed)))
    }
    tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    if let codePoints { tags.append(("cicp", Array("cicp".utf8) + big(0) + codePoints)) }
    return assembled(tags)
  }

  private func assembled(_ tags: [(String, [UInt8])]) -> [UInt8] {
    var (table, body) = (big(tags.count), [UInt8]())
    for (name, bytes) in tags {
      table += Array(name.utf8) + big(132 + 12 * tags.count + body.count) + big(bytes.count)
      body += bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }
    let size = 128 + table.count + body.count
    var header = big(size) + Array("none".utf8) + big(0x0400_0000) + Array("mntrRGB XYZ ".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += [0.9642, 1, 0.8249].flatMap(fixed)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + body
  }

  private func big(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian, Array.init) }
  private func fixed(_ value: Double) -> [UInt8] {
    withUnsafeBytes(of: Int32((value * 65_536).rounded()).bigEndian, Array.init)
  }

  /// IEC 61966-2-1 as a parametric curve of type 3.
  private var sRGBCurve: [UInt8] {
    Array("para".utf8) + big(0) + [0, 3, 0, 0]
      + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
  }
  /// A power as a curve of one number with eight bits behind the point.
  private func power(_ gamma: Double) -> [UInt8] {
    let number = Int((gamma * 256).rounded())
    return Array("curv".utf8) + big(0) + big(1) + [UInt8(number >> 8), UInt8(number & 255)]
  }

  /// A small red picture's file, made once in a folder.
  private func picture(_ name: String, in folder: TemporaryFolder) throws -> [UInt8] {
    if !FileManager.default.fileExists(atPath: folder.file(name)) {
      _ = try folder.make(name, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    }
    return Array(try Data(contentsOf: URL(filePath: folder.file(name))))
  }

  private func color(_ file: [UInt8], in folder: TemporaryFolder) throws -> ColorTags {
    try Data(file).write(to: URL(filePath: folder.file("profiled")))
    return try #require(try MediaProbe.probe(.file(path: folder.file("profiled"))).videoTracks.first).attributes.color
  }

  private func png(_ profile: [UInt8], in folder: TemporaryFolder) throws -> ColorTags {
    var file = try picture("plain.png", in: folder)
    // A zlib stream of one stored block.
    let length = profile.count
    let zlib: [UInt8] =
      [0x78, 1, 1] + [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8 & 255)] + profile
      + big(adler(profile))
    let chunk = Array("iCCPname\0\0".utf8) + zlib
    file.insert(contentsOf: big(chunk.count - 4) + chunk + big(crc(chunk)), at: 33)
    return try color(file, in: folder)
  }

  /// In two segments, the second one first.
  private func jpeg(_ profile: [UInt8], in folder: TemporaryFolder) throws -> ColorTags {
    var file = try picture("plain.jpg", in: folder)
    let half = profile.count / 2
    for (number, part) in [(1, profile[..<half]), (2, profile[half...])] {
      let content = Array("ICC_PROFILE\0".utf8) + [UInt8(number), 2] + part
      file.insert(contentsOf: [0xff, 0xe2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content, at: 2)
    }
    return try color(file, in: folder)
  }

  private func adler(_ bytes: [UInt8]) -> Int {
    let sums = bytes.reduce((1, 0)) { (($0.0 + Int($1)) % 65_521, ($0.1 + $0.0 + Int($1)) % 65_521) }
    return sums.1 << 16 | sums.0
  }

  private func crc(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }

  @Test(arguments: [ColorPrimaries.bt709, .displayP3, .bt2020])
  func profile_ofAKnownSpace_isRead(primaries: ColorPrimaries) throws {
    let folder = try TemporaryFolder()
    for (curve, transfer) in [
      (sRGBCurve, TransferFunction.sRGB), (power(2.2), .gamma22), (power(2.4), .bt709), (power(1), .linear),
    ] {
      let profile = try profile(primaries, curve: curve)
      let picture = try png(profile, in: folder)
      #expect(picture.primaries == primaries && picture.transfer == transfer && picture.matrix == .identity)
      let photo = try jpeg(profile, in: folder)
      #expect(photo.primaries == primaries && photo.transfer == transfer && photo.matrix == .bt601_625)
    }
  }

  /// A profile's own code points (ICC.1:2022, 9.2.17) count more than its matrix.
  @Test func profile_withCodePoints_isWhatTheySay() throws {
    let folder = try TemporaryFolder()
    let color = try png(profile(.displayP3, curve: sRGBCurve, codePoints: [9, 16, 0, 1]), in: folder)
    #expect(color.primaries == .bt2020 && color.transfer == .pq)
  }

  @Test func profile_ofAnotherSpace_isNotGuessed() throws {
    let folder = try TemporaryFolder()
    for (primaries, curve) in [(ColorPrimaries.bt470M, sRGBCurve), (.displayP3, power(1.8)), (.displayP3, Array("none".utf8))] {
      #expect(try png(profile(primaries, curve: curve), in: folder) == .sRGB)
      #expect(try jpeg(profile(primaries, curve: curve), in: folder).primaries == .bt709)
    }
  }

  @Test func profile_cutOrDamaged_isLeftOut() throws {
    let folder = try TemporaryFolder()
    let whole = try profile(.displayP3, curve: sRGBCurve)
    for count in [1, 100, 131, 133, 150, 200, 250] {
      #expect(try jpeg(Array(whole.prefix(count)), in: folder).primaries == .bt709, "\(count) bytes")
    }
    // Offsets, sizes and counts that lead out of it.
    for place in stride(from: 128, to: 216, by: 4) {
      var damaged = whole
      damaged.replaceSubrange(place..<place + 4, with: [0xff, 0xff, 0xff, 0xff])
      _ = try jpeg(damaged, in: folder)
    }
  }
}
