import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// Stills with embedded ICC profiles, as cameras, phones and drawing programs write them.
struct ICCProfileTests {
  /// R, G and B of primaries as XYZ under D50.
  static func colorants(_ primaries: ColorPrimaries) throws -> [[Double]] {
    // Bradford's adaptation to the D50 of the profile connection space.
    let cones = Matrix3(
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
    let xyz = try #require(primaries.rgbToXYZ)
    let ratio = (cones * SIMD3(0.9642, 1, 0.8249)) / (cones * (xyz * SIMD3(1, 1, 1)))
    let adaptation = try #require(cones.inverted) * Matrix3.diagonal(ratio) * cones
    let columns = (adaptation * xyz).transposed.rows
    return [columns.0, columns.1, columns.2].map { [$0.x, $0.y, $0.z] }
  }

  private func profile(
    _ primaries: ColorPrimaries, _ curve: ICCProfileBytes.Curve, version: Int = 4, codePoints: [UInt8]? = nil
  ) throws -> [UInt8] {
    ICCProfileBytes.matrix(try Self.colorants(primaries), curve, version: version, codePoints: codePoints)
  }

  /// A small red picture's file, made once in a folder.
  private func picture(_ name: String, in folder: TemporaryFolder) throws -> [UInt8] {
    if !FileManager.default.fileExists(atPath: folder.file(name)) {
      _ = try folder.make(name, ["-f", "lavfi", "-i", "color=red:s=16x16", "-frames:v", "1"])
    }
    return Array(try Data(contentsOf: URL(filePath: folder.file(name))))
  }

  private func probe(_ file: [UInt8], in folder: TemporaryFolder) throws -> (info: MediaInfo, track: VideoTrackInfo) {
    try Data(file).write(to: URL(filePath: folder.file("profiled")))
    let info = try MediaProbe.probe(.file(path: folder.file("profiled")))
    return (info, try #require(info.videoTracks.first))
  }

  private func png(_ profile: [UInt8], in folder: TemporaryFolder) throws -> (info: MediaInfo, track: VideoTrackInfo) {
    let red = (0..<256).flatMap { _ in [254, 0, 0] as [UInt8] }
    return try probe(
      ImageBytes.png(
        width: 16, height: 16, depth: 8, components: 3, samples: red, chunks: [ImageBytes.profileChunk(profile)]), in: folder)
  }

  /// In two segments, the second one first.
  private func jpeg(
    _ profile: [UInt8], in folder: TemporaryFolder, count: UInt8 = 2
  ) throws -> (info: MediaInfo, track: VideoTrackInfo) {
    var file = try picture("plain.jpg", in: folder)
    let half = profile.count / 2
    for (number, part) in [(1, profile[..<half]), (2, profile[half...])] {
      let content = Array("ICC_PROFILE\0".utf8) + [UInt8(number), count] + part
      file.insert(contentsOf: [0xff, 0xe2, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content, at: 2)
    }
    return try probe(file, in: folder)
  }

  @Test(arguments: [ColorPrimaries.bt709, .displayP3, .bt2020, .adobeRGB, .proPhotoRGB], [2, 4])
  func profile_ofAKnownSpace_isTags(primaries: ColorPrimaries, version: Int) throws {
    let folder = try TemporaryFolder()
    let curves: [(ICCProfileBytes.Curve, TransferFunction)] = [
      (.sRGB, .sRGB), (.samples { TransferFunction.sRGB.decode($0) ?? 0 }, .sRGB), (.power(2.2), .adobeRGB),
    ]
    for (curve, transfer) in curves {
      let profile = try profile(primaries, curve, version: version)
      let picture = try png(profile, in: folder)
      let color = picture.track.attributes.color
      #expect(
        color.primaries == primaries && color.transfer == transfer && color.matrix == .identity,
        "\(color.longName) for \(transfer.name)")
      #expect(picture.track.colorProfile == nil && picture.info.warnings.isEmpty && picture.track.format == .rgba)
      let photo = try jpeg(profile, in: folder).track
      #expect(photo.attributes.color.primaries == primaries && photo.attributes.color.transfer == transfer)
      #expect(photo.attributes.color.matrix == .bt601_625 && photo.format.subsampling == .s420)
    }
  }

  /// A profile's own code points (ICC.1:2022, 9.2.17) count more than its matrix; numbers that are not of H.273 count for nothing.
  @Test func profile_withCodePoints_isWhatTheySay() throws {
    let folder = try TemporaryFolder()
    let color = try png(profile(.displayP3, .sRGB, codePoints: [9, 16, 0, 1]), in: folder).track.attributes.color
    #expect(color.primaries == .bt2020 && color.transfer == .pq)
    let unknown = try png(profile(.displayP3, .sRGB, codePoints: [9, 131, 0, 1]), in: folder).track.attributes.color
    #expect(unknown.primaries == .displayP3 && unknown.transfer == .sRGB)
  }

  @Test func profile_ofAnotherSpace_isConvertedAndNamed() throws {
    let folder = try TemporaryFolder()
    for (primaries, curve, gamut) in [
      (ColorPrimaries.bt2020, ICCProfileBytes.Curve.power(1.8), ColorPrimaries.bt2020), (.displayP3, .power(1.8), .displayP3),
      (.bt709, .power(1.8), .bt709), (.bt709, .power(2.4), .bt709), (.bt709, .power(1), .bt709),
      (.cinemaGamut, .power(1.8), .proPhotoRGB),
    ] {
      let picture = try png(profile(primaries, curve), in: folder)
      #expect(picture.track.format == .rgba16 && picture.track.attributes.color.primaries == gamut)
      #expect(picture.track.attributes.color.transfer == .sRGB && picture.info.warnings.isEmpty)
      #expect(picture.track.colorProfile?.hasPrefix("the ICC profile “Test”, converted to ") == true)
      let photo = try jpeg(profile(primaries, curve), in: folder).track
      #expect(photo.format == .rgba16 && photo.attributes.color.primaries == gamut)
    }
  }

  @Test func profile_cutOrDamaged_isLeftOutAndSaidSo() throws {
    let folder = try TemporaryFolder()
    let whole = try profile(.displayP3, .power(1.8))
    for count in [1, 100, 131, 133, 150, 200, 250] {
      let (info, track) = try jpeg(Array(whole.prefix(count)), in: folder)
      #expect(track.attributes.color.primaries == .bt709 && track.format == .yuv420p, "\(count) bytes")
      #expect(info.warnings.map(\.kind) == [.unusableColorProfile], "\(count) bytes")
      #expect(try png(Array(whole.prefix(count)), in: folder).track.attributes.color == .sRGB, "\(count) bytes")
    }
    // Offsets, sizes and counts that lead out of it: whatever they give is a picture.
    for place in stride(from: 128, to: 240, by: 4) {
      var damaged = whole
      damaged.replaceSubrange(place..<place + 4, with: [0xff, 0xff, 0xff, 0xff])
      _ = try jpeg(damaged, in: folder)
      _ = try png(damaged, in: folder)
    }
    let missing = try jpeg(whole, in: folder, count: 3)
    #expect(missing.info.warnings.first?.message.contains("the file has 2 of its 3 parts") == true)
  }

  @Test func profile_ofOtherComponents_isLeftOutAndSaidSo() throws {
    let folder = try TemporaryFolder()
    let inks = ICCProfileBytes.table(components: 4, grid: 3) { ink in ink.prefix(3).map { (1 - $0) * (1 - ink[3]) } }
    let (info, track) = try jpeg(inks, in: folder)
    #expect(track.attributes.color.primaries == .bt709)
    #expect(info.warnings.first?.message.contains("it is one of C, M, Y, K, and the image is R, G, B") == true)
  }

  /// Chromaticities and an exponent that are no known space: 1.8 and Display P3, as old Macintoshes wrote.
  @Test func chunks_ofAnotherSpace_areConverted() throws {
    let folder = try TemporaryFolder()
    let p3 = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap { (value: Int) in ICCProfileBytes.big(value) }
    let samples: [UInt8] = (0..<256).flatMap { [UInt8($0), 128, 64] }
    func track(_ chunks: [(String, [UInt8])]) throws -> (frame: Frame, track: VideoTrackInfo, info: MediaInfo) {
      let file = ImageBytes.png(width: 256, height: 1, depth: 8, components: 3, samples: samples, chunks: chunks)
      let (info, track) = try probe(file, in: folder)
      let reader = try MediaOpener.openVideo(.file(path: folder.file("profiled")))
      return (try #require(try reader.frame(at: .zero)).frame, track, info)
    }
    let made = try track([("gAMA", ICCProfileBytes.big(55_556)), ("cHRM", p3)])
    #expect(made.track.colorProfile?.hasPrefix("cHRM and gAMA, converted to Display P3") == true)
    made.frame.withUnsafePlanes { planes in
      for x in 0..<256 {
        let found = Double(planes[0].base.load(fromByteOffset: 8 * x, as: UInt16.self)) / 65_535
        let wanted = TransferFunction.sRGB.encode(pow(Double(x) / 255, 1.8)) ?? 0
        #expect(abs(found - wanted) < 1 / 255.0, "\(x): \(found) for \(wanted)")
      }
    }
    #expect(try track([("gAMA", ICCProfileBytes.big(45_455)), ("cHRM", p3)]).track.attributes.color.primaries == .displayP3)
    let impossible = try track([("gAMA", ICCProfileBytes.big(1)), ("cHRM", p3)])
    #expect(impossible.track.attributes.color == .sRGB && impossible.info.warnings.map(\.kind) == [.unusableColorProfile])
  }
}
