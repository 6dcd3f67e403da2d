import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import ReferenceCompositor
import Testing

/// What a JPEG is: full range, BT.601, sRGB's curve, chroma in the middle.
private let photo = FrameAttributes(
  color: ColorTags(primaries: .bt709, transfer: .sRGB, matrix: .bt601_625, range: .full, chromaLocation: .center))
private let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))

/// One still through the layer compositor.
private func compose(
  _ still: Frame, _ transform: AffineMatrix, _ context: RenderContext, by compositor: LayerCompositor? = nil,
  crop: Rect? = nil
) throws -> (frame: Frame, route: RenderRoute?) {
  let recorder = RouteRecorder()
  var context = context
  context.observer = recorder
  // Steps by halves are for stills that grow: those that hold still are filtered as they are.
  context.sampling = .fast
  var source = SourceFrame(
    trackID: 1, frame: still, presentationTime: .zero, duration: .positiveInfinity, requestedTime: .zero)
  source.isStill = true
  let instruction = Instruction(timeRange: second, layers: [try LayerInstruction(1, transform: transform, crop: crop)])
  let request = CompositionRequest(time: .zero, instruction: instruction, sources: [1: source], context: context)
  let frame = try (compositor ?? LayerCompositor(context: context)).compose(request)
  return (frame, recorder.routes.first)
}

private func converted(_ still: Frame, _ context: RenderContext) throws -> Frame {
  try FrameConverter.convert(
    still, to: context.outputFormat, attributes: context.outputAttributes, pool: FramePool(), policy: context.colorConversion)
}

/// Codes of a plane.
private func codes(_ frame: Frame, _ plane: Int) -> [[Double]] {
  let height = frame.format.planeSize(plane, of: frame.size).height
  return (0..<height).map { y in
    if frame.format.bytesPerSample == 1 {
      return frame.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { Double(row[$0]) } }
    }
    return frame.withRow(y, plane: plane, as: UInt16.self) { row in row.indices.map { Double(row[$0]) } }
  }
}

/// What samples that stand for blocks may be: the mean, give or take a rounding; at odd ends anything between what there is.
private func bounds(_ codes: [[Double]], _ side: Int, rounding: Double) -> [[ClosedRange<Double>]] {
  stride(from: 0, to: codes.count, by: side).map { y in
    stride(from: 0, to: codes[y].count, by: side).map { x in
      let block = codes[y..<min(y + side, codes.count)].flatMap { $0[x..<min(x + side, $0.count)] }
      let mean = block.reduce(0, +) / Double(block.count)
      guard block.count < side * side else { return mean - rounding...mean + rounding }
      return (block.min() ?? 0) - rounding...(block.max() ?? 0) + rounding
    }
  }
}

/// Reductions are means of the converted picture, at all sizes and depths, of the worst pictures there are.
@Test(arguments: [8, 10], [PixelFormat.yuv420p, .rgba])
func still_reduced_isTheMeanOfBlocks(depth: Int, format: PixelFormat) throws {
  for size in [PixelSize(width: 131, height: 75), PixelSize(width: 64, height: 48), PixelSize(width: 17, height: 33)] {
    let attributes = format.isRGB ? FrameAttributes(color: .sRGB) : photo
    let still = TestFrames.noise(format, size.width, size.height, attributes: attributes)
    let context = RenderContext(size: PixelSize(width: 40, height: 30), outputFormat: .planar(.s420, bitDepth: depth))
    let exact = try converted(still, context)
    let cache = StillCache()
    for level in [2, 1, 4, 3, 0] {
      let picture = try cache.picture(of: still, level: level, context: context)
      for plane in 0..<3 {
        // Two levels at a time are rounded once.
        let wanted = bounds(codes(exact, plane), 1 << level, rounding: 0.501 * Double((level + 1) / 2))
        let found = codes(picture, plane)
        #expect(found.map(\.count) == wanted.map(\.count), "\(size) \(level) \(plane)")
        let outside = zip(found, wanted).flatMap { zip($0, $1).filter { !$1.contains($0) } }
        #expect(outside.isEmpty, "\(size), level \(level), plane \(plane): \(outside.prefix(3))")
      }
      #expect(try cache.picture(of: still, level: level, context: context).isSameMemory(as: picture), "made once")
    }
  }
}

