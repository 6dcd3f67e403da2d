import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import ReferenceCompositor
import Testing

private let sizes = [PixelSize(width: 161, height: 121), PixelSize(width: 33, height: 17), PixelSize(width: 1, height: 1)]
private let colors: [ColorTags] = [
  .bt709, .bt601_525, .bt601_625,
  ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited, chromaLocation: .topLeft),
  ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .full, chromaLocation: .center),
  ColorTags(primaries: .bt709, transfer: .gamma22, matrix: .bt709, range: .full, chromaLocation: .top),
  ColorTags(primaries: .bt601_625, transfer: .gamma28, matrix: .bt601_625, range: .limited),
  ColorTags(primaries: .bt709, transfer: .linear, matrix: .identity, range: .full),
]

/// Codes that rounding and float arithmetic may cost, against the exact code before rounding.
private func tolerance(_ format: PixelFormat) -> Double {
  switch format.sample {
  case .unsigned: 1
  case .half: 0.004
  case .float: 2e-5
  }
}

@Test(arguments: PixelFormat.all)
func convert_everyFormatToEveryKind_isWithinOneCode(source: PixelFormat) throws {
  let frame = TestFrames.noise(source, 33, 17)
  let pool = FramePool()
  for target in PixelFormat.all {
    let attributes = TestFrames.attributes(target)
    let converted = try FrameConverter.convert(frame, to: target, attributes: attributes, pool: pool)
    guard source != target else {
      #expect(converted.isSameMemory(as: frame))
      continue
    }
    let context = RenderContext(
      size: frame.size, outputFormat: target, outputAttributes: attributes, pool: pool)
    let whole = Rect(x: 0, y: 0, width: 33, height: 17)
    let layer = ReferenceLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole)
    let exact = try ReferenceCompositor.compose([layer], background: .clear, context: context)
    let largest = try FrameComparison(converted, exact).largest
    #expect(largest <= tolerance(target), "\(source) to \(target): \(largest)")
  }
  #expect(pool.statistics.outstanding == 0)
}

/// The bytes of a frame's rows.
private func rows(_ frame: Frame) -> [[UInt8]] {
  frame.withUnsafePlanes { planes in
    (0..<planes.count).flatMap { index in
      let plane = planes[index]
      let count = plane.width * frame.format.samplesPerPosition(plane: index) * frame.format.bytesPerSample
      return (0..<plane.height).map { [UInt8](UnsafeRawBufferPointer(start: plane.base + $0 * plane.stride, count: count)) }
    }
  }
}

/// A converter reads and writes rows by itself; a layer that covers the frame goes the same way in the general route.
@Test(arguments: PixelFormat.all)
func convert_everyFormatToEveryKind_hasTheBitsOfTheGeneralRoute(source: PixelFormat) throws {
  let pool = FramePool()
  let whole = Rect(x: 0, y: 0, width: 33, height: 17)
  for alpha in source.hasAlpha ? [AlphaMode.straight, .premultiplied, .opaque] : [.opaque] {
    var attributes = TestFrames.attributes(source)
    attributes.alphaMode = alpha
    let frame = TestFrames.noise(source, 33, 17, attributes: attributes)
    for target in PixelFormat.all where target != source {
      let attributes = TestFrames.attributes(target)
      let context = RenderContext(size: frame.size, outputFormat: target, outputAttributes: attributes, pool: pool)
      let layer = try #require(ResolvedLayer(frame: frame, opacity: 1, sourceToOutput: .identity, crop: whole))
      let route = try GeneralRoute.compose([layer], background: .clear, context: context)
      let converted = try FrameConverter.convert(frame, to: target, attributes: attributes, pool: pool)
      #expect(rows(converted) == rows(route), "\(source) \(alpha) to \(target)")
    }
  }
}

@Test(arguments: colors)
func convert_betweenColors_isWithinOneCode(source: ColorTags) throws {
  let pool = FramePool()
  for target in colors {
    for (from, to) in [(PixelFormat.yuv420p, PixelFormat.yuv444p10), (.rgba16, .yuv420p10), (.yuv422p10, .rgba16)] {
      let frame = TestFrames.noise(from, 33, 17, attributes: FrameAttributes(color: source))
      let attributes = FrameAttributes(color: target)
      let converted = try FrameConverter.convert(frame, to: to, attributes: attributes, pool: pool)
      let context = RenderContext(size: frame.size, outputFormat: to, outputAttributes: attributes, pool: pool)
      let layer = ReferenceLayer(
        frame: frame, opacity: 1, sourceToOutput: .identity, crop: Rect(x: 0, y: 0, width: 33, height: 17))
      let exact = try ReferenceCompositor.compose([layer], background: .clear, context: context)
      let largest = try FrameComparison(converted, exact).largest
      // Near black a display's curve is so steep that single precision costs up to a code of 16 bits more.
      #expect(largest <= (to.bitDepth > 12 ? 2 : 1), "\(from) \(source) to \(to) \(target): \(largest)")
    }
  }
}

