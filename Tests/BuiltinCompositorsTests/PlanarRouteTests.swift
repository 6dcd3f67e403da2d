import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import ReferenceCompositor
import Testing

private let sizes = [PixelSize(width: 161, height: 121), PixelSize(width: 34, height: 17), PixelSize(width: 1, height: 1)]
private let formats = [ChromaSubsampling.s420, .s422, .s444].flatMap { subsampling in
  [8, 10, 12, 16].map { PixelFormat.planar(subsampling, bitDepth: $0) }
}

private func noise(_ count: Int, _ format: PixelFormat, _ size: PixelSize, color: ColorTags = .bt709) -> [TrackID: Frame] {
  Dictionary(
    uniqueKeysWithValues: (1...count).map { index in
      let attributes = FrameAttributes(color: color)
      let frame = TestFrames.noise(format, size.width, size.height, attributes: attributes, seed: UInt64(index))
      return (TrackID(index), frame)
    })
}

/// A layer of a 97 × 53 source, turned and scaled about its center, which comes to `x`, `y`.
private func placed(_ scale: Double, degrees: Double, x: Double, y: Double) -> AffineMatrix {
  AffineMatrix.translation(x: -48.5, y: -26.5).concatenating(.scale(x: scale, y: scale * 0.9))
    .concatenating(.rotation(radians: degrees / 180 * .pi)).concatenating(.translation(x: x, y: y))
}

@Test(arguments: sizes, formats)
func dissolve_planarSources_isWithinOneCode(size: PixelSize, format: PixelFormat) throws {
  let context = RenderContext(size: size, outputFormat: format)
  let frames = noise(2, format, size)
  for opacity in [0.001, 0.25, 0.5, 0.77, 0.9999] {
    let layers = [try LayerInstruction(1, opacity: opacity), LayerInstruction(trackID: 2)]
    let result = try Comparison(layers, frames, context)
    #expect(result.route == .planar)
    #expect(result.difference.largest <= 0.53, "\(opacity): \(result.difference)")
  }
}

@Test(arguments: sizes, [PixelFormat.yuv420p, .yuv420p10, .yuv422p, .yuv444p10])
func wholePixelMoves_ofThreeLayers_areWithinOneCode(size: PixelSize, format: PixelFormat) throws {
  let context = RenderContext(size: size, outputFormat: format)
  let frames = noise(3, format, PixelSize(width: 97, height: 53))
  for (x, y) in [(0.0, 0.0), (4, 2), (-6, 38), (3, -5), (200, 0), (-97, 0)] {
    for sampling in [SamplingQuality.fast, .good] {
      var layers = [
        try LayerInstruction(1, opacity: 0.4, transform: .translation(x: x, y: y)),
        try LayerInstruction(2, opacity: 0.7, transform: .translation(x: 2 * y, y: x)),
        try LayerInstruction(3, transform: .translation(x: 30, y: 20), crop: Rect(x: 4, y: 2, width: 60, height: 30)),
      ]
      for index in layers.indices { layers[index].sampling = sampling }
      let result = try Comparison(layers, frames, background: Color(red: 0.3, green: 0.9, blue: 0.1), context)
      #expect(result.route == .planar)
      // Moves by odd numbers leave subsampled chroma between samples, where `good` filters to codes before layers are mixed.
      let isFiltered = sampling == .good && format.subsampling != .s444 && (Int(x) % 2 != 0 || Int(y) % 2 != 0)
      #expect(result.difference.largest <= (isFiltered ? 1.3 : 1), "\(x), \(y), \(sampling): \(result.difference)")
    }
  }
}

