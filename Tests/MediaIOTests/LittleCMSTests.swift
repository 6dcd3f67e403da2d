import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// Pillow with Little CMS, an independent reader of profiles and pictures.
enum LittleCMS {
  /// The interpreter: `COMPOSITOR_ORACLE_PYTHON`, else the one in `.venv`, else the machine's.
  static let python: String = {
    if let path = ProcessInfo.processInfo.environment["COMPOSITOR_ORACLE_PYTHON"] { return path }
    let own = root.appending(path: ".venv/bin/python3").path
    return FileManager.default.isExecutableFile(atPath: own) ? own : "python3"
  }()

  static let isPresent: Bool = {
    do {
      try runProgram(python, ["-c", "from PIL import ImageCms, features; assert features.check('avif')"])
      return true
    } catch {
      return false
    }
  }()

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Runs the script on a folder of profiles and samples; see there.
  static func makePictures(in folder: TemporaryFolder) throws {
    try runProgram(python, [root.appending(path: "Tests/Oracles/icc_pictures.py").path, folder.path])
  }
}

/// Profiles × formats × depths against Little CMS: largest differences in codes of 8 bits, in sRGB.
@Suite(.enabled(if: LittleCMS.isPresent, "Pillow with Little CMS is not there: scripts/oracles"))
struct LittleCMSTests {
  private static let side = 64, patch = 8

