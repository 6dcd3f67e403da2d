import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import Testing

private let size = PixelSize(width: 33, height: 17)
private let rgb = FrameAttributes(color: .sRGB, alphaMode: .straight)
private let opaqueRGB = FrameAttributes(color: .sRGB)

/// A frame of one color.
private func flat(
  _ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1, format: PixelFormat = .rgba,
  attributes: FrameAttributes = rgb
) throws -> Frame {
  let context = RenderContext(size: size, outputFormat: format, outputAttributes: attributes)
  return try context.makeFrame(filledWith: Color(red: red, green: green, blue: blue, alpha: alpha))
}

private func request(
  _ layers: [LayerInstruction], _ frames: [TrackID: Frame], background: Color? = nil, at time: MediaTime = .zero,
  _ context: RenderContext
) -> CompositionRequest {
  var instruction = Instruction(timeRange: TestTimes.second, layers: layers)
  instruction.backgroundColor = background
  let sources = frames.mapValues {
    SourceFrame(trackID: 0, frame: $0, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
  }
  return CompositionRequest(time: time, instruction: instruction, instructionIndex: 3, sources: sources, context: context)
}

private func compose(
  _ layers: [LayerInstruction], _ frames: [TrackID: Frame], background: Color? = nil, _ context: RenderContext
) throws -> Frame {
  try LayerCompositor(context: context).compose(request(layers, frames, background: background, context))
}

/// The 8-bit samples of one position of a plane.
private func samples(_ frame: Frame, x: Int = 16, y: Int = 8, plane: Int = 0) -> [UInt8] {
  let count = frame.format.samplesPerPosition(plane: plane)
  return frame.withRow(y, plane: plane, as: UInt8.self) { row in (0..<count).map { row[x * count + $0] } }
}

private let rgbOutput = RenderContext(size: size, outputFormat: .rgba, outputAttributes: opaqueRGB)

@Test func compose_noSources_isTheBackgroundBlack() throws {
  let frame = try compose([LayerInstruction(trackID: 1)], [:], RenderContext(size: size))
  for (plane, expected) in [(0, UInt8(16)), (1, 128), (2, 128)] {
    for y in 0..<frame.format.planeSize(plane, of: frame.size).height {
      frame.withRow(y, plane: plane, as: UInt8.self) { row in
        #expect((0..<row.count).allSatisfy { row[$0] == expected })
      }
    }
  }
}

@Test func compose_noSourcesAndAColor_isThatColor() throws {
  let red = Color(red: 1, green: 0, blue: 0)
  #expect(samples(try compose([], [:], background: red, rgbOutput)) == [255, 0, 0, 255])
  let video = try compose([], [:], background: red, RenderContext(size: size))
  #expect(samples(video)[0] == 63 && samples(video, y: 4, plane: 1)[0] == 102 && samples(video, y: 4, plane: 2)[0] == 240)
}

@Test func compose_sourceFillsTheCanvas_isHandedOn() throws {
  let recorder = RouteRecorder()
  let context = RenderContext(size: size, observer: recorder)
  let white = try context.makeFrame(filledWith: .white)
  let hidden = try context.makeFrame(filledWith: .black)
  let frame = try compose(
    [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)], [1: white, 2: hidden], context)
  #expect(frame.isSameMemory(as: white))
  #expect(recorder.routes == [.passthrough])
}

@Test func compose_almostFills_isNotHandedOn() throws {
  let recorder = RouteRecorder()
  let context = RenderContext(size: size, observer: recorder)
  let white = try context.makeFrame(filledWith: .white)
  let almost = [
    try LayerInstruction(1, opacity: 0.999), try LayerInstruction(1, transform: .translation(x: 0.01, y: 0)),
    try LayerInstruction(1, crop: Rect(x: 0, y: 0, width: 32.5, height: 17)),
  ]
  for layer in almost {
    #expect(!(try compose([layer], [1: white], context).isSameMemory(as: white)))
  }
  #expect(!recorder.routes.contains(.passthrough))
}

