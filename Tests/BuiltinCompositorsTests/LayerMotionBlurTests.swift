import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Foundation
import Testing

/// Layers that move while a shutter is open, against integrals and against the mean of single frames.
@Suite struct LayerMotionBlurTests {
  private static let size = PixelSize(width: 120, height: 60)
  private static let half = MediaTime(value: 1, timescale: 2)

  private static func context(
    _ format: PixelFormat, _ color: ColorTags, blending: BlendingSpace = .encoded
  ) -> RenderContext {
    var context = RenderContext(
      size: size, outputFormat: format, outputAttributes: FrameAttributes(color: color), blending: blending)
    context.colorConversion.dithering = .none
    return context
  }

  private static let rgb = context(.rgba16, .sRGB)
  private static let pq = ColorTags(primaries: .bt2020, transfer: .pq, matrix: .bt2020, range: .limited)

  /// The samples of a frame's first plane, in codes.
  private static func codes(_ frame: Frame) -> [[Double]] {
    let count = frame.format.samplesPerPosition(plane: 0) * frame.size.width
    return (0..<frame.size.height).map { y in
      frame.withRow(y, as: UInt16.self) { row in (0..<count).map { Double(row[$0]) } }
    }
  }

  private static func white(_ width: Int, _ height: Int) -> Frame {
    TestFrames.make(.rgba16, width, height, FrameAttributes(color: .sRGB, alphaMode: .opaque)) { _, _, _ in 1 }
  }

  /// A layer that moves to the right at 60 pixels a second, from 0.
  private static func moving(_ blur: MotionBlur?, y: Double = 10) throws -> LayerInstruction {
    var layer = LayerInstruction(trackID: 1)
    try layer.transform.setRamp(
      from: .translation(x: 0, y: y), to: .translation(x: 60, y: y), timeRange: TestTimes.second)
    layer.motionBlur = blur
    return layer
  }

  private static func frame(
    _ layers: [LayerInstruction], _ frames: [TrackID: Frame], at time: MediaTime, _ context: RenderContext
  ) throws -> (frame: Frame, route: RenderRoute?) {
    let result = try Comparison(layers, frames, at: time, context)
    return (result.frame, result.route)
  }

  /// The share of the exposure in which a pixel of the box from x = 30 to 50 in the middle of the movement is covered.
  private static func share(_ column: Int, exposure: Double) -> Double {
    let way = 60 * exposure
    let (low, high) = (max(Double(column) + 0.5 - 20, 30 - way / 2), min(Double(column) + 0.5, 30 + way / 2))
    return max(high - low, 0) / way
  }

  @Test(arguments: [0.1, 0.3], [nil, 40] as [Int?])
  func constantSpeed_isATrapezoid(exposure: Double, samples: Int?) throws {
    let layer = try Self.moving(MotionBlur(exposure: exposure, samples: samples))
    let row = Self.codes(try Self.frame([layer], [1: Self.white(20, 30)], at: Self.half, Self.rgb).frame)[25]
    for column in 0..<Self.size.width {
      let expected = Self.share(column, exposure: exposure)
      #expect(abs(row[4 * column] / 65_535 - expected) < 0.06, "\(column): \(row[4 * column] / 65_535) \(expected)")
    }
  }

  @Test func linearBlending_isTheMeanOfLight() throws {
    let layer = try Self.moving(MotionBlur(exposure: 0.2, samples: 48))
    let context = Self.context(.rgba16, .sRGB, blending: .linear)
    let row = Self.codes(try Self.frame([layer], [1: Self.white(20, 30)], at: Self.half, context).frame)[25]
    for column in 20..<60 {
      let light = Self.share(column, exposure: 0.2)
      let expected = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      #expect(light < 0.05 || abs(row[4 * column] / 65_535 - expected) < 0.06, "\(column)")
    }
  }

