import BuiltinCompositors
import CompositorAPI
import Testing

private let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))

/// A movie's frame below stills, which are given front to back with their layers.
private struct Scene {
  var context: RenderContext
  var stills: [(Frame, LayerInstruction)] = []
  var base = TestFrames.noise(.yuv420p, 160, 90, seed: 9)

  func composed(by compositor: LayerCompositor) throws -> Frame {
    var layers: [LayerInstruction] = []
    var sources: [TrackID: SourceFrame] = [:]
    func show(_ frame: Frame, _ layer: LayerInstruction, isStill: Bool) {
      layers.append(layer)
      sources[layer.trackID] = SourceFrame(
        trackID: layer.trackID, frame: frame, presentationTime: .zero, duration: .positiveInfinity, requestedTime: .zero)
      sources[layer.trackID]?.isStill = isStill
    }
    for (frame, layer) in stills { show(frame, layer, isStill: true) }
    show(base, LayerInstruction(trackID: 99), isStill: false)
    let instruction = Instruction(timeRange: second, layers: layers)
    return try compositor.compose(
      CompositionRequest(time: .zero, instruction: instruction, sources: sources, context: context))
  }

  /// The frame of a compositor that has kept nothing.
  func composedAnew() throws -> Frame { try composed(by: LayerCompositor(context: context)) }
}

private func layer(
  _ trackID: TrackID, scale: Double = 1, degrees: Double = 0, x: Double = 0, y: Double = 0, opacity: Double = 1
) throws -> LayerInstruction {
  try LayerInstruction(
    trackID, opacity: opacity,
    transform: AffineMatrix.scale(x: scale, y: scale).concatenating(.rotation(radians: degrees / 180 * .pi))
      .concatenating(.translation(x: x, y: y)))
}

/// A logo: noise in an ellipse, transparent around it and in a hole.
private func logo(_ width: Int, _ height: Int, seed: UInt64 = 3) -> Frame {
  let noise = TestFrames.noise(.rgba, width, height, seed: seed)
  return TestFrames.make(.rgba, width, height, FrameAttributes(color: .sRGB, alphaMode: .straight)) { _, x, y in
    guard x % 4 == 3 else { return noise.withRow(y, as: UInt8.self) { Double($0[x]) / 255 } }
    let (across, down) = (Double(x / 4) / Double(width) * 2 - 1, Double(y) / Double(height) * 2 - 1)
    let distance = across * across + down * down
    return distance > 1 || distance < 0.02 ? 0 : (x / 4 + y) % 5 == 0 ? 0.5 : 1
  }
}

private func isEqual(_ a: Frame, _ b: Frame) -> Bool {
  func bytes(_ frame: Frame, _ plane: Int) -> [[UInt8]] {
    let count = frame.format.rowBytes(plane: plane, of: frame.size)
    return frame.withUnsafePlanes { planes in
      let plane = planes[plane]
      return (0..<plane.height).map { Array(UnsafeRawBufferPointer(start: plane.base + $0 * plane.stride, count: count)) }
    }
  }
  return a.format == b.format && (0..<3).allSatisfy { bytes(a, $0) == bytes(b, $0) }
}

/// Every frame is bit by bit the first: whether nothing is known of a still, its layer is being kept, or was kept, over movies
/// that change.
@Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .yuv422p, .yuv444p], ColorConversionPolicy.Dithering.allCases)
func stillOverMovie_everyFrame_isThatOfAFreshCompositor(
  format: PixelFormat, dithering: ColorConversionPolicy.Dithering
) throws {
  for location in [ChromaLocation.left, .center, .topLeft] {
    var color = ColorTags.bt709
    color.chromaLocation = location
    var context = RenderContext(
      size: PixelSize(width: 161, height: 91), outputFormat: format, outputAttributes: FrameAttributes(color: color))
    context.colorConversion.dithering = dithering
    let (small, deep) = (logo(60, 40), TestFrames.noise(.rgba16, 50, 30, seed: 4))
    let own = TestFrames.noise(format, 90, 70, attributes: context.outputAttributes, seed: 5)
    var decorated = try layer(1, scale: 0.8, x: 20, y: 12)
    var look = LayerDecoration()
    (look.cornerRadius, look.shadowOpacity) = (6, 0.5)
    decorated.decoration = PropertyTimeline(default: look)
    let scenes: [[(Frame, LayerInstruction)]] = [
      [(small, try layer(1, x: 30, y: 20))], [(small, try layer(1, scale: 0.43, x: 97.3, y: 5.6))],
      [(small, try layer(1, scale: 1.7, degrees: 12, x: 40, y: -9, opacity: 0.7))], [(deep, decorated)],
      [(small, try layer(1, x: 8, y: 8)), (deep, try layer(2, x: 30, y: 21)), (small, try layer(3, x: 101, y: 50))],
      // Layers in planes, of which the second is filtered.
      [(own, try layer(1, x: 4, y: 6, opacity: 0.5))], [(own, try layer(1, scale: 0.61, x: 31.4, y: 7.2, opacity: 0.8))],
      [(own, try layer(1, scale: 2, x: -9, y: -11))],
    ]
    for (index, stills) in scenes.enumerated() {
      var scene = Scene(context: context, stills: stills)
      let compositor = try LayerCompositor(context: context)
      for seed in 1...4 as ClosedRange<UInt64> {
        scene.base = TestFrames.noise(format, 161, 91, attributes: context.outputAttributes, seed: 20 + seed)
        let (shown, fresh) = (try scene.composed(by: compositor), try scene.composedAnew())
        #expect(isEqual(shown, fresh), "\(format), \(location), scene \(index), frame \(seed)")
      }
      #expect(compositor.finishedStills.keptCount > 0 || index == 5, "scene \(index)")
    }
  }
}

