import CompositorAPI
import Foundation
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Testing

@Suite struct WriteImageTests {
  private let size = PixelSize(width: 37, height: 21)

  private func attributes(_ alpha: AlphaMode, _ color: ColorTags = .sRGB) -> FrameAttributes {
    FrameAttributes(color: color, alphaMode: alpha)
  }

  @Test(arguments: [(PixelFormat.rgba, "rgba"), (.bgra, "bgra"), (.rgba16, "rgba64le")])
  func writePNG_withAlpha_decodesToTheSameBits(_ format: PixelFormat, _ decoded: String) throws {
    let folder = try TemporaryFolder()
    let frame = patternFrame(format, size, index: 3, attributes: attributes(.straight))
    let count = try PNGWriter.write(frame, to: folder.file("a.png"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("a.png"))).count == Int(count))
    let bytes = try runProgram(
      "ffmpeg", ["-v", "error", "-i", folder.file("a.png"), "-f", "rawvideo", "-pix_fmt", decoded, "-"])
    #expect(Array(bytes) == packedBytes(frame))
  }

  @Test func writePNG_opaque_isRGB() throws {
    let folder = try TemporaryFolder()
    let frame = patternFrame(.rgba16, size, index: 1, attributes: attributes(.opaque))
    try PNGWriter.write(frame, to: folder.file("a.png"))
    #expect(try WriteProbe(folder.file("a.png")).stream("video").pix_fmt == "rgb48be")
    let bytes = try runProgram(
      "ffmpeg", ["-v", "error", "-i", folder.file("a.png"), "-f", "rawvideo", "-pix_fmt", "rgb48le", "-"])
    let expected = packedBytes(frame).enumerated().filter { $0.offset % 8 < 6 }.map(\.element)
    #expect(Array(bytes) == expected)
  }

  @Test func writePNG_colorAndAspect_areInItsChunks() throws {
    let folder = try TemporaryFolder()
    var frame = patternFrame(.rgba, size, index: 1, attributes: attributes(.opaque))
    try PNGWriter.write(frame, to: folder.file("srgb.png"))
    let srgb = try Data(contentsOf: URL(fileURLWithPath: folder.file("srgb.png")))
    for chunk in ["sRGB", "gAMA", "cHRM"] { #expect(srgb.range(of: Data(chunk.utf8)) != nil) }
    #expect(srgb.range(of: Data("cICP".utf8)) == nil)

    frame.attributes.color = ColorTags(primaries: .bt2020, transfer: .pq, matrix: .identity, range: .full)
    frame.attributes.pixelAspectRatio = Rational(4, 3)
    try PNGWriter.write(frame, to: folder.file("pq.png"))
    let pq = try Data(contentsOf: URL(fileURLWithPath: folder.file("pq.png")))
    let chunk = try #require(pq.range(of: Data("cICP".utf8)))
    #expect(Array(pq[chunk.upperBound..<chunk.upperBound + 4]) == [9, 16, 0, 1])
    #expect(pq.range(of: Data("sRGB".utf8)) == nil)
    // Pixels per unit, so a pixel wider than high has fewer of them across (FFmpeg reads this chunk the other way round).
    let aspect = try #require(pq.range(of: Data("pHYs".utf8)))
    #expect(Array(pq[aspect.upperBound..<aspect.upperBound + 9]) == [0, 0, 0, 3, 0, 0, 0, 4, 0])
  }

  @Test func writePNG_whatItCannotHold_isRefused() throws {
    let folder = try TemporaryFolder()
    let frames = [
      patternFrame(.yuv420p, size, index: 0), patternFrame(.rgba, size, index: 0, attributes: attributes(.premultiplied)),
      patternFrame(.rgba, size, index: 0, attributes: attributes(.opaque, .bt709)),
    ]
    for frame in frames {
      #expect { try PNGWriter.write(frame, to: folder.file("a.png")) } throws: {
        ($0 as? CompositorError)?.code == .unsupportedOutput
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.png")))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func writePNG_fullDisk_saysSo() {
    let frame = patternFrame(.rgba, size, index: 0, attributes: attributes(.opaque))
    #expect { try PNGWriter.write(frame, to: "/dev/full") } throws: {
      let error = $0 as? CompositorError
      return error?.code == .writeFailed && error?.cause == "No space left on device"
    }
  }

  @Test func writeSequence_threeFrames_makesThreeFilesOrNone() throws {
    let folder = try TemporaryFolder()
    for isKept in [true, false] {
      let writer = ImageSequenceWriter { folder.file("\(isKept)-\($0).png") }
      for index in 0..<3 {
        try writer.append(
          patternFrame(.rgba, size, index: index, attributes: attributes(.opaque)),
          at: MediaTime(value: Int64(index), timescale: 25), duration: MediaTime(value: 1, timescale: 25))
      }
      if isKept {
        let summary = try writer.finish()
        #expect(summary.frameCount == 3 && summary.duration == MediaTime(value: 3, timescale: 25))
      }
      writer.abandon()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix("\(isKept)") }
      #expect(names.count == (isKept ? 3 : 0))
    }
  }
}