  /// Turning, growing, fading and cropped: as if as many frames had been made and mixed, in SDR and in HDR.
  @Test(arguments: [ColorTags.bt709, pq]) func anyMovement_isTheMeanOfFrames(_ color: ColorTags) throws {
    let context = Self.context(.planar(.s444, bitDepth: 10), color)
    let blur = MotionBlur(exposure: 0.25, samples: 12)
    var layer = LayerInstruction(trackID: 1)
    func place(_ scale: Double, _ angle: Double, _ x: Double) -> AffineMatrix {
      AffineMatrix.scale(x: scale, y: scale).concatenating(.rotation(radians: angle)).concatenating(.translation(x: x, y: 8))
    }
    try layer.transform.setRamp(from: place(1, 0, 10), to: place(1.5, 0.7, 70), timeRange: TestTimes.second)
    try layer.opacity.setRamp(from: 0.3, to: 1, timeRange: TestTimes.second)
    try layer.crop.setRamp(
      from: Rect(x: 0, y: 0, width: 30, height: 20), to: Rect(x: 6, y: 4, width: 20, height: 12), timeRange: TestTimes.second)
    layer.sampling = .fast
    let base = TestFrames.noise(context.outputFormat, 120, 60, attributes: FrameAttributes(color: color), seed: 4)
    let frames: [TrackID: Frame] = [1: TestFrames.noise(.rgba, 30, 20, seed: 5), 2: base]
    let below = LayerInstruction(trackID: 2)
    var sum = [[Double]](repeating: [Double](repeating: 0, count: 120), count: 60)
    for index in 0..<12 {
      let moment = Self.half + .seconds(((Double(index) + 0.5) / 12 - 0.5) * 0.25)
      let codes = Self.codes(try Self.frame([layer, below], frames, at: moment, context).frame)
      for (y, row) in codes.enumerated() { for (x, code) in row.enumerated() { sum[y][x] += code / 12 } }
    }
    layer.motionBlur = blur
    let (blurred, route) = try Self.frame([layer, below], frames, at: Self.half, context)
    #expect(route == .planar)
    let largest = zip(Self.codes(blurred).joined(), sum.joined()).map { abs($0 - $1) }.max() ?? .infinity
    #expect(largest <= 1.05, "\(largest)")
    // Each frame is a function of its time alone.
    let again = try Self.frame([layer, below], frames, at: Self.half, context).frame
    #expect(Self.codes(again) == Self.codes(blurred))
  }

  @Test func whatStandsStill_isAsWithout() throws {
    let frames: [TrackID: Frame] = [1: TestFrames.noise(.rgba, 40, 30), 2: TestFrames.noise(.yuv420p10, 120, 60, seed: 2)]
    let context = Self.context(.yuv420p10, .bt709)
    let below = LayerInstruction(trackID: 2)
    func codes(_ layer: LayerInstruction, at time: MediaTime) throws -> [[Double]] {
      Self.codes(try Self.frame([layer, below], frames, at: time, context).frame)
    }
    var still = try LayerInstruction(1, opacity: 0.8, transform: .translation(x: 7.5, y: 3))
    let sharp = try codes(still, at: Self.half)
    still.motionBlur = MotionBlur(exposure: 0.1)
    #expect(try codes(still, at: Self.half) == sharp)
    // A fade at constant speed has the mean opacity of its middle.
    var fade = LayerInstruction(trackID: 1)
    try fade.opacity.setRamp(from: 0, to: 1, timeRange: TestTimes.second)
    let middle = try codes(fade, at: Self.half)
    fade.motionBlur = MotionBlur(exposure: 0.1)
    let blurred = try codes(fade, at: Self.half)
    #expect(zip(middle.joined(), blurred.joined()).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test func jumps_areCuts() throws {
    let frames: [TrackID: Frame] = [1: Self.white(20, 30)]
    var jumping = LayerInstruction(trackID: 1)
    try jumping.transform.set(.translation(x: 10, y: 10), at: .zero)
    try jumping.transform.set(.translation(x: 80, y: 10), at: Self.half)
    for time in [0.0, 0.48, 0.5, 0.52].map(MediaTime.seconds) {
      var blurred = jumping
      blurred.motionBlur = MotionBlur(exposure: 0.1)
      let (one, other) = (
        try Self.frame([jumping], frames, at: time, Self.rgb).frame, try Self.frame([blurred], frames, at: time, Self.rgb).frame
      )
      #expect(Self.codes(one) == Self.codes(other), "\(time)")
    }
  }

  /// Layers outside of the frame at its time may be seen while the shutter is open.
  @Test func layerThatEnters_isSeen() throws {
    var layer = LayerInstruction(trackID: 1)
    try layer.transform.setRamp(
      from: .translation(x: -80, y: 10), to: .translation(x: 40, y: 10), timeRange: TestTimes.second)
    func row(_ layer: LayerInstruction) throws -> [Double] {
      Self.codes(try Self.frame([layer], [1: Self.white(20, 30)], at: Self.half, Self.rgb).frame)[25]
    }
    // At half a second it ends at x = 0.
    #expect(try row(layer)[0] == 0)
    layer.motionBlur = MotionBlur(exposure: 0.1)
    #expect(try row(layer)[0] > 0.3 * 65_535)
  }

  @Test func layer_asJSON_keepsItsMotionBlur_andRefusesWhatIsNotPossible() throws {
    var layer = try Self.moving(MotionBlur(exposure: 0.02, samples: 8))
    #expect(try JSONDecoder().decode(LayerInstruction.self, from: JSONEncoder().encode(layer)) == layer)
    layer.motionBlur = MotionBlur(exposure: -1)
    #expect(throws: CompositorError.self) {
      try Self.frame([layer], [1: Self.white(20, 30)], at: Self.half, Self.rgb)
    }
  }
}
