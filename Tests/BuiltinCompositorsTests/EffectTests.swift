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

@Suite struct ChromaKeyTests {
  /// A frame in bands of one color each.
  private func bands(_ colors: [Color], _ format: PixelFormat) throws -> Frame {
    let attributes = TestFrames.attributes(format)
    let top = Double(1 << format.bitDepth) - 1
    let codes = try colors.map { try $0.codes(format: format, attributes: attributes) }
    return TestFrames.make(format, 24 * colors.count, 16, attributes) { plane, x, _ in
      let width = plane == 0 ? 24 : 24 >> format.subsampling.horizontalShift
      return (codes[x / width][plane] + 0.5) / top
    }
  }

  private func keyed(_ frame: Frame, _ parameters: ParameterValues = [:]) async throws -> Frame {
    let format = PixelFormat.planar(frame.format.subsampling, bitDepth: frame.format.bitDepth, alpha: true)
    return try await EffectRun.frame(
      ChromaKeyEffect.self, parameters, frame, output: TransitionRun.context(format, frame.size))
  }

  @Test(arguments: TransitionRun.formats)
  func keyIsTransparent_otherColorsAreOpaque(_ format: PixelFormat) async throws {
    let green = Color(red: 0, green: 1, blue: 0), skin = Color(red: 0.9, green: 0.6, blue: 0.5)
    let shadow = Color(red: 0, green: 0.85, blue: 0.05)
    let frame = try await keyed(bands([green, skin, shadow, .black, .white], format))
    let top = Double(1 << format.bitDepth) - 1
    for (band, alpha) in [0, 1, 0, 1, 1].enumerated() {
      #expect(frame.code(3, 24 * band + 12, 8) == Double(alpha) * top, "band \(band)")
    }
  }

  @Test func spill_takesTheKeyOutOfWhatStays() async throws {
    let greenish = Color(red: 0.6, green: 0.75, blue: 0.6)
    let frame = try bands([greenish], .yuv444p)
    let plain = try await keyed(frame, ["spill": .number(0)])
    let clean = try await keyed(frame, ["spill": .number(1)])
    #expect(plain.code(1, 5, 5) == frame.code(1, 5, 5))
    // All of the green is out: what is left lies across the key's direction.
    let key = try Color(red: 0, green: 1, blue: 0).codes(format: .yuv444p, attributes: TestFrames.attributes(.yuv444p))
    let towards = (clean.code(1, 5, 5) - 128) * (key[1] - 128) + (clean.code(2, 5, 5) - 128) * (key[2] - 128)
    #expect(abs(towards) / 128 < 1.5)
    #expect(clean.code(0, 5, 5) == frame.code(0, 5, 5))
  }

  @Test(arguments: TransitionRun.formats)
  func alpha_ofNoise_isTheFormula(_ format: PixelFormat) async throws {
    let frame = TestFrames.noise(format, 67, 45)
    let keyed = try await keyed(frame, ["similarity": .number(0.2), "smoothness": .number(0.3)])
    let codes = try Color(red: 0, green: 1, blue: 0).codes(format: format, attributes: TestFrames.attributes(format))
    let (scale, top) = (224 * Double(1 << (format.bitDepth - 8)), Double(1 << format.bitDepth) - 1)
    let extent = format.planeSize(1, of: frame.size)
    func chroma(_ x: Int, _ y: Int) -> Double {
      let (cx, cy) = (min(max(x, 0), extent.width - 1), min(max(y, 0), extent.height - 1))
      let (u, v) = (frame.code(1, cx, cy) - codes[1], frame.code(2, cx, cy) - codes[2])
      return min(max(((u * u + v * v).squareRoot() / scale - 0.2) / 0.3, 0), 1)
    }
    let location = frame.attributes.color.resolved(for: frame.size).chromaLocation
    let (h, v) = (format.subsampling.horizontalShift == 1, format.subsampling.verticalShift == 1)
    var worst = 0.0
    for y in 0..<45 {
      for x in 0..<67 {
        let px = h ? max((Double(x) - location.horizontalOffset) / 2, 0) : Double(x)
        let py = v ? max((Double(y) - location.verticalOffset) / 2, 0) : Double(y)
        let (cx, cy) = (Int(px), Int(py))
        let (fx, fy) = (px - Double(cx), py - Double(cy))
        let above = chroma(cx, cy) * (1 - fx) + chroma(cx + 1, cy) * fx
        let below = chroma(cx, cy + 1) * (1 - fx) + chroma(cx + 1, cy + 1) * fx
        worst = max(worst, abs(keyed.code(3, x, y) - (above * (1 - fy) + below * fy) * top))
      }
    }
    #expect(worst <= 0.6, "\(worst)")
  }

