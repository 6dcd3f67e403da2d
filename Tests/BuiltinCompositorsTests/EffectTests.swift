import BuiltinCompositors
import CompositorAPI
import CompositorTestSupport
import Foundation
import Testing

/// One effect on one frame.
enum EffectRun {
  static func frame(
    _ type: any VideoCompositor.Type, _ parameters: ParameterValues, _ frame: Frame, output: RenderContext? = nil
  ) async throws -> Frame {
    let context = output ?? TransitionRun.context(frame.format, frame.size)
    let source = SourceFrame(
      trackID: 1, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
    let request = CompositionRequest(
      time: .zero, instruction: Instruction(timeRange: TestTimes.second, layers: [LayerInstruction(trackID: 1)]),
      sources: [1: source], context: context)
    return try await type.init(parameters: parameters, context: context).compose(request)
  }

  static func worst(_ a: Frame, _ exact: (Int, Int, Int) -> Double) -> Double {
    var worst = 0.0
    for plane in 0..<a.format.planeCount {
      let extent = a.format.planeSize(plane, of: a.size)
      for y in 0..<extent.height {
        for x in 0..<extent.width { worst = max(worst, abs(a.code(plane, x, y) - exact(plane, x, y))) }
      }
    }
    return worst
  }
}

@Suite struct GaussianBlurTests {
  /// The Gaussian itself, along one line of samples whose ends go on.
  private static func blurred(_ line: [Double], sigma: Double) -> [Double] {
    let reach = Int((6 * sigma).rounded(.up)) + 1
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    return line.indices.map { x in
      var total = 0.0
      for (index, weight) in weights.enumerated() {
        total += weight * line[min(max(x + index - reach, 0), line.count - 1)]
      }
      return total / sum
    }
  }

  private static func reference(_ frame: Frame, plane: Int, sigma: Double) -> [[Double]] {
    let extent = frame.format.planeSize(plane, of: frame.size)
    let isChroma = plane == 1 || plane == 2
    let h = isChroma ? frame.format.subsampling.horizontalShift : 0
    let v = isChroma ? frame.format.subsampling.verticalShift : 0
    let rows = (0..<extent.height).map { y in
      blurred((0..<extent.width).map { frame.code(plane, $0, y) }, sigma: sigma / Double(1 << h))
    }
    let columns = (0..<extent.width).map { x in blurred(rows.map { $0[x] }, sigma: sigma / Double(1 << v)) }
    return (0..<extent.height).map { y in columns.map { $0[y] } }
  }

  @Test(arguments: [0.6, 2, 5.9, 6.5, 13, 40])
  func blur_isTheGaussian_onEachPlanesOwnGrid(sigma: Double) async throws {
    for format in [PixelFormat.yuv420p, .yuv420p10, .yuv422p, .yuv444p] {
      // Half noise, half an edge, which is where a wrong kernel shows.
      var random = SplitMix(state: 5)
      let frame = TestFrames.make(format, 83, 57, TestFrames.attributes(format)) { _, x, y in
        x < 30 ? Double.random(in: 0...1, using: &random) : (x + y < 60 ? 0 : 0.999)
      }
      let blurred = try await EffectRun.frame(GaussianBlurEffect.self, ["radius": .number(sigma)], frame)
      let exact = (0..<3).map { Self.reference(frame, plane: $0, sigma: sigma) }
      let worst = EffectRun.worst(blurred) { exact[$0][$2][$1] }
      #expect(worst <= (format.bitDepth == 8 ? 1 : 2.5), "\(format): \(worst)")
    }
  }