@Test func compose_frontToBack_firstIsOnTop() throws {
  let frames: [TrackID: Frame] = [1: try flat(1, 0, 0), 2: try flat(0, 1, 0)]
  let both = [LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)]
  #expect(samples(try compose(both, frames, rgbOutput)) == [255, 0, 0, 255])
  #expect(samples(try compose(both.reversed(), frames, rgbOutput)) == [0, 255, 0, 255])
}

@Test func compose_opacity_mixesCodes() throws {
  let frames: [TrackID: Frame] = [1: try flat(1, 0, 0), 2: try flat(0, 0, 1)]
  for (opacity, expected) in [
    (0.0, [0, 0, 255, 255]), (0.5, [128, 0, 128, 255]), (1, [255, 0, 0, 255]), (7, [255, 0, 0, 255]),
  ] {
    let frame = try compose([try LayerInstruction(1, opacity: opacity), LayerInstruction(trackID: 2)], frames, rgbOutput)
    #expect(samples(frame).map(Int.init) == expected, "\(opacity)")
  }
}

@Test func compose_linearLight_mixesLight() throws {
  let context = RenderContext(size: size, outputFormat: .rgba, outputAttributes: opaqueRGB, blending: .linear)
  let frames: [TrackID: Frame] = [1: try flat(1, 1, 1), 2: try flat(0, 0, 0)]
  let layers = [try LayerInstruction(1, opacity: 0.5), LayerInstruction(trackID: 2)]
  #expect(samples(try compose(layers, frames, context)) == [191, 191, 191, 255], "half of a display's light: 0.5 ^ (1 / 2.4)")
  var colorimetric = context
  colorimetric.colorConversion.srgb = .colorimetric
  let frame = try compose(layers, frames, colorimetric)
  #expect(samples(frame) == [188, 188, 188, 255], "half of the light is 73.5 % of an sRGB signal")
}

@Test(arguments: [AlphaMode.straight, .premultiplied])
func compose_sourceAlpha_showsWhatIsUnder(mode: AlphaMode) throws {
  let half = try flat(1, 0.5, 0, alpha: 128.0 / 255, attributes: FrameAttributes(color: .sRGB, alphaMode: mode))
  let overBlack = try compose([LayerInstruction(trackID: 1)], [1: half], rgbOutput)
  let overWhite = try compose([LayerInstruction(trackID: 1)], [1: half], background: .white, rgbOutput)
  #expect(samples(overBlack) == [128, 64, 0, 255])
  #expect(samples(overWhite) == [255, 191, 127, 255])
}

@Test func compose_overClear_keepsTheSourcesAlpha() throws {
  let context = RenderContext(size: size, outputFormat: .rgba, outputAttributes: rgb)
  let source = try flat(0.2, 0.4, 0.6, alpha: 0.4)
  let frame = try compose([LayerInstruction(trackID: 1)], [1: source], background: .clear, context)
  #expect(samples(frame) == samples(source))
  let faint = try compose([try LayerInstruction(1, opacity: 0.5)], [1: source], background: .clear, context)
  #expect(samples(faint) == [51, 102, 153, 51])
}

@Test func compose_flatColor_staysFlatHoweverItIsTurned() throws {
  let orange = try flat(1, 0.5, 0.25, format: .yuv420p10, attributes: FrameAttributes())
  let turn = AffineMatrix.translation(x: -16.5, y: -8.5).concatenating(.rotation(radians: 0.7))
    .concatenating(.scale(x: 5, y: 5)).concatenating(.translation(x: 16.5, y: 8.5))
  let frame = try compose([try LayerInstruction(1, transform: turn)], [1: orange], rgbOutput)
  for y in 0..<size.height {
    for x in 0..<size.width {
      #expect(zip(samples(frame, x: x, y: y), [255, 128, 64, 255]).allSatisfy { abs(Int($0) - $1) <= 1 })
    }
  }
}