@Test(arguments: sizes, [PixelFormat.yuv420p, .yuv420p10, .yuv422p, .yuv422p10, .yuv444p])
func pictureInPicture_scaledAndTurned_isWithinTwoCodes(size: PixelSize, format: PixelFormat) throws {
  let context = RenderContext(size: size, outputFormat: format)
  var frames = noise(2, format, size)
  frames[1] = TestFrames.noise(format, 97, 53, seed: 4)
  for scale in [0.013, 0.2, 0.25, 0.5, 0.8, 1, 1.7, 3.3] {
    for degrees in [0.0, 0.01, 11, 90, 180, 221] {
      let transform = placed(scale, degrees: degrees, x: Double(size.width) / 2.3, y: Double(size.height) / 1.9)
      let layers = [
        try LayerInstruction(1, opacity: 0.8, transform: transform, crop: Rect(x: 3.3, y: 2, width: 85.25, height: 47.5)),
        LayerInstruction(trackID: 2),
      ]
      let result = try Comparison(layers, frames, context)
      #expect(result.route == .planar)
      #expect(result.difference.largest <= 2, "\(scale) \(degrees): \(result.difference)")
    }
  }
}

@Test(arguments: [ChromaLocation.left, .center, .topLeft, .top], [8, 10])
func chromaSiting_scaledAndMoved_followsTheReference(location: ChromaLocation, depth: Int) throws {
  var color = ColorTags.bt709
  color.chromaLocation = location
  let format = PixelFormat.planar(.s420, bitDepth: depth)
  let context = RenderContext(
    size: PixelSize(width: 121, height: 90), outputFormat: format, outputAttributes: FrameAttributes(color: color))
  let frames = noise(2, format, PixelSize(width: 97, height: 53), color: color)
  for transform in [AffineMatrix.translation(x: 3, y: 5), .scale(x: 0.5, y: 0.5), .scale(x: 0.25, y: 0.3)] {
    let layers = [
      try LayerInstruction(1, opacity: 0.9, transform: transform),
      try LayerInstruction(2, transform: .scale(x: 1.3, y: 1.8)),
    ]
    let result = try Comparison(layers, frames, context)
    #expect(result.route == .planar)
    #expect(result.difference.largest <= 2, "\(transform): \(result.difference)")
  }
}

@Test(arguments: [8, 10])
func cropRamp_planarSources_isWithinTwoCodes(depth: Int) throws {
  let format = PixelFormat.planar(.s420, bitDepth: depth)
  let context = RenderContext(size: sizes[0], outputFormat: format)
  let frames = noise(2, format, sizes[0])
  for time in TestTimes.through {
    var top = LayerInstruction(trackID: 1)
    try top.crop.setRamp(
      from: Rect(x: 0, y: 0, width: 161, height: 121), to: Rect(x: 40.5, y: 20.25, width: 11, height: 7),
      timeRange: TestTimes.second)
    let result = try Comparison([top, LayerInstruction(trackID: 2)], frames, at: time, context)
    // The ramp begins with the whole frame, which is passed through unchanged.
    #expect(result.route == (time == .zero ? .passthrough : .planar))
    #expect(result.difference.largest <= 1, "\(time): \(result.difference)")
  }
}

@Test(arguments: [8, 10])
func manyTranslucentLayers_stayWithinTwoCodes(depth: Int) throws {
  let format = PixelFormat.planar(.s420, bitDepth: depth)
  let context = RenderContext(size: PixelSize(width: 120, height: 80), outputFormat: format)
  let frames = noise(12, format, PixelSize(width: 97, height: 53))
  let layers = try (1...12).map { index in
    let transform = placed(0.4 + Double(index) / 10, degrees: Double(index) * 13, x: 60, y: 40)
    return try LayerInstruction(TrackID(index), opacity: 0.07 * Double(index), transform: transform)
  }
  let result = try Comparison(layers, frames, context)
  #expect(result.route == .planar)
  #expect(result.difference.largest <= 1.5, "\(result.difference)")
}

@Test func codesOutsideTheNominalRange_survive() throws {
  let format = PixelFormat.yuv420p
  let size = PixelSize(width: 16, height: 16)
  let context = RenderContext(size: size, outputFormat: format)
  func flat(_ code: Double) -> Frame { TestFrames.make(format, 32, 32, FrameAttributes()) { _, _, _ in code / 255 + 1e-6 } }
  let frames: [TrackID: Frame] = [1: flat(1), 2: flat(254)]
  let layers = [
    try LayerInstruction(1, opacity: 0.5, crop: Rect(x: 0, y: 0, width: 8, height: 16)), LayerInstruction(trackID: 2),
  ]
  let result = try Comparison(layers, frames, context)
  #expect(result.route == .planar)
  result.frame.withRow(5, as: UInt8.self) { row in
    #expect(row[2] == 127 || row[2] == 128)
    #expect(row[12] == 254)
  }
}