@Test(arguments: sizes, [8, 10])
func dissolve_mixedFormats_isWithinOneCode(size: PixelSize, depth: Int) throws {
  let context = RenderContext(size: size, outputFormat: .planar(.s420, bitDepth: depth))
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.planar(.s422, bitDepth: 18 - depth), size.width, size.height, seed: 1),
    2: TestFrames.noise(.rgba, size.width, size.height, seed: 2),
    3: TestFrames.noise(.nv12, size.width, size.height, attributes: FrameAttributes(color: .bt601_625), seed: 3),
  ]
  for time in TestTimes.through {
    var top = LayerInstruction(trackID: 1)
    try top.opacity.setRamp(from: 1, to: 0, timeRange: TestTimes.second)
    var middle = LayerInstruction(trackID: 2)
    try middle.opacity.setRamp(from: 0, to: 1, timeRange: TestTimes.second)
    let result = try Comparison([top, middle, LayerInstruction(trackID: 3)], frames, at: time, context)
    #expect(result.route == .general)
    #expect(result.difference.largest <= 1, "\(time): \(result.difference)")
  }
}

@Test(arguments: sizes, [8, 10])
func pictureInPicture_rotatedAndMixedFormats_isWithinTwoCodes(size: PixelSize, depth: Int) throws {
  let context = RenderContext(size: size, outputFormat: .planar(.s420, bitDepth: depth))
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.planar(.s422, bitDepth: 10), 97, 53, seed: 4), 2: TestFrames.noise(.p010, size.width, size.height),
  ]
  for scale in [0.2, 0.5, 0.8, 1, 1.7, 3.3] {
    for degrees in [0.0, 11, 90, 180, 221] {
      let transform = AffineMatrix.translation(x: -48, y: -26).concatenating(.scale(x: scale, y: scale * 0.9))
        .concatenating(.rotation(radians: degrees / 180 * .pi))
        .concatenating(.translation(x: Double(size.width) / 2.3, y: Double(size.height) / 1.9))
      let layers = [
        try LayerInstruction(1, opacity: 0.8, transform: transform, crop: Rect(x: 3.3, y: 2, width: 85.25, height: 47.5)),
        LayerInstruction(trackID: 2),
      ]
      let result = try Comparison(layers, frames, context)
      // P010 below is 10 bits in planes, stored in another way.
      #expect(result.route == (depth == 8 ? .general : .planar))
      #expect(result.difference.largest <= 2, "\(scale) \(degrees): \(result.difference)")
    }
  }
}

@Test(arguments: [8, 10])
func cropRamp_mixedFormats_isWithinTwoCodes(depth: Int) throws {
  let context = RenderContext(size: sizes[0], outputFormat: .planar(.s422, bitDepth: depth))
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.yuv420p, 161, 121, seed: 1), 2: TestFrames.noise(.bgra, 161, 121, seed: 2),
  ]
  for time in TestTimes.through {
    var top = LayerInstruction(trackID: 1)
    try top.crop.setRamp(
      from: Rect(x: 0, y: 0, width: 161, height: 121), to: Rect(x: 40.5, y: 20.25, width: 11, height: 7),
      timeRange: TestTimes.second)
    let result = try Comparison([top, LayerInstruction(trackID: 2)], frames, at: time, context)
    #expect(result.difference.largest <= 2, "\(time): \(result.difference)")
  }
}

@Test(arguments: [AlphaMode.straight, .premultiplied], [AlphaMode.opaque, .straight, .premultiplied])
func alpha_anySourceIntoAnyOutput_followsTheReference(source: AlphaMode, output: AlphaMode) throws {
  for (from, to) in [(PixelFormat.rgba, PixelFormat.rgba16), (.rgba16, .planar(.s444, bitDepth: 10, alpha: true))] {
    for blending in [BlendingSpace.encoded, .linear] {
      let attributes = FrameAttributes(color: from.isRGB ? .sRGB : .bt709, alphaMode: source)
      let frames: [TrackID: Frame] = [
        1: TestFrames.noise(from, 61, 47, attributes: attributes, seed: 1),
        2: TestFrames.noise(from, 61, 47, attributes: attributes, seed: 2),
      ]
      let context = RenderContext(
        size: PixelSize(width: 61, height: 47), outputFormat: to,
        outputAttributes: FrameAttributes(color: to.isRGB ? .sRGB : .bt709, alphaMode: output), blending: blending)
      let turn = AffineMatrix.rotation(radians: 0.3).concatenating(.translation(x: 5, y: -7))
      let layers = [try LayerInstruction(1, opacity: 0.6, transform: turn), try LayerInstruction(2, opacity: 0.7)]
      let background = Color(red: 0.2, green: 0.9, blue: 0.4, alpha: 0.35)
      let result = try Comparison(layers, frames, background: background, context)
      let limit = to.bitDepth == 16 ? 24.0 : 2
      #expect(result.difference.largest <= limit, "\(from) \(to) \(blending): \(result.difference)")
    }
  }
}