@Test func compose_pixelAspect_stretchesTheWidth() throws {
  var wide = try flat(1, 1, 1, attributes: opaqueRGB)
  wide.attributes.pixelAspectRatio = Rational(1, 2)
  let frame = try compose([LayerInstruction(trackID: 1)], [1: wide], rgbOutput)
  #expect(samples(frame, x: 15) == [255, 255, 255, 255])
  #expect((127...128).contains(samples(frame, x: 16)[0]), "33 columns at 1:2 cover 16 and a half")
  #expect(samples(frame, x: 17) == [0, 0, 0, 255])
}

@Test func compose_degenerateTransforms_showNothing() throws {
  let white = try flat(1, 1, 1)
  let huge = Double.greatestFiniteMagnitude
  for matrix in [
    AffineMatrix.scale(x: 0, y: 0), .scale(x: 1, y: 0), .scale(x: 1e-300, y: 1e-300), .translation(x: 1e300, y: -1e300),
    AffineMatrix(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0), .scale(x: 1e-9, y: 1e9), .translation(x: huge / 4, y: 0),
  ] {
    let frame = try compose([try LayerInstruction(1, transform: matrix)], [1: white], rgbOutput)
    #expect(samples(frame) == [0, 0, 0, 255], "\(matrix)")
  }
}

@Test func compose_hugeEnlargement_showsOnePixel() throws {
  let white = try flat(1, 1, 1)
  for scale in [1e3, 1e6, 1e12, 1e100] {
    let frame = try compose([try LayerInstruction(1, transform: .scale(x: scale, y: scale))], [1: white], rgbOutput)
    #expect(samples(frame) == [255, 255, 255, 255], "\(scale)")
  }
}

@Test func compose_numbersThatAreNone_isAnErrorWithThePlace() throws {
  let white = try flat(1, 1, 1)
  var wrong = [LayerInstruction](repeating: LayerInstruction(trackID: 1), count: 4)
  try wrong[0].opacity.set(.nan, at: .zero)
  try wrong[1].transform.set(.scale(x: .infinity, y: 1), at: .zero)
  try wrong[2].transform.set(.translation(x: .nan, y: 1), at: .zero)
  try wrong[3].crop.set(Rect(x: 0, y: 0, width: .nan, height: 2), at: .zero)
  for layer in wrong {
    let error = #expect(throws: CompositorError.self) { try compose([layer], [1: white], rgbOutput) }
    #expect(error?.code == .invalidValue)
    #expect(error?.location.track == 1 && error?.location.instruction == 3 && error?.location.time == .zero)
    #expect(error?.location.compositor == .layer && error?.recoverySuggestion != nil)
  }
}

@Test func compose_unknownCurve_isRefusedByName() throws {
  var odd = ColorTags.bt709
  odd.transfer = TransferFunction(rawValue: 3)
  let frame = TestFrames.noise(.yuv420p10, size.width, size.height, attributes: FrameAttributes(color: odd))
  let error = #expect(throws: CompositorError.self) {
    try compose([LayerInstruction(trackID: 1)], [1: frame], RenderContext(size: size))
  }
  #expect(error?.code == .conversionNotPossible)
  #expect(error?.message.contains("3") == true && error?.location.compositor == .layer)
}

@Test func init_anyParameter_isRefused() {
  let error = #expect(throws: CompositorError.self) {
    try LayerCompositor(parameters: ["strength": .number(1)], context: RenderContext(size: size))
  }
  #expect(error?.code == .invalidParameter)
}

@Test func choose_wholeInstruction_isTheCostliestRoute() throws {
  let context = RenderContext(size: size)
  let source = SourceDescription(format: .yuv420p, size: size, attributes: FrameAttributes())
  let still = Instruction(timeRange: TestTimes.second, layers: [LayerInstruction(trackID: 1)])
  #expect(try LayerRoute.choose(instruction: still, sources: [1: source], context: context).route == .passthrough)
  var fading = LayerInstruction(trackID: 1)
  try fading.opacity.setRamp(from: 1, to: 0, timeRange: TestTimes.second)
  let dissolve = Instruction(timeRange: TestTimes.second, layers: [fading, LayerInstruction(trackID: 2)])
  let sources: [TrackID: SourceDescription] = [1: source, 2: source]
  #expect(try LayerRoute.choose(instruction: dissolve, sources: sources, context: context).route != .passthrough)
  #expect(try LayerRoute.choose(instruction: dissolve, at: .zero, sources: sources, context: context).route == .passthrough)
}

