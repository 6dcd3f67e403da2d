import BuiltinCompositors
import CompositorAPI
import CompositorTestSupport
import Foundation
import Testing

/// Static scaling of ten real pictures beside ffmpeg's `scale`: as near to the original, on the way back, as its better kernels. `make test`
/// takes one scale for each picture.
@Suite(.enabled(if: mediaFolder != nil && hasFFmpeg, "real media and ffmpeg are needed"))
struct SamplingOracleTests {
  /// Files, where in them, and how large a part.
  private static let pictures: [(file: String, seconds: Int, size: PixelSize)] = [
    ("Landscape_1.jpg", 0, PixelSize(width: 960, height: 720)),
    ("Landscape_3.jpg", 0, PixelSize(width: 720, height: 720)),
    ("Landscape_5.jpg", 0, PixelSize(width: 960, height: 720)),
    ("Landscape_6.jpg", 0, PixelSize(width: 720, height: 720)),
    ("first_frame_1920x1080.png", 0, PixelSize(width: 1440, height: 720)),
    ("nasa_13013.mp4", 2, PixelSize(width: 312, height: 168)),
    ("chaplin.mp4", 1, PixelSize(width: 600, height: 336)),
    ("portrait_4k60.mp4", 0, PixelSize(width: 960, height: 960)),
    ("bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4", 1, PixelSize(width: 720, height: 480)),
    ("sample_15fps_720p_1s.mp4", 0, PixelSize(width: 960, height: 720)),
  ]

  private static func ffmpeg(_ arguments: [String]) throws -> Data {
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + arguments + [
        "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
      ])
  }

  private static func frame(_ data: Data, _ size: PixelSize) throws -> Frame {
    try #require(data.count == size.width * size.height * 3 / 2)
    let bytes = [UInt8](data)
    return TestFrames.make(.yuv420p, size.width, size.height, FrameAttributes()) { plane, x, y in
      let start = plane == 0 ? 0 : size.width * size.height * (3 + plane) / 4
      return Double(bytes[start + y * (plane == 0 ? size.width : size.width / 2) + x]) / 255 + 1e-6
    }
  }

  private static func scaled(_ frame: Frame, to size: PixelSize, flags: String) throws -> Frame {
    let scratch = FileManager.default.temporaryDirectory.appending(
      path: "sampling-\(UUID().uuidString)")
    try ZScaleOracle.bytes(of: frame).write(to: scratch)
    defer { try? FileManager.default.removeItem(at: scratch) }
    return try self.frame(
      try ffmpeg([
        "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", frame.size.description, "-i", scratch.path,
        "-vf",
        "scale=\(size.width):\(size.height):flags=\(flags)",
      ]), size)
  }

  private static func ours(_ frame: Frame, to size: PixelSize) throws -> Frame {
    let context = RenderContext(size: size, outputFormat: .yuv420p)
    let scale = AffineMatrix.scale(
      x: Double(size.width) / Double(frame.size.width),
      y: Double(size.height) / Double(frame.size.height))
    return try Comparison.frame([try LayerInstruction(1, transform: scale)], [1: frame], context)
  }

  /// Of luma, in decibels.
  private static func psnr(_ a: Frame, _ b: Frame) -> Double {
    var sum = 0.0
    for y in 0..<a.size.height {
      a.withRow(y, as: UInt8.self) { a in
        b.withRow(y, as: UInt8.self) { b in
          for x in a.indices { sum += pow(Double(a[x]) - Double(b[x]), 2) }
        }
      }
    }
    return 10 * log10(255 * 255 * Double(a.size.width * a.size.height) / max(sum, 1e-9))
  }

  @Test func heldScales_ofTenRealPictures_areNotBelowFFmpegs() throws {
    let folder = try #require(mediaFolder)
    print(
      "luma PSNR against the original, dB; ours and ffmpeg's: enlarged after its area; reduced, then enlarged by its bicubic"
    )
    for (index, picture) in Self.pictures.enumerated() {
      let size = picture.size
      let original = try Self.frame(
        try Self.ffmpeg(
          (picture.seconds > 0 ? ["-ss", "\(picture.seconds)"] : []) + [
            "-i", folder.appending(path: picture.file).path, "-vf",
            "crop=\(size.width):\(size.height)",
          ]), size)
      for divisor in TableSelection.columns([2, 3], ofRow: index, each: 1) {
        let small = PixelSize(
          width: size.width / divisor / 2 * 2, height: size.height / divisor / 2 * 2)
        let reduced = try Self.scaled(original, to: small, flags: "area")
        let enlarged = (
          Self.psnr(original, try Self.ours(reduced, to: size)),
          Self.psnr(original, try Self.scaled(reduced, to: size, flags: "bicubic"))
        )
        func back(_ frame: Frame) throws -> Double {
          Self.psnr(original, try Self.scaled(frame, to: size, flags: "bicubic"))
        }
        let narrowed = (
          try back(try Self.ours(original, to: small)),
          try back(try Self.scaled(original, to: small, flags: "lanczos"))
        )
        func decibels(_ pair: (Double, Double)) -> String {
          String(format: "%.2f %.2f", pair.0, pair.1)
        }
        print(
          "\(picture.file) 1/\(divisor): enlarged \(decibels(enlarged)), reduced \(decibels(narrowed))"
        )
        #expect(
          enlarged.0 >= enlarged.1 - 0.05, "\(picture.file), enlarged \(divisor) times: \(enlarged)"
        )
        #expect(
          narrowed.0 >= narrowed.1 - 0.05, "\(picture.file), reduced \(divisor) times: \(narrowed)")
      }
    }
  }
}
