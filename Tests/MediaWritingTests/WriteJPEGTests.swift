import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// JPEG and WebP, read back by ffmpeg and by our own readers.
@Suite struct WriteJPEGTests {
  private static let size = PixelSize(width: 93, height: 61)

  /// Smooth colors, as photos have them; alpha rises from left to right where it means anything.
  private static func frame(_ format: PixelFormat, color: ColorTags = .sRGB, alpha: AlphaMode = .opaque, size: PixelSize = size)
    -> Frame
  {
    var frame = MutableFrame(format: format, size: size, attributes: FrameAttributes(color: color, alphaMode: alpha))
    for y in 0..<size.height {
      frame.withMutableRow(y, as: UInt8.self) { row in
        for x in 0..<size.width {
          let red = UInt8(20 + 200 * x / size.width), blue = UInt8(230 - 180 * y / size.height)
          row[4 * x] = format == .bgra ? blue : red
          row[4 * x + 1] = UInt8(60 + 100 * (x + y) / (size.width + size.height))
          row[4 * x + 2] = format == .bgra ? red : blue
          row[4 * x + 3] = alpha == .opaque ? 255 : UInt8(1 + 254 * x / size.width)
        }
      }
    }
    return frame.freeze()
  }

  private static func decoded(_ path: String, _ format: String) throws -> [UInt8] {
    Array(try runProgram("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", format, "-"]))
  }

  /// In dB, alpha left out.
  private static func noise(_ left: [UInt8], _ right: [UInt8]) -> Double {
    var sum = 0.0
    for index in left.indices where index % 4 < 3 { sum += pow(Double(left[index]) - Double(right[index]), 2) }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 / (sum / (Double(left.count) * 0.75)))
  }

  @Test(
    arguments: [PixelFormat.rgba, .bgra],
    [(30, 28.0, "yuvj420p"), (89, 34, "yuvj420p"), (90, 40, "yuvj444p"), (100, 45, "yuvj444p")])
  func writeJPEG_decodesToTheSameColors_withChromaByItsQuality(_ format: PixelFormat, _ expected: (Int, Double, String)) throws
  {
    let folder = try TemporaryFolder()
    let frame = Self.frame(format)
    let path = folder.file("a.jpg")
    let count = try ImageFileWriter.write(frame, to: path, settings: ImageFileSettings(quality: expected.0))
    #expect(try Data(contentsOf: URL(filePath: path)).count == Int(count))
    let stream = try WriteProbe(path).stream("video")
    #expect(stream.pix_fmt == expected.2)
    #expect([stream.width, stream.height] == [Self.size.width, Self.size.height])
    let bytes = try Self.decoded(path, format == .bgra ? "bgra" : "rgba")
    #expect(Self.noise(bytes, packedBytes(frame)) > expected.1)
  }

  @Test func writeJPEG_largerQuality_isLargerAndBetter() throws {
    let folder = try TemporaryFolder()
    let frame = Self.frame(.rgba)
    var (lastCount, lastNoise) = (Int64(0), 0.0)
    for quality in [1, 25, 50, 80] {
      let count = try ImageFileWriter.write(
        frame, to: folder.file("a.jpg"), settings: ImageFileSettings(quality: quality), overwrites: true)
      let noise = Self.noise(try Self.decoded(folder.file("a.jpg"), "rgba"), packedBytes(frame))
      #expect(count > lastCount && noise > lastNoise)
      (lastCount, lastNoise) = (count, noise)
    }
  }

  @Test func writeJPEG_isJFIFWithTheAspectOfItsPixels() throws {
    let folder = try TemporaryFolder()
    var frame = Self.frame(.rgba)
    frame.attributes.pixelAspectRatio = Rational(4, 3)
    try ImageFileWriter.write(frame, to: folder.file("a.jpg"))
    let bytes = Array(try Data(contentsOf: URL(filePath: folder.file("a.jpg"))))
    // SOI, APP0 of 16 bytes; version 1.1; densities without a unit: pixels a length, so wide pixels are fewer across.
    #expect(Array(bytes[..<18]) == [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 3, 0, 4])
  }

  @Test(arguments: ["jpg", "webp"], [true, false]) func writeImage_inDisplayP3_hasItsProfile(_ name: String, _ isLossless: Bool)
    throws
  {
    guard name == "webp" || !isLossless else { return }
    let folder = try TemporaryFolder()
    let path = folder.file("a.\(name)")
    let color = ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .identity, range: .full)
    let frame = Self.frame(name == "webp" ? .bgra : .rgba, color: color, alpha: name == "webp" ? .straight : .opaque)
    try ImageFileWriter.write(frame, to: path, settings: ImageFileSettings(isLossless: isLossless))
    let first = try Data(contentsOf: URL(filePath: path))
    try ImageFileWriter.write(frame, to: path, settings: ImageFileSettings(isLossless: isLossless), overwrites: true)
    #expect(try Data(contentsOf: URL(filePath: path)) == first)
    let read = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first)
    #expect(read.attributes.color.primaries == .displayP3)
    #expect(read.attributes.color.transfer == .sRGB)
    #expect(read.size == Self.size)
    // The file without a profile is sRGB's.
    try ImageFileWriter.write(Self.frame(frame.format), to: path, overwrites: true)
    #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data("mntrRGB".utf8)) == nil)
    #expect(first.range(of: Data("mntrRGB".utf8)) != nil)
  }

  @Test func writeWebP_lossless_keepsEveryCodeAndAlpha() throws {
    let folder = try TemporaryFolder()
    let frame = Self.frame(.bgra, alpha: .straight)
    try ImageFileWriter.write(frame, to: folder.file("a.webp"), settings: ImageFileSettings(isLossless: true))
    #expect(try Self.decoded(folder.file("a.webp"), "bgra") == packedBytes(frame))
  }

  @Test(arguments: [AlphaMode.opaque, .straight]) func writeWebP_lossy_isCloseAndKeepsAlpha(_ alpha: AlphaMode) throws {
    let folder = try TemporaryFolder()
    let frame = Self.frame(.bgra, alpha: alpha)
    var counts: [Int64] = []
    for quality in [40, 95] {
      counts.append(
        try ImageFileWriter.write(
          frame, to: folder.file("a.webp"), settings: ImageFileSettings(quality: quality), overwrites: true))
    }
    #expect(counts[0] < counts[1])
    let stream = try WriteProbe(folder.file("a.webp")).stream("video")
    #expect(stream.pix_fmt == (alpha == .straight ? "yuva420p" : "yuv420p"))
    let bytes = try Self.decoded(folder.file("a.webp"), "bgra")
    #expect(Self.noise(bytes, packedBytes(frame)) > 33)
    let alphas = bytes.indices.filter { $0 % 4 == 3 }.map { abs(Int(bytes[$0]) - Int(packedBytes(frame)[$0])) }
    #expect((alphas.max() ?? 255) == 0)
  }

  @Test func writeImage_whatItCannotHold_isRefusedWithAWayOut() throws {
    let folder = try TemporaryFolder()
    let pq = ColorTags(primaries: .bt2020, transfer: .pq, matrix: .identity, range: .full)
    let deep = patternFrame(.rgba16, Self.size, index: 0, attributes: FrameAttributes(color: .sRGB, alphaMode: .opaque))
    let refused: [(Frame, String, ImageFileSettings)] = [
      (Self.frame(.rgba, alpha: .straight), "a.jpg", ImageFileSettings()), (deep, "a.jpg", ImageFileSettings()),
      (deep, "a.webp", ImageFileSettings()), (Self.frame(.rgba, color: pq), "a.jpg", ImageFileSettings()),
      (Self.frame(.bgra, color: pq), "a.webp", ImageFileSettings()), (Self.frame(.rgba), "a.webp", ImageFileSettings()),
      (Self.frame(.bgra, alpha: .premultiplied), "a.webp", ImageFileSettings()),
      (Self.frame(.rgba), "a.jpg", ImageFileSettings(isLossless: true)),
      (Self.frame(.rgba), "a.png", ImageFileSettings(quality: 50)),
      (Self.frame(.rgba), "a.bmp", ImageFileSettings()), (Self.frame(.rgba), "jpg", ImageFileSettings()),
      (Self.frame(.bgra, size: PixelSize(width: 16384, height: 1)), "a.webp", ImageFileSettings()),
    ]
    for (frame, name, settings) in refused {
      #expect("\(name) \(frame.format)") {
        try ImageFileWriter.write(frame, to: folder.file(name), settings: settings)
      } throws: {
        let error = $0 as? CompositorError
        return error?.code == .unsupportedOutput && error?.recoverySuggestion != nil
          && error?.location.file == folder.file(name)
      }
    }
    for quality in [0, 101, -1] {
      #expect {
        try ImageFileWriter.write(Self.frame(.rgba), to: folder.file("a.jpg"), settings: ImageFileSettings(quality: quality))
      } throws: {
        ($0 as? CompositorError)?.code == .invalidValue
      }
    }
    #expect { try ImageFileWriter.write(Self.frame(.rgba), to: folder.file("no/a.jpg")) } throws: {
      ($0 as? CompositorError)?.code == .writeFailed
    }
    #expect(try folder.names == [])
  }

  @Test(arguments: ["jpg", "webp"]) func imageSequence_ofOtherKinds_isReadBackAsAMovie(_ name: String) throws {
    let folder = try TemporaryFolder()
    let writer = ImageSequenceWriter(settings: ImageFileSettings(quality: 80)) { folder.file("f\($0).\(name)") }
    for index in 0..<3 {
      try writer.append(
        Self.frame(name == "webp" ? .bgra : .rgba), at: MediaTime(value: Int64(index), timescale: 25),
        duration: MediaTime(value: 1, timescale: 25))
    }
    #expect(try writer.finish().frameCount == 3)
    #expect(try folder.names == (0..<3).map { "f\($0).\(name)" })
    let info = try MediaProbe.probe(.imageSequence(pattern: folder.file("f%d.\(name)"), first: 0, frameRate: Rational(25, 1)))
    #expect(info.videoTracks.first?.size == Self.size)
  }
}