/// The picture shown is what double precision makes of the reduced one, wherever it lies. Sides are multiples of 16, so that reduced
/// chroma ends where reduced luma does.
@Test(arguments: [8, 10], [PixelFormat.yuv420p, .rgba])
func still_movedAndScaled_followsTheReference(depth: Int, format: PixelFormat) throws {
  var color = ColorTags.bt709
  // Reduced chroma that is centered is centered again, so that the reference can be asked for the same.
  color.chromaLocation = .center
  let context = RenderContext(
    size: PixelSize(width: 48, height: 34), outputFormat: .planar(.s420, bitDepth: depth),
    outputAttributes: FrameAttributes(color: color))
  let still = TestFrames.noise(format, 304, 208, attributes: format.isRGB ? FrameAttributes(color: .sRGB) : photo)
  let compositor = try LayerCompositor(context: context)
  var levels: Set<Int> = []
  for (index, footprint) in [1.0, 1.3, 1.99, 2, 2.6, 3.9, 4, 5.5, 6.2, 8.3, 17.3].enumerated() {
    let degrees = [0.0, 0, 7, 0, 90][index % 5]
    let transform = AffineMatrix.scale(x: 1 / footprint, y: 1 / footprint)
      .concatenating(.rotation(radians: degrees / 180 * .pi))
      .concatenating(.translation(x: degrees == 90 ? 45 : -3.3, y: -5.1))
    let shown = try compose(still, transform, context, by: compositor)
    #expect(shown.route == .planar)
    let level = max(log2Floor(footprint * 1.000001) - 2, 0)
    levels.insert(level)
    // Alone, and so never made of what is kept.
    let picture = try StillCache().picture(of: still, level: level, context: context)
    let side = Double(1 << level)
    let layer = ReferenceLayer(
      frame: picture, opacity: 1, sourceToOutput: AffineMatrix.scale(x: side, y: side).concatenating(transform),
      crop: Rect(x: 0, y: 0, width: 304 / side, height: 208 / side))
    let exact = try ReferenceCompositor.compose([layer], background: nil, context: context)
    let difference = try FrameComparison(shown.frame, exact)
    #expect(difference.largest <= 2, "\(footprint), \(degrees) degrees: \(difference)")
  }
  #expect(levels == [0, 1, 2])
  #expect(compositor.stills.madeCount == 3, "one conversion, and each level once")
}

/// Up to eight samples under one of the output, nothing is lost to steps by powers of two: noise of single pixels is as exact as anything.
/// Beyond, it is within 6 codes.
@Test(arguments: [8, 10]) func still_noiseOfPixels_isNearTheExactMeans(depth: Int) throws {
  let context = RenderContext(size: PixelSize(width: 96, height: 64), outputFormat: .planar(.s420, bitDepth: depth))
  let still = TestFrames.noise(.rgba, 1216, 832, attributes: FrameAttributes(color: .sRGB))
  let exact = try converted(still, context)
  for (footprint, bound) in [(1.7, 1.5), (2.08, 1.5), (3.3, 1.5), (7.9, 1.5), (8.6, 6), (9.3, 6), (17, 6)] {
    let scale = AffineMatrix.scale(x: 1 / footprint, y: 1 / footprint)
    let transform = scale.concatenating(.translation(x: -2.3, y: -1.1))
    let shown = try compose(still, transform, context)
    let layer = ReferenceLayer(
      frame: exact, opacity: 1, sourceToOutput: transform, crop: Rect(x: 0, y: 0, width: 1216, height: 832))
    let difference = try FrameComparison(shown.frame, ReferenceCompositor.compose([layer], background: nil, context: context))
    let codes = difference.largest / Double(1 << (depth - 8))
    #expect(shown.route == .planar && codes <= bound, "\(footprint): \(difference)")
  }
}

private func log2Floor(_ value: Double) -> Int {
  var level = 0
  while value >= Double(2 << level) { level += 1 }
  return level
}

