import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorTestSupport
import Testing

/// Image files of every kind that is read, beside ffmpeg's reading of them.
struct ReadImageTests {
  /// An image made by ffmpeg, and what it's read as.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let container: String
    /// How it is encoded.
    let arguments: [String]
    /// The pixel format that its pixels are compared in: every code is equal.
    let format: String
    var testDescription: String { name }

    init(_ name: String, _ container: String, _ arguments: String..., as format: String) {
      (self.name, self.container, self.arguments, self.format) = (name, container, arguments, format)
    }
  }

  static let cases = [
    Case("a.png", "png", "-pix_fmt", "rgb24", as: "rgba"),
    Case("lossy.webp", "webp", "-c:v", "libwebp", "-lossless", "0", "-pix_fmt", "yuv420p", as: "yuv420p"),
    Case("lossless.webp", "webp", "-c:v", "libwebp", "-lossless", "1", "-pix_fmt", "bgra", as: "rgba"),
    Case("alpha.webp", "webp", "-c:v", "libwebp", "-lossless", "0", "-pix_fmt", "yuva420p", as: "yuva420p"),
    Case("a.avif", "avif", "-c:v", "libaom-av1", "-still-picture", "1", "-pix_fmt", "yuv444p", as: "yuv444p"),
    Case("deep.avif", "avif", "-c:v", "libaom-av1", "-still-picture", "1", "-pix_fmt", "yuv420p10", as: "yuv420p10le"),
    Case("a.jxl", "jpegxl", "-c:v", "libjxl", "-pix_fmt", "rgb24", as: "rgba"),
    Case("alpha.jxl", "jpegxl", "-c:v", "libjxl", "-distance", "0", "-pix_fmt", "rgba64le", as: "rgba64le"),
    Case("rgb.tiff", "tiff", "-pix_fmt", "rgb24", as: "rgba"), Case("rgba.tif", "tiff", "-pix_fmt", "rgba", as: "rgba"),
    Case("rgb16.tiff", "tiff", "-pix_fmt", "rgb48le", as: "rgba64le"),
    Case("rgba16.tiff", "tiff", "-pix_fmt", "rgba64le", as: "rgba64le"),
    Case("gray.tiff", "tiff", "-pix_fmt", "gray", as: "rgba"),
    Case("gray16.tiff", "tiff", "-pix_fmt", "gray16le", as: "rgba64le"),
    Case("palette.tiff", "tiff", "-pix_fmt", "pal8", as: "rgba"), Case("lines.tiff", "tiff", "-pix_fmt", "monob", as: "rgba"),
    Case("rgb.bmp", "bmp", "-pix_fmt", "bgr24", as: "rgba"), Case("rgba.bmp", "bmp", "-pix_fmt", "bgra", as: "bgra"),
    Case("palette.bmp", "bmp", "-pix_fmt", "pal8", as: "rgba"),
    Case("rgb.tga", "tga", "-pix_fmt", "bgr24", as: "rgba"), Case("rgba.tga", "tga", "-pix_fmt", "bgra", as: "bgra"),
    Case("plain.tga", "tga", "-rle", "0", "-pix_fmt", "bgra", as: "bgra"),
    Case("gray.tga", "tga", "-pix_fmt", "gray", as: "rgba"), Case("palette.tga", "tga", "-pix_fmt", "pal8", as: "rgba"),
    Case("a.ppm", "pnm", "-pix_fmt", "rgb24", as: "rgba"), Case("deep.ppm", "pnm", "-pix_fmt", "rgb48be", as: "rgba64le"),
    Case("a.pgm", "pnm", "-pix_fmt", "gray", as: "rgba"), Case("deep.pgm", "pnm", "-pix_fmt", "gray16be", as: "rgba64le"),
    Case("a.pbm", "pnm", "-pix_fmt", "monow", as: "rgba"), Case("a.pam", "pnm", "-pix_fmt", "rgba", as: "rgba"),
    Case("a.jp2", "jpeg2000", "-c:v", "jpeg2000", "-pix_fmt", "rgb24", as: "rgba"),
    Case("a.j2k", "jpeg2000", "-c:v", "libopenjpeg", "-format", "j2k", "-pix_fmt", "rgb48le", as: "rgba64le"),
    Case("one.gif", "gif", as: "bgra"),
  ]

  private func make(_ item: Case, in scratch: TemporaryFolder) throws -> String {
    let picture = "testsrc2=s=61x37,format=rgba,colorchannelmixer=aa=0.7"
    return try scratch.make(item.name, ["-f", "lavfi", "-i", picture, "-frames:v", "1"] + item.arguments)
  }

  @Test(arguments: cases)
  func stills_everyKind_areShownForEverWithFFmpegsPixels(item: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try make(item, in: scratch)
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.container == item.container && info.duration == .positiveInfinity)
    let track = try #require(info.videoTracks.first)
    #expect(track.isStill && info.videoTracks.count == 1 && track.size == PixelSize(width: 61, height: 37))
    #expect(track.attributes.color.transfer == .sRGB && track.attributes.color.primaries == .bt709)
    let reader = try MediaOpener.openVideo(.file(path: path))
    let early = try #require(try reader.frame(at: .zero))
    let late = try #require(try reader.frame(at: MediaTime(value: 1000, timescale: 1)))
    #expect(early.frame.isSameMemory(as: late.frame) && early.duration == .positiveInfinity)
    #expect(checksum(early.frame) == (try ffmpegSum(path, format: item.format)), "\(early.frame.format)")
  }

  @Test(arguments: cases)
  func stills_underAnotherName_areKnownByTheirContent(item: Case) throws {
    let scratch = try TemporaryFolder()
    let renamed = scratch.file("picture.mp4")
    try FileManager.default.moveItem(atPath: try make(item, in: scratch), toPath: renamed)
    #expect(try MediaProbe.probe(.file(path: renamed)).container == item.container)
  }

  @Test(arguments: cases)
  func stills_cutShort_areErrors(item: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try make(item, in: scratch)
    let data = try Data(contentsOf: URL(filePath: path))
    for part in [2, 3, 4] {
      try data.prefix(data.count - data.count / part).write(to: URL(filePath: path))
      #expect(throws: CompositorError.self, "1/\(part) missing") { try MediaProbe.probe(.file(path: path)) }
    }
  }

  /// The sum of ffmpeg's decoding in a pixel format.
  private func ffmpegSum(_ path: String, format: String) throws -> UInt32? {
    let output = try runTool(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-sws_flags", "accurate_rnd+full_chroma_int", "-pix_fmt",
        format, "-f", "framecrc", "-",
      ])
    let line = output.split(separator: "\n").last { !$0.hasPrefix("#") }
    return line?.split(separator: ",").last.flatMap { UInt32($0.trimmingCharacters(in: .whitespaces).dropFirst(2), radix: 16) }
  }
}

