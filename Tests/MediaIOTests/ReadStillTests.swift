import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

/// Still images and numbered images.
struct ReadStillTests {
  /// The sum of ffmpeg's decoding in a pixel format.
  func ffmpegSum(_ path: String, format: String) throws -> UInt32? {
    let output = try runTool(
      "ffmpeg", ["-v", "error", "-nostdin", "-noautorotate", "-i", path, "-pix_fmt", format, "-f", "framecrc", "-"])
    let line = output.split(separator: "\n").last { !$0.hasPrefix("#") }
    return line?.split(separator: ",").last.flatMap { UInt32($0.trimmingCharacters(in: .whitespaces).dropFirst(2), radix: 16) }
  }

  @Test(arguments: [
    ("rgb24", "rgba"), ("rgba", "rgba"), ("gray", "rgba"), ("pal8", "rgba"), ("rgb48be", "rgba64le"),
    ("rgba64be", "rgba64le"), ("gray16be", "rgba64le"), ("ya8", "rgba"), ("monob", "rgba"),
  ])
  func pngDecoding_everyKind_equalsFFmpeg(stored: String, given: String) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "a.png",
      ["-f", "lavfi", "-i", "testsrc2=s=61x37,format=rgba,colorchannelmixer=aa=0.7", "-frames:v", "1", "-pix_fmt", stored])
    let shown = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero))
    #expect(shown.frame.format == (given == "rgba" ? .rgba : .rgba16))
    #expect(checksum(shown.frame) == (try ffmpegSum(path, format: given)))
    #expect((shown.frame.attributes.alphaMode == .straight) == ["rgba", "rgba64be", "ya8"].contains(stored))
    #expect(shown.frame.attributes.color == .sRGB)
  }

  @Test func pngDecoding_interlaced_equalsPlain() throws {
    let scratch = try TemporaryFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=61x37,format=rgb24", "-frames:v", "1"]
    let plain = try scratch.make("a.png", source)
    let interlaced = try scratch.make("b.png", source + ["-flags", "+ildct"])
    let sums = try [plain, interlaced].map { path in
      checksum(try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)).frame)
    }
    #expect(sums[0] == sums[1])
  }

  @Test(arguments: ["yuvj420p", "yuvj422p", "yuvj444p"])
  func jpegDecoding_everySampling_keepsComponents(format: String) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.make(
      "a.jpg", ["-f", "lavfi", "-i", "testsrc2=s=61x37", "-frames:v", "1", "-pix_fmt", format, "-q:v", "2"])
    let shown = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)).frame
    #expect(shown.format.name == format.replacingOccurrences(of: "j", with: ""))
    #expect(shown.attributes.color.range == .full)
    #expect(shown.attributes.color.matrix == .bt601_625)
    let raw = try runTool(
      "sh", ["-c", "ffmpeg -v error -nostdin -i \(path) -f rawvideo -pix_fmt \(format) - | od -An -v -tu1 -w1"])
    let expected = raw.split(separator: "\n").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    let found = samples(shown)
    #expect(found.count == expected.count)
    // Two implementations of the inverse transform may round differently.
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 2 })
  }

  func samples(_ frame: Frame) -> [Int] {
    var all: [Int] = []
    for plane in 0..<frame.format.planeCount {
      for y in 0..<frame.format.planeSize(plane, of: frame.size).height {
        frame.withRow(y, plane: plane, as: UInt8.self) { row in for x in row.indices { all.append(Int(row[x])) } }
      }
    }
    return all
  }

  @Test(.enabled(if: ReadMedia.isPresent))
  func exifOrientation_rotatedPhotos_areUpright() throws {
    for (name, size) in [
      ("Landscape_1", (1800, 1200)), ("Landscape_3", (1800, 1200)), ("Landscape_5", (1200, 1800)),
      ("Landscape_6", (1200, 1800)),
    ] {
      let info = try #require(try MediaProbe.probe(.file(path: try ReadMedia.path("\(name).jpg"))).videoTracks.first)
      #expect(info.size == PixelSize(width: size.0, height: size.1))
      #expect(info.displaySize == Size(width: 1800, height: 1200), "\(name)")
      #expect(info.isStill)
    }
    let turned = try #require(try MediaProbe.probe(.file(path: try ReadMedia.path("Landscape_6.jpg"))).videoTracks.first)
    #expect(turned.preferredTransform == AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 1800, ty: 0))
    let mirrored = try #require(try MediaProbe.probe(.file(path: try ReadMedia.path("Landscape_5.jpg"))).videoTracks.first)
    #expect(mirrored.preferredTransform.determinant == -1)
  }

  @Test func truncatedStills_cutInTheMiddle_areErrors() throws {
    let scratch = try TemporaryFolder()
    for name in ["a.png", "a.jpg"] {
      let path = try scratch.make(name, ["-f", "lavfi", "-i", "testsrc2=s=320x240", "-frames:v", "1"])
      let data = try Data(contentsOf: URL(filePath: path))
      try data.prefix(data.count / 2).write(to: URL(filePath: path))
      #expect(throws: CompositorError.self) { try MediaProbe.probe(.file(path: path)) }
    }
  }

  @Test func hugePNG_aboveTheCap_isTooLarge() throws {
    let scratch = try TemporaryFolder()
    var header: [UInt8] = Array("IHDR".utf8) + [0, 1, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0]
    var remainder: UInt32 = 0xffff_ffff
    for byte in header {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xedb8_8320 : remainder >> 1 }
    }
    header += withUnsafeBytes(of: (~remainder).bigEndian) { Array($0) }
    let file = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + header + [0, 0, 0, 0] + Array("IDAT".utf8)
    try Data(file).write(to: URL(filePath: scratch.file("huge.png")))
    #expect {
      try MediaProbe.probe(.file(path: scratch.file("huge.png")))
    } throws: {
      ($0 as? CompositorError)?.code == .frameTooLarge
    }
  }

  @Test func imageSequence_numberedFiles_hasTheirCountAndOrder() throws {
    let scratch = try TemporaryFolder()
    _ = try scratch.make("f_%03d.png", ["-f", "lavfi", "-i", "testsrc=s=32x24:r=10:d=0.7", "-start_number", "5"])
    let source = MediaSource.imageSequence(
      pattern: scratch.file("f_%03d.png"), first: 5, frameRate: Rational(30_000, 1001))
    let info = try MediaProbe.probe(source)
    #expect(info.duration == MediaTime(value: 7 * 1001, timescale: 30_000))
    let reader = try MediaOpener.openVideo(source)
    for index in [0, 6, 3, 2] {
      let start = MediaTime(value: Int64(index) * 1001, timescale: 30_000)
      let shown = try #require(try reader.frame(at: start + MediaTime(value: 1000, timescale: 30_000)))
      let single = try MediaOpener.openVideo(.file(path: scratch.file(String(format: "f_%03d.png", index + 5))))
      #expect(shown.presentationTime == start)
      #expect(checksum(shown.frame) == checksum(try #require(try single.frame(at: .zero)).frame))
    }
    #expect(try reader.frame(at: MediaTime(value: -1, timescale: 10)) == nil)
  }

  @Test(arguments: ["frame.png", "f_%d_%d.png", "f_%s.png", "f_%n.png", "f_%099d.png"])
  func imageSequence_otherPatterns_areInvalid(pattern: String) {
    let source = MediaSource.imageSequence(pattern: pattern, first: 0, frameRate: Rational(25, 1))
    #expect(throws: CompositorError.self) { try MediaProbe.probe(source) }
  }
}
