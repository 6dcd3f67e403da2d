import BuiltinCompositors
import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import Foundation
import Testing

/// Pictures that show what a filter does, as goldens that can be opened: `Fixtures/*.png`.
///
/// `COMPOSITOR_ACCEPT_PICTURES=1 scripts/test --filter SamplingPictureTests` rewrites them: look at them before you commit them.
@Suite struct SamplingPictureTests {
  private static let accepts =
    ProcessInfo.processInfo.environment["COMPOSITOR_ACCEPT_PICTURES"] == "1"
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "Fixtures")

  /// Rings whose frequency rises evenly from none in the middle to the highest there is at the middle of each side.
  private static func zonePlate(_ side: Int) -> Frame {
    TestFrames.make(.yuv444p, side, side, FrameAttributes()) { plane, x, y in
      let (dx, dy) = (Double(2 * x - side + 1) / 2, Double(2 * y - side + 1) / 2)
      return plane == 0
        ? (0.5 + 0.4 * cos(.pi * (dx * dx + dy * dy) / Double(side))) + 1e-6 : 128.5 / 255
    }
  }

  /// An edge that leans by five degrees, as a camera's lens would leave it: soft over about a sample.
  private static func slantedEdge(_ side: Int) -> Frame {
    let angle = 5 * Double.pi / 180
    return TestFrames.make(.yuv444p, side, side, FrameAttributes()) { plane, x, y in
      let distance =
        (Double(x) - Double(side) / 2) * cos(angle) + (Double(y) - Double(side) / 2) * sin(angle)
      return plane == 0 ? 0.2 + 0.6 * min(max(distance + 0.5, 0), 1) + 1e-6 : 128.5 / 255
    }
  }

  private static func scaled(_ frame: Frame, by scale: Double, _ quality: SamplingQuality?) throws
    -> Frame
  {
    let side = Int((Double(frame.size.width) * scale).rounded())
    let context = RenderContext(size: PixelSize(width: side, height: side), outputFormat: .yuv444p)
    var layer = try LayerInstruction(1, transform: .scale(x: scale, y: scale))
    layer.sampling = quality
    return try Comparison.frame([layer], [1: frame], context)
  }

  private static func luma(_ frame: Frame) -> [[Double]] {
    (0..<frame.size.height).map { y in
      frame.withRow(y, as: UInt8.self) { row in row.indices.map { Double(row[$0]) } }
    }
  }

  /// Compares luma with a golden, or writes it.
  private static func check(_ frame: Frame, _ name: String) throws {
    let path = folder.appending(path: "\(name).png").path
    let codes = luma(frame)
    if accepts {
      let picture = TestFrames.make(
        .rgba, frame.size.width, frame.size.height, FrameAttributes(color: .sRGB)
      ) { _, x, y in
        x % 4 == 3 ? 1 : codes[y][x / 4] / 255 + 1e-6
      }
      try PNGWriter.write(picture, to: path)
    }
    let golden = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)).frame
    try #require(golden.size == frame.size && golden.format == .rgba)
    var largest = 0.0
    for y in 0..<frame.size.height {
      golden.withRow(y, as: UInt8.self) { row in
        for x in 0..<frame.size.width {
          largest = max(largest, abs(Double(row[4 * x]) - codes[y][x]))
        }
      }
    }
    // The bits are the same on every machine; the kernels' tables come from its mathematics library.
    #expect(largest <= 1, "\(name)")
  }

  /// Largest distance from gray where the original's rings are finer than the reduced picture can show, by a half.
  private static func ringing(_ frame: Frame, originalSide: Int) -> Double {
    let scale = Double(originalSide) / Double(frame.size.width)
    var largest = 0.0
    for (y, row) in luma(frame).enumerated() {
      for (x, code) in row.enumerated() {
        let (dx, dy) = (
          (Double(x) + 0.5) * scale - Double(originalSide) / 2,
          (Double(y) + 0.5) * scale - Double(originalSide) / 2
        )
        // Samples of the frequency along the axis where it is higher, in units of the highest there is.
        let frequency = max(abs(dx), abs(dy)) / (Double(originalSide) / 2)
        // The outermost columns repeat the edge, where the rings end.
        guard frequency > 1.5 / scale, x > 4, y > 4, x < row.count - 5, y < row.count - 5 else {
          continue
        }
        largest = max(largest, abs(code - 127.5))
      }
    }
    return largest
  }

  @Test func zonePlate_reduced_showsNoRingsThatAreNotThere() throws {
    let plate = Self.zonePlate(540)
    try Self.check(plate, "zone-plate")
    for scale in [1.0 / 3, 0.4] {
      let (good, fast) = (
        try Self.scaled(plate, by: scale, nil), try Self.scaled(plate, by: scale, .fast)
      )
      let (ofGood, ofFast) = (
        Self.ringing(good, originalSide: 540), Self.ringing(fast, originalSide: 540)
      )
      print(
        "zone plate reduced to \(good.size): rings of \(ofGood) codes where there are none; area means \(ofFast)"
      )
      #expect(ofGood <= 4, "good, \(scale): \(ofGood)")
      #expect(ofFast >= 3 * ofGood, "what there is to see: area means \(ofFast)")
    }
    try Self.check(try Self.scaled(plate, by: 1.0 / 3, nil), "zone-plate-third")
    try Self.check(try Self.scaled(plate, by: 1.0 / 3, .fast), "zone-plate-third-fast")
    try Self.check(try Self.scaled(Self.zonePlate(180), by: 3, nil), "zone-plate-tripled")
    try Self.check(try Self.scaled(Self.zonePlate(180), by: 3, .fast), "zone-plate-tripled-fast")
  }

  @Test func slantedEdge_scaled_isSteepWithoutMuchOvershoot() throws {
    let edge = Self.slantedEdge(180)
    try Self.check(edge, "slanted-edge")
    for (scale, name) in [(0.4, "reduced"), (3.0, "tripled")] {
      for quality in [SamplingQuality.fast, .good, .best] {
        let frame = try Self.scaled(edge, by: scale, quality)
        try Self.check(frame, "slanted-edge-\(name)-\(quality.rawValue)")
        let codes = Self.luma(frame).joined()
        let (low, high) = (0.2 * 255, 0.8 * 255)
        let overshoot = max((codes.max() ?? 0) - high, low - (codes.min() ?? 0)) / (high - low)
        print("slanted edge, \(name), \(quality.rawValue): overshoot \(overshoot)")
        #expect(overshoot <= (quality == .fast ? 0.01 : 0.13), "\(name) \(quality): \(overshoot)")
      }
    }
    // The largest step from a sample to the next in a row of the tripled edge.
    func steepness(_ quality: SamplingQuality) throws -> Double {
      let row = Self.luma(try Self.scaled(edge, by: 3, quality))[270]
      return zip(row, row.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }
    #expect(try steepness(.good) > 1.1 * steepness(.fast))
  }
}