/// Headers of images that are too large for memory.
struct HugeImageTests {
  private static func big(_ value: Int, _ count: Int) -> [UInt8] { FileBytes.big(value, count) }
  private static func little(_ value: Int, _ count: Int) -> [UInt8] { FileBytes.little(value, count) }
  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { FileBytes.box(type, content) }

  /// 100,000 by 100,000, or as much as the header can say.
  static let headers: [(name: String, bytes: [UInt8])] = [
    ("gif", Array("GIF89a".utf8) + little(65_535, 2) + little(65_535, 2) + [0, 0, 0, 0x2c] + [UInt8](repeating: 0, count: 12)),
    (
      "webp",
      Array("RIFF".utf8) + little(22, 4) + Array("WEBPVP8X".utf8) + little(10, 4) + [0, 0, 0, 0] + little(99_999, 3)
        + little(99_999, 3)
    ),
    (
      "tiff",
      Array("II*\0".utf8) + little(8, 4) + little(2, 2) + little(256, 2) + little(4, 2) + little(1, 4) + little(100_000, 4)
        + little(257, 2) + little(4, 2) + little(1, 4) + little(100_000, 4) + little(0, 4)
    ),
    (
      "bmp",
      Array("BM".utf8) + little(0, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(100_000, 4)
        + little(-100_000, 4) + little(1, 2) + little(24, 2) + [UInt8](repeating: 0, count: 24)
    ),
    (
      "tga",
      [0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0] + little(65_535, 2) + little(65_535, 2) + [24, 0] + [UInt8](repeating: 0, count: 9)
    ),
    ("ppm", Array("P6\n# large\n100000 100000\n255\n".utf8) + [1, 2, 3]),
    ("pam", Array("P7\nWIDTH 100000\nHEIGHT 100000\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n".utf8) + [1, 2, 3]),
    (
      "jp2",
      box("jP  ", [13, 10, 0x87, 10]) + box("ftyp", Array("jp2 ".utf8) + big(0, 4) + Array("jp2 ".utf8))
        + box("jp2h", box("ihdr", big(100_000, 4) + big(100_000, 4) + big(3, 2) + [7, 7, 0, 0]))
    ),
    (
      "j2k",
      [0xff, 0x4f, 0xff, 0x51] + big(47, 2) + big(0, 2) + big(100_000, 4) + big(100_000, 4) + big(0, 4) + big(0, 4)
        + big(100_000, 4) + big(100_000, 4) + big(0, 8) + big(3, 2) + [7, 1, 1, 7, 1, 1, 7, 1, 1]
    ),
    // Bits from the least significant on: not small, 18 bits of height − 1, ratio 1 to 1.
    ("jxl", [0xff, 0x0a] + little(0 | 2 << 1 | 99_999 << 3 | 1 << 21, 4)),
    (
      "avif",
      box("ftyp", Array("avif".utf8) + big(0, 4) + Array("avif".utf8))
        + box(
          "meta",
          big(0, 4) + box("pitm", big(0, 4) + big(1, 2))
            + box("iprp", box("ipco", box("ispe", big(0, 4) + big(100_000, 4) + big(100_000, 4)))))
    ),
  ]

  @Test(arguments: headers.map(\.name))
  func hugeHeader_ofEveryKind_isRefusedBeforeMemoryIsAskedFor(name: String) throws {
    let scratch = try TemporaryFolder()
    let path = scratch.file("huge.\(name)")
    let header = try #require(HugeImageTests.headers.first { $0.name == name })
    try Data(header.bytes).write(to: URL(filePath: path))
    #expect {
      try MediaProbe.probe(.file(path: path))
    } throws: {
      ($0 as? CompositorError)?.code == .frameTooLarge
    }
  }
}
