import BuiltinCompositors
import CompositorAPI
import ReferenceCompositor
import Testing

/// The layer of a whole frame; `nil` if it is hidden.
private func resolved(_ frame: Frame, opacity: Double, _ transform: AffineMatrix = .identity) -> ResolvedLayer? {
  let whole = Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height))
  return ResolvedLayer(frame: frame, opacity: opacity, sourceToOutput: transform, crop: whole)
}

/// The largest difference of codes by component.
private func differences(_ first: Frame, _ second: Frame) -> [Int] {
  (0..<first.format.planeCount).map { plane in
    let height = first.format.planeSize(plane, of: first.size).height
    func row(_ frame: Frame, _ y: Int) -> [Int] {
      if frame.format.bytesPerSample == 1 {
        return frame.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } }
      }
      return frame.withRow(y, plane: plane, as: UInt16.self) { row in row.indices.map { Int(row[$0]) } }
    }
    return (0..<height).flatMap { y in zip(row(first, y), row(second, y)).map { abs($0 - $1) } }.max() ?? 0
  }
}

/// Both routes over the same layers. A layer in R, G, B whose pixels are transparent makes the general route mix in R′G′B′.
private func bothRoutes(
  _ layers: [ResolvedLayer?], _ format: PixelFormat, mixesRGB: Bool
) throws -> [Int] {
  let layers = layers.compactMap { $0 }
  let context = RenderContext(size: PixelSize(width: 97, height: 61), outputFormat: format)
  #expect(PlanarRoute.refusal(background: nil, context: context) == nil)
  let clear = TestFrames.make(.rgba, 8, 8, TestFrames.attributes(.rgba)) { _, _, _ in 0 }
  let unseen = try #require(resolved(clear, opacity: 1))
  let planar = try PlanarRoute.compose(layers, layers.map { _ in .asIs }, background: nil, context: context)
  let general = try GeneralRoute.compose(mixesRGB ? layers + [unseen] : layers, background: nil, context: context)
  return differences(planar, general)
}

@Test func resolvedLayer_thatShowsNothing_isNone() {
  let frame = TestFrames.noise(.yuv420p, 8, 8)
  #expect(resolved(frame, opacity: 0.01) != nil)
  for opacity in [0, -1, Double.nan] { #expect(resolved(frame, opacity: opacity) == nil) }
  #expect(resolved(frame, opacity: 1, .scale(x: 0, y: 1)) == nil)
  #expect(ResolvedLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: .zero) == nil)
}

@Test(arguments: [PixelFormat.yuv444p, .yuv444p10], [false, true])
func planarAndGeneral_withoutSubsampling_agreeInAllPlanes(format: PixelFormat, mixesRGB: Bool) throws {
  let under = TestFrames.noise(format, 97, 61, seed: 1)
  let over = TestFrames.noise(format, 130, 71, seed: 2)
  for opacity in [0.0, 0.37, 0.5, 1] {
    for move in [AffineMatrix.identity, .translation(x: 13, y: -8), .translation(x: -200, y: 0)] {
      let found = try bothRoutes(
        [resolved(over, opacity: opacity, move), resolved(under, opacity: 0.9)], format, mixesRGB: mixesRGB)
      #expect(found.allSatisfy { $0 <= 1 }, "\(opacity) \(move): \(found)")
    }
    let turn = AffineMatrix.rotation(radians: 0.4).concatenating(.scale(x: 0.6, y: 0.7))
    let found = try bothRoutes(
      [resolved(over, opacity: opacity, turn), resolved(under, opacity: 1)], format, mixesRGB: mixesRGB)
    #expect(found.allSatisfy { $0 <= (format.bitDepth > 8 ? 2 : 1) }, "turned, \(opacity): \(found)")
  }
}

@Test(arguments: [PixelFormat.yuv420p, .yuv422p, .yuv420p10, .yuv422p10], [false, true])
func planarAndGeneral_withSubsampling_agreeInLuma(format: PixelFormat, mixesRGB: Bool) throws {
  let under = TestFrames.noise(format, 97, 61, seed: 1)
  let over = TestFrames.noise(format, 97, 61, seed: 2)
  for opacity in [0.2, 0.63] {
    let found = try bothRoutes([resolved(over, opacity: opacity), resolved(under, opacity: 1)], format, mixesRGB: mixesRGB)
    #expect(found[0] <= 1, "\(opacity): \(found)")
  }
}

@Test(arguments: [PixelFormat.yuv420p, .yuv422p10])
func planarAndGeneral_flatChroma_agreeInAllPlanes(format: PixelFormat) throws {
  func flat(_ color: Color) throws -> Frame {
    try RenderContext(size: PixelSize(width: 97, height: 61), outputFormat: format).makeFrame(filledWith: color)
  }
  let over = try flat(Color(red: 0.9, green: 0.2, blue: 0.1))
  let under = try flat(Color(red: 0.1, green: 0.4, blue: 0.8))
  let found = try bothRoutes([resolved(over, opacity: 0.3), resolved(under, opacity: 1)], format, mixesRGB: true)
  #expect(found.allSatisfy { $0 <= 1 }, "\(found)")
}

@Test func sameHDRTransfer_composes() throws {
  let context = RenderContext(
    size: PixelSize(width: 34, height: 18), outputFormat: .yuv420p10,
    outputAttributes: FrameAttributes(color: .bt2100HLG))
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.p010, 34, 18, attributes: FrameAttributes(color: .bt2100HLG), seed: 1),
    2: TestFrames.noise(.yuv422p10, 34, 18, attributes: FrameAttributes(color: .bt2100HLG), seed: 2),
  ]
  let result = try Comparison([LayerInstruction(1, opacity: 0.4), LayerInstruction(trackID: 2)], frames, context)
  #expect(result.route == .general)
  #expect(result.difference.largest <= 1)
}

/// Layers with numbers from everywhere a double can be: the compositor answers with a frame or an error, always.
@Test func compose_anyNumbers_neverTraps() throws {
  var random = SplitMix(state: 7)
  let wild: [Double] = [
    0, -0.0, 1, -1, 0.5, 1e-9, 1e-300, .leastNonzeroMagnitude, 1e9, 1e18, 1e300, -1e300, .greatestFiniteMagnitude, .infinity,
    -.infinity,
    .nan, 3.7, 16, -33, 0.999999999,
  ]
  func number() -> Double {
    Bool.random(using: &random) ? Double.random(in: -3...3, using: &random) : wild.randomElement(using: &random) ?? 0
  }
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.nv12, 19, 11), 2: TestFrames.noise(.rgba, 7, 5), 3: TestFrames.noise(.yuv420p, 19, 11),
  ]
  var frameCount = 0
  for _ in 0..<3000 {
    let context = RenderContext(size: PixelSize(width: 21, height: 9))
    let layers = try (0..<3).map { _ in
      try LayerInstruction(
        TrackID.random(in: 1...3, using: &random), opacity: number(),
        transform: AffineMatrix(a: number(), b: number(), c: number(), d: number(), tx: number(), ty: number()),
        crop: Bool.random(using: &random) ? nil : Rect(x: number(), y: number(), width: number(), height: number()))
    }
    do {
      _ = try Comparison.frame(layers, frames, context)
      frameCount += 1
    } catch let error as CompositorError {
      #expect(error.code == .invalidValue)
    }
  }
  #expect(frameCount > 10)
}