/// Nothing is kept of a still that moves or fades, nor of what isn't a still.
@Test func stillThatMoves_isNotKept() throws {
  let context = RenderContext(size: PixelSize(width: 160, height: 90))
  let compositor = try LayerCompositor(context: context)
  let (small, photo) = (logo(40, 30), TestFrames.noise(.yuv420p, 200, 120, seed: 2))
  for step in 0..<100 {
    let stills = [
      (small, try layer(1, x: Double(step), y: 3)), (photo, try layer(2, scale: 0.4, opacity: 1 - Double(step) / 200)),
    ]
    _ = try Scene(context: context, stills: stills).composed(by: compositor)
  }
  // A photo that only fades is filtered once: opacity comes after it.
  #expect(compositor.finishedStills.keptCount == 3, "the photo's three planes")
}

/// Another still, placed like the first one, in memory that a pool reuses, is shown as what it is.
@Test func stillInReusedMemory_isNotTakenForTheOneBefore() throws {
  let context = RenderContext(size: PixelSize(width: 160, height: 90))
  let compositor = try LayerCompositor(context: context)
  let pool = FramePool()
  func still(_ value: Double) throws -> Frame {
    var frame = try pool.makeFrame(
      format: .rgba, size: PixelSize(width: 100, height: 80), attributes: FrameAttributes(color: .sRGB, alphaMode: .opaque))
    frame.withUnsafeMutablePlanes { planes in
      let code = UInt8(value * 255)
      for y in 0..<80 { (planes[0].base + y * planes[0].stride).initializeMemory(as: UInt8.self, repeating: code, count: 400) }
    }
    return frame.freeze()
  }
  for value in [0.1, 0.9, 0.4, 0.7, 0.2] {
    let still = try still(value)
    for _ in 1...3 {
      let scene = Scene(context: context, stills: [(still, try layer(1, scale: 0.5, x: 10, y: 10))])
      #expect(try isEqual(scene.composed(by: compositor), scene.composedAnew()), "\(value)")
    }
  }
  #expect(pool.statistics.allocations == 1)
}

/// Kept layers stay within their limit, the least recently shown ones go first, and threads may ask for the same one at once.
@Test func manyStills_stayWithinTheLimit() async throws {
  let context = RenderContext(size: PixelSize(width: 160, height: 90))
  let compositor = try LayerCompositor(context: context)
  let logos = (0..<100).map { logo(40, 30, seed: UInt64($0)) }
  for _ in 1...3 {
    for (index, logo) in logos.enumerated() {
      _ = try Scene(context: context, stills: [(logo, try layer(1, x: Double(index), y: 3))]).composed(by: compositor)
    }
  }
  #expect(compositor.finishedStills.keptCount <= 64)
  let wanted = try Scene(context: context, stills: [(logos[7], try layer(1, x: 5, y: 3))]).composedAnew()
  try await withThrowingTaskGroup(of: Bool.self) { group in
    for _ in 0..<64 {
      group.addTask {
        try isEqual(wanted, Scene(context: context, stills: [(logos[7], try layer(1, x: 5, y: 3))]).composed(by: compositor))
      }
    }
    for try await equal in group { #expect(equal) }
  }
}
