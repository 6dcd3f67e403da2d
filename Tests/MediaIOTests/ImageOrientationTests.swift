import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// What image files say about turning, color and alpha, in files put together here byte by byte.
struct ImageOrientationTests {
  private static func big(_ value: Int, _ count: Int) -> [UInt8] { FileBytes.big(value, count) }
  private static func little(_ value: Int, _ count: Int) -> [UInt8] { FileBytes.little(value, count) }
  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { FileBytes.box(type, content) }

  private func track(_ bytes: [UInt8], in scratch: TemporaryFolder) throws -> VideoTrackInfo {
    try Data(bytes).write(to: URL(filePath: scratch.file("a")))
    return try #require(try MediaProbe.probe(.file(path: scratch.file("a"))).videoTracks.first)
  }

  /// Stored 3 × 2, with an orientation and one extra sample of a kind.
  private static func tiff(orientation: Int, extraSamples: Int, isLittle: Bool) -> [UInt8] {
    let number = isLittle ? little : big
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
    }
    let entries = [
      entry(256, 3), entry(257, 2), entry(258, 8), entry(259, 1), entry(262, 2), entry(273, 8), entry(274, orientation),
      entry(277, 4), entry(278, 2), entry(279, 24), entry(338, extraSamples),
    ]
    // The pixels come first, so that every number stays small.
    let directory = 8 + 24
    let pixels = (0..<24).map { UInt8($0 % 4 == 3 ? 255 : $0 * 10) }
    return Array((isLittle ? "II*\0" : "MM\0*").utf8) + number(directory, 4) + pixels + number(entries.count, 2)
      + entries.flatMap(\.self) + number(0, 4)
  }

  @Test(arguments: [true, false])
  func tiff_withOrientation_isTurned(isLittle: Bool) throws {
    let scratch = try TemporaryFolder()
    let upright = try track(ImageOrientationTests.tiff(orientation: 1, extraSamples: 2, isLittle: isLittle), in: scratch)
    #expect(upright.preferredTransform == .identity && upright.attributes.alphaMode == .straight)
    let turned = try track(ImageOrientationTests.tiff(orientation: 6, extraSamples: 1, isLittle: isLittle), in: scratch)
    #expect(turned.preferredTransform == AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 2, ty: 0))
    #expect(turned.displaySize == Size(width: 2, height: 3) && turned.attributes.alphaMode == .premultiplied)
  }

  @Test func webP_withExif_isTurned() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "a.webp", ["-f", "lavfi", "-i", "testsrc2=s=62x38,format=yuv420p", "-frames:v", "1", "-c:v", "libwebp"])
    let plain = Array(try Data(contentsOf: URL(filePath: path)))
    let exif = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0] + [0, 0, 0, 0]
    let header = Array("VP8X".utf8) + FileBytes.little(10, 4) + [8, 0, 0, 0] + [61, 0, 0, 37, 0, 0]
    let chunks = header + plain.dropFirst(12) + Array("EXIF".utf8) + FileBytes.little(exif.count, 4) + exif
    let file = Array("RIFF".utf8) + FileBytes.little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    let turned = try track(file, in: scratch)
    #expect(turned.size == PixelSize(width: 62, height: 38) && turned.displaySize == Size(width: 38, height: 62))
    #expect(turned.preferredTransform == AffineMatrix(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 62))
  }

  // MARK: AVIF

  /// A coded AV1 picture.
  private func picture(_ source: String, _ format: String, in scratch: TemporaryFolder) throws -> [UInt8] {
    let path = try scratch.make(
      "p.obu",
      [
        "-f", "lavfi", "-i", source, "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1", "-crf", "0", "-pix_fmt",
        format,
        "-color_range", "pc", "-f", "obu",
      ])
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  /// An AVIF of 62 × 38 with properties of the picture, and an alpha plane where there is one.
  private static func avif(_ picture: [UInt8], alpha: [UInt8]? = nil, properties: [[UInt8]]) -> [UInt8] {
    let items = [picture] + (alpha.map { [$0] } ?? [])
    let extent = box("ispe", big(0, 4) + big(62, 4) + big(38, 4))
    let auxiliary = box("auxC", big(0, 4) + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))
    let ipco = box("ipco", ([extent] + properties + [auxiliary]).flatMap(\.self))
    let own = (1...(properties.count + 1)).map(UInt8.init)
    let associations = [big(1, 2) + [UInt8(own.count)] + own, big(2, 2) + [2, 1, UInt8(properties.count + 2)]]
    let ipma = box("ipma", big(0, 4) + big(items.count, 4) + associations.prefix(items.count).flatMap(\.self))
    func meta(dataOffset: Int) -> [UInt8] {
      var offset = dataOffset
      var locations: [UInt8] = []
      for (index, item) in items.enumerated() {
        locations += big(index + 1, 2) + big(0, 2) + big(1, 2) + big(offset, 4) + big(item.count, 4)
        offset += item.count
      }
      let infos = items.indices.map { box("infe", [2, 0, 0, 0] + big($0 + 1, 2) + big(0, 2) + Array("av01\0".utf8)) }
      return box(
        "meta",
        big(0, 4) + box("hdlr", big(0, 8) + Array("pict".utf8) + big(0, 7) + big(0, 6)) + box("pitm", big(0, 4) + big(1, 2))
          + box("iloc", big(0, 4) + [0x44, 0] + big(items.count, 2) + locations)
          + box("iinf", big(0, 4) + big(items.count, 2) + infos.flatMap(\.self))
          + (alpha == nil ? [] : box("iref", big(0, 4) + box("auxl", big(2, 2) + big(1, 2) + big(1, 2))))
          + box("iprp", ipco + ipma))
    }
    let ftyp = box("ftyp", Array("avif".utf8) + big(0, 4) + Array("avifmif1".utf8))
    let offset = ftyp.count + meta(dataOffset: 0).count + 8
    return ftyp + meta(dataOffset: offset) + box("mdat", items.flatMap(\.self))
  }

  // By hand: `irot` turns anticlockwise; then `imir` exchanges top and bottom (0) or left and right (1).
  @Test(
    arguments: [
      (0, nil, AffineMatrix.identity), (1, nil, AffineMatrix(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 62)),
      (2, nil, AffineMatrix(a: -1, b: 0, c: 0, d: -1, tx: 62, ty: 38)),
      (3, nil, AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 38, ty: 0)),
      (0, 0, AffineMatrix(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 38)),
      (0, 1, AffineMatrix(a: -1, b: 0, c: 0, d: 1, tx: 62, ty: 0)),
      (1, 0, AffineMatrix(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)),
      (1, 1, AffineMatrix(a: 0, b: -1, c: -1, d: 0, tx: 38, ty: 62)),
    ] as [(Int, Int?, AffineMatrix)])
  func avif_turnedAndMirrored_isShownUpright(turns: Int, axis: Int?, transform: AffineMatrix) throws {
    let scratch = try TemporaryFolder()
    let coded = try picture("testsrc2=s=62x38", "yuv444p", in: scratch)
    let mirror = axis.map { [FileBytes.box("imir", [UInt8($0)])] } ?? []
    let file = ImageOrientationTests.avif(coded, properties: [FileBytes.box("irot", [UInt8(turns)])] + mirror)
    #expect(try track(file, in: scratch).preferredTransform == transform)
  }

  @Test func avif_withColorBox_believesTheBox() throws {
    let scratch = try TemporaryFolder()
    let coded = try picture("testsrc2=s=62x38", "yuv444p10", in: scratch)
    let codes = [9, 16, 9].flatMap { FileBytes.big($0, 2) }
    let file = ImageOrientationTests.avif(
      coded, properties: [FileBytes.box("colr", Array("nclx".utf8) + codes + [0x80])])
    let color = try track(file, in: scratch).attributes.color
    #expect(color.primaries == .bt2020 && color.transfer == .pq && color.matrix == .bt2020 && color.range == .full)
  }

  @Test func avif_withAlpha_hasThePlaneAsItsAlpha() throws {
    let scratch = try TemporaryFolder()
    let coded = try picture("testsrc2=s=62x38", "yuv444p", in: scratch)
    // libaom is lossless at CRF 0.
    let ramp = "color=black:s=62x38,format=gray,geq=lum='mod(4*X+Y,256)'"
    let alpha = try picture(ramp, "gray", in: scratch)
    try Data(ImageOrientationTests.avif(coded, alpha: alpha, properties: [])).write(to: URL(filePath: scratch.file("a.avif")))
    let shown = try #require(try MediaOpener.openVideo(.file(path: scratch.file("a.avif"))).frame(at: .zero)).frame
    #expect(shown.format == .planar(.s444, bitDepth: 8, alpha: true) && shown.attributes.alphaMode == .straight)
    var worst = 0
    for y in 0..<38 {
      shown.withRow(y, plane: 3, as: UInt8.self) { row in
        for x in row.indices { worst = max(worst, abs(Int(row[x]) - (4 * x + y) % 256)) }
      }
    }
    #expect(worst <= 1, "alpha differs by \(worst)")
  }

  @Test func avif_ofTiles_isRefusedInItsOwnWords() throws {
    let scratch = try TemporaryFolder()
    let coded = try picture("testsrc2=s=62x38", "yuv444p", in: scratch)
    var file = ImageOrientationTests.avif(coded, properties: [])
    let name = try #require(file.firstRange(of: Array("av01".utf8)))
    file.replaceSubrange(name, with: Array("grid".utf8))
    #expect {
      _ = try track(file, in: scratch)
    } throws: {
      ($0 as? CompositorError)?.message.contains("several images") == true
    }
  }
}