  /// A profile and the largest code difference that each format may have.
  private static let profiles: [(name: String, bytes: @Sendable () throws -> [UInt8])] = [
    ("sRGB-v2", { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.bt709), .sRGB, version: 2) }),
    ("sRGB-v4", { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.bt709), .sRGB) }),
    ("P3-v4", { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.displayP3), .sRGB) }),
    ("Adobe-v2", { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.adobeRGB), .power(563 / 256), version: 2) }),
    ("ProPhoto-v4", { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.proPhotoRGB), .power(1.8)) }),
    ("odd-v2", { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.ebu3213), .power(1.7), version: 2) }),
    (
      "sampled-v4",
      { ICCProfileBytes.matrix(try ICCProfileTests.colorants(.displayP3), .samples { 0.7 * $0 * $0 + 0.3 * $0 }) }
    ),
    ("gray-2.2", { ICCProfileBytes.gray(.power(2.2)) }),
    ("gray-1.5", { ICCProfileBytes.gray(.samples { pow($0, 1.5) }) }),
    ("table-v2", { LittleCMSTests.table(version: 2) }), ("table-v4", { LittleCMSTests.table(version: 4) }),
    (
      "inks",
      {
        ICCProfileBytes.table(components: 4, grid: 7, name: "Inks") { ink in
          let rgb = ink.prefix(3).map { 0.01 + 0.95 * pow((1 - $0) * (1 - 0.95 * ink[3]), 2.2) }
          return LittleCMSTests.xyz(rgb)
        }
      }
    ),
  ]

  /// sRGB's primaries, linear, as XYZ under D50.
  private static func xyz(_ rgb: [Double]) -> [Double] {
    let m = [[0.43607, 0.38515, 0.14307], [0.22249, 0.71687, 0.06061], [0.01392, 0.09708, 0.71410]]
    return m.map { $0[0] * rgb[0] + $0[1] * rgb[1] + $0[2] * rgb[2] }
  }

  /// Colors that no matrix and curve give: saturated ones are darker, and black is not black.
  private static func table(version: Int) -> [UInt8] {
    ICCProfileBytes.table(components: 3, grid: 17, version: version) { signal in
      let spread = (signal.max() ?? 0) - (signal.min() ?? 0)
      return xyz(signal.map { (0.004 + 0.996 * pow($0, 2.1)) * (1 - 0.3 * spread) })
    }
  }

  /// Patches of a cube of colors, grays among them.
  private static func samples(_ components: Int) -> [UInt8] {
    let steps: [UInt8] = [0, 85, 170, 255]
    let grays = (0..<64).map { UInt8($0 * 255 / 63) }
    return (0..<side * side).flatMap { index -> [UInt8] in
      let number = index / side / patch * (side / patch) + index % side / patch
      guard components > 1 else { return [grays[number]] }
      let color = [steps[number & 3], steps[number >> 2 & 3], steps[number >> 4 & 3]]
      return components == 3 ? color : color + [UInt8(number * 3 % 200)]
    }
  }

  @Test func stills_asLittleCMSMakesThem() throws {
    let folder = try TemporaryFolder()
    var components: [String: Int] = [:]
    for (name, make) in Self.profiles {
      let bytes = try make()
      components[name] = name.hasPrefix("gray") ? 1 : name == "inks" ? 4 : 3
      try Data(bytes).write(to: URL(filePath: folder.file("\(name).icc")))
      try Data(Self.samples(components[name] ?? 3)).write(to: URL(filePath: folder.file("\(name).rgb")))
    }
    try LittleCMS.makePictures(in: folder)
    var count = 0
    for (name, _) in Self.profiles {
      let profile = Array(try Data(contentsOf: URL(filePath: folder.file("\(name).icc"))))
      try write16(name, profile, components[name] ?? 3, in: folder)
      let formats = ["png", "jpg", "420.jpg", "webp", "lossy.webp", "tif", "avif", "16.png", "16.tif"]
      var row = name
      for format in formats where FileManager.default.fileExists(atPath: folder.file("\(name).\(format)")) {
        let expected = folder.file(format.hasPrefix("16") ? "\(name).srgb" : "\(name).\(format).srgb")
        let worst = try difference(
          folder.file("\(name).\(format)"), Array(try Data(contentsOf: URL(filePath: expected))),
          insideGamut: isLossy(format))
        row += "  \(format) \(String(format: "%.2f", worst))"
        // Lossy formats are decoded to R, G, B of 8 bits there: half a code more, wherever the conversion spreads codes.
        #expect(worst <= (isLossy(format) ? 2 : 1), "\(name).\(format)")
        count += 1
      }
      print(row)
    }
    #expect(count > 70)
  }

  private func isLossy(_ format: String) -> Bool { ["jpg", "420.jpg", "lossy.webp", "avif"].contains(format) }

  private func write16(_ name: String, _ profile: [UInt8], _ components: Int, in folder: TemporaryFolder) throws {
    guard components < 4 else { return }
    let samples = Self.samples(components).flatMap { [$0, $0] }
    try Data(
      ImageBytes.png(
        width: Self.side, height: Self.side, depth: 16, components: components, samples: samples,
        chunks: [ImageBytes.profileChunk(profile)])
    ).write(to: URL(filePath: folder.file("\(name).16.png")))
    try Data(
      ImageBytes.tiff(
        width: Self.side, height: Self.side, depth: 16, components: components, samples: samples, profile: profile)
    ).write(to: URL(filePath: folder.file("\(name).16.tif")))
  }

  /// The largest difference in the middle of any patch, by double precision from our frame's tags to sRGB, clipped.
  ///
  /// - Parameter insideGamut: Whether patches with a code near 0 or 255 are left out: there one code of a wide gamut is many of sRGB.
  private func difference(_ path: String, _ expected: [UInt8], insideGamut: Bool) throws -> Double {
    let reader = try MediaOpener.openVideo(.file(path: path))
    let frame = try #require(try reader.frame(at: .zero)).frame
    let color = frame.attributes.color
    let conversion = try LightConversion(from: color, to: .sRGB)
    var worst = 0.0
    for row in 0..<Self.side / Self.patch {
      for column in 0..<Self.side / Self.patch {
        let (x, y) = (column * Self.patch + Self.patch / 2, row * Self.patch + Self.patch / 2)
        let codes = expected[(3 * (y * Self.side + x))..<(3 * (y * Self.side + x) + 3)]
        guard !insideGamut || codes.allSatisfy({ (48...248).contains($0) }) else { continue }
        let found = conversion.convert(try signal(of: frame, x, y))
        for c in 0..<3 {
          let wanted = Double(expected[3 * (y * Self.side + x) + c])
          worst = max(worst, abs(min(max(found[c], 0), 1) * 255 - wanted))
        }
      }
    }
    return worst
  }

  /// R′G′B′ of a pixel in the middle of a patch of one color.
  private func signal(of frame: Frame, _ x: Int, _ y: Int) throws -> SIMD3<Double> {
    func sample(_ plane: Int, _ x: Int, _ y: Int, _ step: Int = 1, _ component: Int = 0) -> Double {
      frame.withUnsafePlanes { planes in
        let row = planes[plane].base + y * planes[plane].stride
        let place = x * step + component
        return frame.format.bytesPerSample == 1
          ? Double(row.load(fromByteOffset: place, as: UInt8.self))
          : Double(row.load(fromByteOffset: 2 * place, as: UInt16.self))
      }
    }
    let largest = Double((1 << frame.format.bitDepth) - 1)
    guard !frame.format.isRGB else {
      return SIMD3(sample(0, x, y, 4, 0), sample(0, x, y, 4, 1), sample(0, x, y, 4, 2)) / largest
    }
    let isHalf = frame.format.subsampling == .s420
    let (cx, cy) = isHalf ? (x / 2, y / 2) : (x, y)
    let unit = Double(1 << (frame.format.bitDepth - 8))
    let isLimited = frame.attributes.color.range == .limited
    let luma = isLimited ? (sample(0, x, y) / unit - 16) / 219 : sample(0, x, y) / largest
    func chroma(_ plane: Int) -> Double {
      isLimited ? (sample(plane, cx, cy) / unit - 128) / 224 : (sample(plane, cx, cy) - 128 * unit) / largest
    }
    return try #require(frame.attributes.color.matrix.yCbCrToRGB) * SIMD3(luma, chroma(1), chroma(2))
  }
}