  @Test(arguments: [0.6, 2, 5.9, 13, 40])
  func blur_ofARegion_isThatOfTheWholeFrame(sigma: Double) throws {
    var random = SplitMix(state: 9)
    for format in [PixelFormat.yuv420p, .yuv422p10, .yuv444p] {
      let frame = TestFrames.make(format, 397, 211, TestFrames.attributes(format)) { _, _, _ in
        Double.random(in: 0...0.999, using: &random)
      }
      let context = TransitionRun.context(format, frame.size)
      var request = CompositionRequest(
        time: .zero, instruction: Instruction(timeRange: TestTimes.second, layers: [LayerInstruction(trackID: 1)]),
        sources: [
          1: SourceFrame(trackID: 1, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
        ], context: context)
      let blur = try GaussianBlurEffect(parameters: ["radius": .number(sigma)], context: context)
      let whole = try blur.compose(request)
      for _ in 0..<12 {
        let (x, y) = (Int.random(in: -40...420, using: &random), Int.random(in: -40...230, using: &random))
        let (width, height) = (Int.random(in: 1...300, using: &random), Int.random(in: 1...200, using: &random))
        request.visibleRegion = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
        let part = try blur.compose(request)
        for plane in 0..<3 {
          let (h, v) = plane == 0 ? (0, 0) : (format.subsampling.horizontalShift, format.subsampling.verticalShift)
          let extent = format.planeSize(plane, of: frame.size)
          for row in max(y >> v, 0)..<max(min((y + height + v) >> v, extent.height), max(y >> v, 0)) {
            for column in max(x >> h, 0)..<max(min((x + width + h) >> h, extent.width), max(x >> h, 0)) {
              guard part.code(plane, column, row) != whole.code(plane, column, row) else { continue }
              Issue.record("\(format) plane \(plane) at \(column), \(row) of \(request.visibleRegion)")
              return
            }
          }
        }
      }
    }
  }

  @Test func flatPicture_staysAsItIs_atAnyRadius() async throws {
    for sigma in [0, 0.3, 4, 7, 200, 1000] {
      let frame = TestFrames.make(.yuv420p, 37, 21, TestFrames.attributes(.yuv420p)) { plane, _, _ in 0.2 + 0.3 * Double(plane)
      }
      let blurred = try await EffectRun.frame(GaussianBlurEffect.self, ["radius": .number(sigma)], frame)
      #expect(blurred.codes == frame.codes, "\(sigma)")
    }
  }

  /// Noise, and an edge between black and white, where a blur that works on means of 2 samples is worst: its wave of a period of
  /// 2 samples stays below 255 / (8 · 2 · σ²) codes for σ in means, 3.2 here.
  @Test func blurThrough_atTheMiddle_isNearTheBlurredMixture() async throws {
    let edge = TestFrames.make(.yuv420p, 67, 45, TestFrames.attributes(.yuv420p)) { _, x, _ in x < 34 ? 0 : 0.999 }
    try await compareBlurThrough(edge, edge)
    try await compareBlurThrough(
      TestFrames.noise(.yuv420p, 67, 45, seed: 1), TestFrames.noise(.yuv420p, 67, 45, seed: 2))
  }

  private func compareBlurThrough(_ from: Frame, _ to: Frame) async throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let through = try await TransitionRun.frame(
      BlurThroughTransition.self, ["radius": .number(0.1)], TransitionRun.request(from, to, time: 300, context))
    let half = try await TransitionRun.frame(DissolveTransition.self, TransitionRun.request(from, to, time: 300, context))
    let blurred = try await EffectRun.frame(GaussianBlurEffect.self, ["radius": .number(4.5)], half)
    let worst = EffectRun.worst(through) { blurred.code($0, $1, $2) }
    #expect(worst <= 4, "\(worst)")
  }
}

@Suite struct ColorEffectTests {
  @Test func nothingSet_changesNothing() async throws {
    for format in TransitionRun.formats {
      let frame = TestFrames.noise(format, 67, 45)
      #expect(try await EffectRun.frame(ColorEffect.self, [:], frame).codes == frame.codes)
    }
  }

  @Test(arguments: TransitionRun.formats)
  func adjustments_areTheFormula(_ format: PixelFormat) async throws {
    let frame = TestFrames.noise(format, 67, 45)
    let step = Double(1 << (format.bitDepth - 8))
    let top = Double(1 << format.bitDepth) - 1
    let changed = try await EffectRun.frame(
      ColorEffect.self,
      [
        "brightness": .number(0.1), "contrast": .number(1.2), "saturation": .number(0.5), "hue": .number(30),
        "temperature": .number(0.5), "tint": .number(-0.25),
      ], frame)
    let worst = EffectRun.worst(changed) { plane, x, y in
      if plane == 0 {
        let luma = (frame.code(0, x, y) - 16 * step) / (219 * step)
        return min(max(((luma - 0.5) * 1.2 + 0.5 + 0.1) * 219 * step + 16 * step, 0), top)
      }
      let (u, v) = (frame.code(1, x, y) / step - 128, frame.code(2, x, y) / step - 128)
      let (c, s) = (0.6 * cos(Double.pi / 6), 0.6 * sin(Double.pi / 6))
      let shift = plane == 1 ? -0.05 - 0.0125 : 0.05 - 0.0125
      let turned = plane == 1 ? c * u - s * v : s * u + c * v
      return min(max((turned + shift * 224 + 128) * step, 0), top)
    }
    #expect(worst <= 0.51, "\(worst)")
  }
}