/// Chroma stays at its site however often it is reduced: a smooth picture is that of the route which reduces nothing beforehand.
@Test(arguments: [ChromaLocation.left, .center, .topLeft, .top])
func still_reduced_keepsChromaAtItsSite(location: ChromaLocation) throws {
  var color = ColorTags.bt709
  color.chromaLocation = location
  let context = RenderContext(
    size: PixelSize(width: 60, height: 40), outputFormat: .yuv420p10, outputAttributes: FrameAttributes(color: color))
  let still = TestFrames.make(.rgba, 640, 420, FrameAttributes(color: .sRGB)) { _, x, y in
    let (across, down) = (Double(x / 4) / 640, Double(y) / 420)
    return [0.05 + across * 0.6 + down * 0.3, 0.5, 0.95 - across * 0.6 - down * 0.3, 1][x % 4]
  }
  for footprint in [2.0, 4.4, 9.7, 19.3] {
    let transform = AffineMatrix.scale(x: 1 / footprint, y: 1 / footprint).concatenating(.translation(x: -1.5, y: 0.25))
    let shown = try compose(still, transform, context)
    #expect(shown.route == .planar)
    let layer = ReferenceLayer(
      frame: try converted(still, context), opacity: 1, sourceToOutput: transform,
      crop: Rect(x: 0, y: 0, width: 640, height: 420))
    let exact = try ReferenceCompositor.compose([layer], background: nil, context: context)
    let difference = try FrameComparison(shown.frame, exact)
    // Reduced chroma that was taken for sited again would be off by 3 codes.
    #expect(difference.largest <= 2, "\(location), \(footprint): \(difference)")
  }
}

@Test func still_enlarged_keepsItsOwnChroma() throws {
  let context = RenderContext(size: PixelSize(width: 64, height: 48))
  let still = TestFrames.noise(.rgba, 40, 30, attributes: FrameAttributes(color: .sRGB))
  #expect(try compose(still, .scale(x: 1.6, y: 1.6), context).route == .general)
  #expect(try compose(still, .scale(x: 0.9, y: 0.9), context).route == .planar)
  let subsampled = TestFrames.noise(.yuv420p, 40, 30, attributes: photo)
  #expect(try compose(subsampled, .scale(x: 1.6, y: 1.6), context).route == .planar)
}

/// What is kept goes with the still, and nothing is made twice.
@Test func still_manyFrames_isConvertedOnce() throws {
  let pool = FramePool()
  let context = RenderContext(size: PixelSize(width: 64, height: 48), pool: pool)
  let compositor = try LayerCompositor(context: context)
  do {
    let still = TestFrames.noise(.yuv420p, 320, 240, attributes: photo)
    for step in 0..<30 {
      let scale = 0.1 + Double(step) / 2000
      _ = try compose(still, .scale(x: scale, y: scale), context, by: compositor)
    }
    let allocations = pool.statistics.allocations
    #expect(compositor.stills.madeCount == 2, "converted, reduced to a half")
    for step in 0..<30 {
      let scale = 0.1 + Double(step) / 2000
      _ = try compose(still, .scale(x: scale, y: scale), context, by: compositor)
    }
    #expect(pool.statistics.allocations == allocations)
    #expect(compositor.stills.madeCount == 2)
  }
  #expect(pool.statistics.outstanding == 0)
  let other = TestFrames.noise(.yuv420p, 320, 240, attributes: photo, seed: 2)
  _ = try compose(other, .scale(x: 0.1, y: 0.1), context, by: compositor)
  #expect(compositor.stills.madeCount == 2, "the first still is gone, and what was made of it")
}

@Test func still_whosePictureIsReplaced_isNoneAnyMore() {
  var source = SourceFrame(
    trackID: 1, frame: TestFrames.noise(.rgba, 4, 4), presentationTime: .zero, duration: .positiveInfinity, requestedTime: .zero
  )
  source.isStill = true
  source.frame = TestFrames.noise(.rgba, 4, 4)
  #expect(!source.isStill)
}
