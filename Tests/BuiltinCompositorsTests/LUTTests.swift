import BuiltinCompositors
import CompositorAPI
import CompositorTestSupport
import Foundation
import Testing

@Suite struct LUTTests {
  private static func cube(_ side: Int, _ look: (Double, Double, Double) -> [Double]) -> String {
    var lines = ["TITLE \"test\"", "# a comment", "LUT_3D_SIZE \(side)", "DOMAIN_MIN 0 0 0", "DOMAIN_MAX 1.0 1.0 1.0", ""]
    for b in 0..<side {
      for g in 0..<side {
        for r in 0..<side {
          let color = look(Double(r) / Double(side - 1), Double(g) / Double(side - 1), Double(b) / Double(side - 1))
          lines.append(color.map { String(format: "%.6f", $0) }.joined(separator: " "))
        }
      }
    }
    return lines.joined(separator: "\r\n")
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv444p10, .yuv422p])
  func identity_changesNothingByMoreThanACode(_ format: PixelFormat) async throws {
    // Nominal colors only: a table sees nothing beyond 0 … 1.
    let frame = TestFrames.make(format, 66, 44, TestFrames.attributes(format)) { plane, x, y in
      plane == 0 ? 0.3 + 0.4 * Double(x % 22) / 22 : 0.45 + 0.1 * Double(y % 11) / 11
    }
    for text in [Self.cube(2) { [$0, $1, $2] }, "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"] {
      let looked = try await EffectRun.frame(LUTEffect.self, ["file": .string(text)], frame)
      let worst = EffectRun.worst(looked) { frame.code($0, $1, $2) }
      #expect(worst <= (format.subsampling == .s444 ? 1 : 3), "\(worst)")
    }
  }

  @Test(.enabled(if: ZScaleOracle.isAvailable, "ffmpeg with zscale is not installed"))
  func tetrahedra_areInterpolatedAsFFmpegDoes() async throws {
    let frame = TestFrames.noise(.rgba16, 61, 37, attributes: FrameAttributes(color: .sRGB, alphaMode: .opaque))
    let text = Self.cube(5) { r, g, b in [r * r, 0.2 + 0.7 * g * (1 - r), (b + g) / 2 + 0.3 * b * r - 0.15] }
    let file = FileManager.default.temporaryDirectory.appending(path: "cube-\(UUID().uuidString).cube")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let oracle = try ZScaleOracle.convert(
      frame, filters: "lut3d=file=\(file.path):interp=tetrahedral", to: "rgba64le")
    let looked = try await EffectRun.frame(LUTEffect.self, ["file": .string(text)], frame)
    // Our way goes over Y′CbCr planes of 16 bits: a few codes of 65535.
    var worst = 0
    looked.withUnsafePlanes { planes in
      for y in 0..<37 {
        for x in 0..<61 {
          for c in 0..<3 {
            let ours = Int(planes[0].base.load(fromByteOffset: y * planes[0].stride + x * 8 + c * 2, as: UInt16.self))
            let index = ((y * 61 + x) * 4 + c) * 2
            worst = max(worst, abs(ours - (Int(oracle[index]) | Int(oracle[index + 1]) << 8)))
          }
        }
      }
    }
    #expect(worst <= 24, "\(worst) of 65535")
  }

  @Test(arguments: [
    "", "hello", "LUT_3D_SIZE 2\n0 0 0\n", "LUT_3D_SIZE 100000\n", "LUT_3D_SIZE -1\n", "LUT_3D_SIZE 9999999999999999999\n",
    "LUT_1D_SIZE 2\n0 0 0\nnan 1 1\n", "LUT_1D_SIZE 2\n0 0 0\ninf 1 1\n", "LUT_1D_SIZE 2\n0 0\n1 1 1\n",
    "0 0 0\nLUT_1D_SIZE 2\n",
    "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n", "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\n0 0 0\n1 1 1\n",
    "LUT_1D_SIZE 2\n1e300 0 0\n1 1 1\n", "LUT_3D_SIZE 1\n0 0 0\n", "LUT_1D_SIZE\n",
  ])
  func textThatIsNoTable_isRefusedWithItsLine(_ text: String) {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let error = #expect(throws: CompositorError.self) { try LUTEffect(parameters: ["file": .string(text)], context: context) }
    #expect(error?.code == .invalidParameter)
    #expect(error?.message.hasPrefix("The look-up table cannot be used") == true)
  }

  @Test func fileFromWindows_isReadAndItsLinesAreCounted() throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    func make(_ text: String) throws { _ = try LUTEffect(parameters: ["file": .string(text)], context: context) }
    try make("\u{FEFF}TITLE \"a\"\r\nLUT_1D_SIZE 2\r\n0 0 0\r\n1 1 1\r\n")
    try make("TITLE \"a\"\rLUT_1D_SIZE 2\r0 0 0\r1 1 1\r")
    let error = #expect(throws: CompositorError.self) { try make("TITLE \"a\"\r\nLUT_1D_SIZE 2\r\n0 0 x\r\n1 1 1\r\n") }
    #expect(error?.message.contains("(line 3)") == true)
  }

  @Test func domain_thatIsNotZeroToOne_isRespected() async throws {
    // Half of the signal is the whole table: everything above is its last color.
    let text = "LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 0.5 0.5 0.5\n0 0 0\n1 1 1\n"
    let frame = TestFrames.make(.yuv444p, 64, 8, TestFrames.attributes(.yuv444p)) { plane, x, _ in
      plane == 0 ? (16 + 219 * Double(x) / 63) / 255 : 128.5 / 255
    }
    let looked = try await EffectRun.frame(LUTEffect.self, ["file": .string(text)], frame)
    for x in 0..<64 {
      let luma = (frame.code(0, x, 0) - 16) / 219
      #expect(abs(looked.code(0, x, 0) - (16 + 219 * min(1, 2 * luma))) <= 1.1)
    }
  }
}