@Test(arguments: [8, 10])
func hostileTransforms_neverTrapAndStayInTheFrame(depth: Int) throws {
  let format = PixelFormat.planar(.s420, bitDepth: depth)
  let context = RenderContext(size: PixelSize(width: 33, height: 19), outputFormat: format)
  let frame = TestFrames.noise(format, 21, 13)
  let numbers = [0, 1, -1, 1e-300, 1e300, 1e9, -1e-9, .nan, .infinity, .greatestFiniteMagnitude, 0.7]
  var random = SplitMix(state: 7)
  for _ in 0..<2000 {
    func any() -> Double { numbers[Int.random(in: 0..<numbers.count, using: &random)] }
    let layer = ResolvedLayer(
      frame: frame, opacity: any(), sourceToOutput: AffineMatrix(a: any(), b: any(), c: any(), d: any(), tx: any(), ty: any()),
      crop: Rect(x: any(), y: any(), width: any(), height: any()))
    let layers = [layer].compactMap { $0 }
    let composed = try PlanarRoute.compose(layers, layers.map { _ in .asIs }, background: nil, context: context)
    #expect(composed.size == context.size)
  }
  #expect(context.pool.statistics.outstanding == 0)
}

@Test func steadyState_ofAMovingScale_allocatesNoPixelMemory() throws {
  let format = PixelFormat.yuv420p
  let context = RenderContext(size: PixelSize(width: 320, height: 240), outputFormat: format)
  let frames = noise(2, format, PixelSize(width: 320, height: 240))
  func compose(_ step: Int) throws {
    let scale = 0.3 + Double(step % 50) / 100
    _ = try Comparison.planar(
      [try LayerInstruction(1, transform: placed(scale, degrees: 5, x: 100, y: 90)), LayerInstruction(trackID: 2)], frames,
      context)
  }
  for step in 0..<50 { try compose(step) }
  let before = context.pool.statistics.allocations
  for step in 0..<50 { try compose(step) }
  #expect(context.pool.statistics.allocations == before)
  #expect(context.pool.statistics.outstanding == 0)
}

@Test func otherFormatsAndColors_areRefusedWithAReason() throws {
  let context = RenderContext(size: sizes[0], outputFormat: .yuv420p)
  let instruction = Instruction(timeRange: TestTimes.second, layers: [LayerInstruction(trackID: 1)])
  func refusal(_ format: PixelFormat, _ attributes: FrameAttributes = FrameAttributes()) throws -> String? {
    let source = SourceDescription(format: format, size: PixelSize(width: 34, height: 17), attributes: attributes)
    let (route, reason) = try LayerRoute.choose(instruction: instruction, sources: [1: source], context: context)
    return route == .planar ? nil : reason
  }
  #expect(try refusal(.yuv420p) == nil)
  #expect(try refusal(.nv12) == nil, "the same samples, stored in another way")
  #expect(try refusal(.yuv420p10)?.contains("yuv420p10") == true)
  #expect(try refusal(.rgba)?.contains("rgba") == true)
  #expect(try refusal(.yuv420p, FrameAttributes(color: .bt601_525))?.contains("color") == true)
  let clear = PlanarRoute.refusal(background: .clear, context: context)
  #expect(clear == "the background is not opaque")
}

extension Comparison {
  /// The frame alone, without the reference.
  static func planar(_ layers: [LayerInstruction], _ frames: [TrackID: Frame], _ context: RenderContext) throws -> Frame {
    let resolved = layers.compactMap { layer in
      frames[layer.trackID].flatMap { frame in
        ResolvedLayer(
          frame: frame, opacity: layer.opacity.value(at: .zero), sourceToOutput: layer.transform.value(at: .zero),
          crop: Rect(x: 0, y: 0, width: Double(frame.size.width), height: Double(frame.size.height)))
      }
    }
    return try PlanarRoute.compose(resolved, resolved.map { _ in .asIs }, background: nil, context: context)
  }
}