@Test func compose_manyTimes_allocatesNoMorePixels() throws {
  let pool = FramePool()
  let context = RenderContext(size: size, pool: pool)
  let frames: [TrackID: Frame] = [1: try flat(1, 0, 0), 2: TestFrames.noise(.yuv422p10, 50, 40)]
  let layers = [
    try LayerInstruction(2, opacity: 0.5, transform: .rotation(radians: 0.2)), LayerInstruction(trackID: 1),
  ]
  let compositor = try LayerCompositor(context: context)
  _ = try compositor.compose(request(layers, frames, context))
  let first = pool.statistics.allocations
  for _ in 0..<20 { _ = try compositor.compose(request(layers, frames, context)) }
  #expect(pool.statistics.allocations == first)
  #expect(pool.statistics.outstanding == 0)
}

/// Whether two frames of 8 bits have the same attributes and samples.
private func isSame(_ first: Frame, _ second: Frame) -> Bool {
  guard first.format == second.format, first.size == second.size, first.attributes == second.attributes else { return false }
  return (0..<first.format.planeCount).allSatisfy { plane in
    (0..<first.format.planeSize(plane, of: first.size).height).allSatisfy { y in
      func row(_ frame: Frame) -> [UInt8] {
        frame.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { row[$0] } }
      }
      return row(first) == row(second)
    }
  }
}

@Test(arguments: [PixelFormat.yuv420p, .rgba, .yuv422p10])
func draw_oneFrame_hasTheBytesOfALayer(format: PixelFormat) throws {
  let context = RenderContext(size: size)
  let frame = TestFrames.noise(format, 50, 40)
  let compositor = try LayerCompositor(context: context)
  let transforms = [AffineMatrix.identity, .translation(x: -200, y: 3), .rotation(radians: 0.2), .scale(x: 0.4, y: 0.3)]
  for transform in transforms {
    for background in [nil, Color(red: 0.2, green: 0.9, blue: 0.1)] {
      let layer = try LayerInstruction(1, transform: transform)
      let expected = try compositor.compose(request([layer], [1: frame], background: background, context))
      #expect(try isSame(compositor.draw(frame, transform, over: background, into: context), expected), "\(transform)")
    }
  }
  #expect(throws: CompositorError.self) {
    try compositor.draw(frame, .translation(x: .nan, y: 0), into: context)
  }
}

@Test func fit_oneFrame_hasTheBytesOfAPassThroughInstruction() throws {
  let context = RenderContext(size: size)
  let frame = TestFrames.noise(.yuv420p, 50, 40)
  let compositor = try LayerCompositor(context: context)
  var passing = request([], [1: frame], background: nil, context)
  passing.instruction.content = .passthrough(1)
  for orientation in [AffineMatrix.identity, .rotation(radians: .pi / 2)] {
    passing.sources[1]?.preferredTransform = orientation
    var source = SourceDescription(frame)
    source.preferredTransform = orientation
    #expect(try isSame(compositor.fit(frame, source, into: context), compositor.compose(passing)))
  }
}

@Test func draw_layersOfARequest_reportsNoRoute() throws {
  let recorder = RouteRecorder()
  let context = RenderContext(size: size, observer: recorder)
  let frames: [TrackID: Frame] = [1: TestFrames.noise(.yuv420p, 50, 40), 2: TestFrames.noise(.rgba, 30, 30)]
  let layers = [try LayerInstruction(2, opacity: 0.5), LayerInstruction(trackID: 1)]
  let compositor = try LayerCompositor(context: context)
  let whole = request(layers, frames, background: nil, context)
  let drawn = try compositor.draw(layers, of: request([], frames, background: nil, context), over: nil, into: context)
  #expect(recorder.routes.isEmpty)
  #expect(try isSame(drawn, compositor.compose(whole)))
  #expect(recorder.routes == [.planar])
}