  @Test func keyWithoutColor_isRefused() async throws {
    let grey = ParameterValue.list([.number(0.5), .number(0.5), .number(0.5)])
    let frame = TestFrames.noise(.yuv420p, 16, 16)
    let error = await #expect(throws: CompositorError.self) { try await keyed(frame, ["color": grey]) }
    #expect(error?.code == .invalidParameter)
  }
}

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

  @Test func tetrahedra_areInterpolatedAsFFmpegDoes() async throws {
    guard ZScaleOracle.isAvailable else { return }
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

@Suite struct BlendAndMaskTests {
  private func run(
    _ type: any VideoCompositor.Type, _ parameters: ParameterValues, _ frames: [Frame], matte: Frame? = nil,
    _ context: RenderContext
  ) async throws -> Frame {
    var instruction = Instruction(timeRange: TestTimes.second)
    var sources: [TrackID: SourceFrame] = [:]
    for (index, frame) in (frames + [matte].compactMap { $0 }).enumerated() {
      let trackID = TrackID(index + 1)
      sources[trackID] = SourceFrame(
        trackID: trackID, frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
      if index < frames.count { instruction.layers.append(LayerInstruction(trackID: trackID)) }
    }
    if matte != nil { instruction.additionalTrackIDs = [TrackID(frames.count + 1)] }
    let request = CompositionRequest(time: .zero, instruction: instruction, sources: sources, context: context)
    return try await type.init(parameters: parameters, context: context).compose(request)
  }

  private func rgb(_ frame: Frame, _ x: Int, _ y: Int) -> [Double] {
    frame.withUnsafePlanes { planes in
      (0..<3).map {
        Double(planes[0].base.load(fromByteOffset: y * planes[0].stride + x * 8 + $0 * 2, as: UInt16.self)) / 65535
      }
    }
  }

  @Test(arguments: BlendMode.allCases) func blendMode_overNoise_isTheFormula(mode: BlendMode) async throws {
    let attributes = FrameAttributes(color: .sRGB, alphaMode: .opaque)
    let (s, b) = (
      TestFrames.noise(.rgba16, 33, 9, attributes: attributes, seed: 1),
      TestFrames.noise(.rgba16, 33, 9, attributes: attributes, seed: 2)
    )
    let context = RenderContext(
      size: PixelSize(width: 33, height: 9), outputFormat: .rgba16, outputAttributes: attributes)
    let frame = try await run(BlendModeCompositor.self, ["mode": .string(mode.rawValue)], [s, b], context)
    for y in 0..<9 {
      for x in 0..<33 {
        let exact = try #require(
          BlendFormula.blend(.init(rgb(s, x, y)), on: .init(rgb(b, x, y)), mode: mode.rawValue))
        for c in 0..<3 { #expect(abs(rgb(frame, x, y)[c] - exact.color[c]) < 1e-4, "\(mode)") }
      }
    }
  }

  static let flatFormats: [PixelFormat] = [
    .rgba, .rgba16, .yuv420p, .nv12, .yuv422p10, .yuv444p10, .planar(.s444, bitDepth: 12),
    .planar(.s444, bitDepth: 16, alpha: true),
  ]

  /// Every mode between flat frames of every kind, in the codes of the kind.
  @Test(arguments: BlendMode.allCases, flatFormats) func blendMode_ofFlatFramesInEveryFormat_isTheFormula(
    mode: BlendMode, format: PixelFormat
  ) async throws {
    let context = TransitionRun.context(format, PixelSize(width: 16, height: 8))
    let largest = Double(1 << format.bitDepth) - 1
    for (sourceColor, backdropColor) in [
      ([0.5, 0.3, 0.7], [0.8, 0.6, 0.4]), ([0.9, 0.1, 0.6], [0.2, 0.45, 0.7]), ([0.05, 0.1, 0.2], [0.95, 0.9, 0.1]),
    ] {
      let (s, b) = (FlatFrame(sourceColor, format), FlatFrame(backdropColor, format))
      let frame = try await run(BlendModeCompositor.self, ["mode": .string(mode.rawValue)], [s.frame, b.frame], context)
      let exact = try #require(BlendFormula.blend(.init(s.rgb), on: .init(b.rgb), mode: mode.rawValue))
      let found = FlatFrame(decoding: frame)
      // Half a code of rounding in each component, as R′G′B′; both frames are 16-bit R′G′B′ on the way.
      for c in 0..<3 { #expect(abs(found.rgb[c] - exact.color[c]) <= 1.6 / largest + 2.0 / 65535, "\(mode) \(format) \(c)") }
    }
  }

  @Test(arguments: ["hue", "saturation", "color", "luminosity"])
  func blendModesOfColor_keepWhatTheyName(_ mode: String) async throws {
    let attributes = FrameAttributes(color: .sRGB, alphaMode: .opaque)
    let (s, b) = (
      TestFrames.noise(.rgba16, 33, 9, attributes: attributes, seed: 1),
      TestFrames.noise(.rgba16, 33, 9, attributes: attributes, seed: 2)
    )
    let context = RenderContext(
      size: PixelSize(width: 33, height: 9), outputFormat: .rgba16, outputAttributes: attributes)
    let frame = try await run(BlendModeCompositor.self, ["mode": .string(mode)], [s, b], context)
    func luminosity(_ c: [Double]) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
    for y in 0..<9 {
      for x in 0..<33 {
        let source = mode == "luminosity" ? rgb(s, x, y) : rgb(b, x, y)
        #expect(abs(luminosity(rgb(frame, x, y)) - luminosity(source)) < 2e-4, "\(mode)")
      }
    }
  }

  @Test(arguments: TransitionRun.formats)
  func mask_showsTheFirstLayerByTheMattesLuma(_ format: PixelFormat) async throws {
    let context = TransitionRun.context(format, TransitionRun.size)
    let (top, under) = (TestFrames.noise(format, 67, 45, seed: 1), TestFrames.noise(format, 67, 45, seed: 2))
    let attributes = TestFrames.attributes(.yuv420p)
    // Black, then white, from column 34 on: on a boundary of chroma samples.
    let matte = TestFrames.make(.yuv420p, 67, 45, attributes) { plane, x, _ in
      plane == 0 ? (x < 34 ? 16.5 : 235.5) / 255 : 128.5 / 255
    }
    let masked = try await run(MaskCompositor.self, [:], [top, under], matte: matte, context)
    let inverted = try await run(MaskCompositor.self, ["inverted": .bool(true)], [top, under], matte: matte, context)
    for y in 0..<45 {
      for x in 0..<67 {
        #expect(masked.code(0, x, y) == (x < 34 ? under : top).code(0, x, y))
        #expect(inverted.code(0, x, y) == (x < 34 ? top : under).code(0, x, y))
      }
    }
    let extent = format.planeSize(1, of: context.size)
    for x in 0..<extent.width where abs((x << format.subsampling.horizontalShift) - 34) > 2 {
      let isTop = x << format.subsampling.horizontalShift > 34
      #expect(masked.code(1, x, 3) == (isTop ? top : under).code(1, x, 3))
    }
  }

  @Test func mask_ofSDR_isWhiteInHDR() async throws {
    let format = PixelFormat.yuv420p10
    var context = TransitionRun.context(format, TransitionRun.size)
    context.outputAttributes.color = .bt2100PQ
    var attributes = context.outputAttributes
    attributes.alphaMode = .opaque
    let (top, under) = (
      TestFrames.noise(format, 67, 45, attributes: attributes, seed: 1),
      TestFrames.noise(format, 67, 45, attributes: attributes, seed: 2)
    )
    let matte = TestFrames.make(.yuv420p, 67, 45, TestFrames.attributes(.yuv420p)) { plane, _, _ in
      plane == 0 ? 235.5 / 255 : 128.5 / 255
    }
    let masked = try await run(MaskCompositor.self, [:], [top, under], matte: matte, context)
    for x in 0..<67 { #expect(masked.code(0, x, 20) == top.code(0, x, 20)) }
  }

  @Test func mask_withoutAMatte_isRefused() async throws {
    let context = TransitionRun.context(.yuv420p, TransitionRun.size)
    let frame = TestFrames.noise(.yuv420p, 67, 45)
    let error = await #expect(throws: CompositorError.self) { try await run(MaskCompositor.self, [:], [frame], context) }
    #expect(error?.code == .invalidComposition)
  }
}

/// A frame of one color, and what its codes mean: R′G′B′, or BT.709's Y′CbCr of limited range by the formulas of the recommendation.
private struct FlatFrame {
  let frame: Frame
  let rgb: [Double]

  init(_ color: [Double], _ format: PixelFormat) {
    let largest = Double(1 << format.bitDepth) - 1
    let unit = Double(1 << (format.bitDepth - 8))
    let luma = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    let codes =
      format.isRGB
      ? color.map { $0 * largest } + [largest]
      : [
        (16 + 219 * luma) * unit, (128 + 224 * (color[2] - luma) / 1.8556) * unit,
        (128 + 224 * (color[0] - luma) / 1.5748) * unit, largest,
      ]
    self.init(
      decoding: TestFrames.make(format, 16, 8, TestFrames.attributes(format)) { plane, x, _ in
        let part = format.isRGB ? x % 4 : plane == 1 && format.planeCount == 2 ? 1 + x % 2 : plane
        return (codes[part].rounded() + 0.25) / largest
      })
  }

  init(decoding frame: Frame) {
    let format = frame.format
    self.frame = frame
    let unit = Double(1 << (format.bitDepth - 8))
    func code(_ plane: Int, _ x: Int) -> Double { frame.code(plane, x, 2) }
    if format.isRGB {
      rgb = (0..<3).map { code(0, 8 + $0) / (Double(1 << format.bitDepth) - 1) }
      return
    }
    let isPaired = format.planeCount == 2
    let y = (code(0, 4) / unit - 16) / 219
    let cb = (code(1, isPaired ? 4 : 2) / unit - 128) / 224
    let cr = (code(isPaired ? 1 : 2, isPaired ? 5 : 2) / unit - 128) / 224
    let (red, blue) = (y + 1.5748 * cr, y + 1.8556 * cb)
    rgb = [red, (y - 0.2126 * red - 0.0722 * blue) / 0.7152, blue]
  }
}
