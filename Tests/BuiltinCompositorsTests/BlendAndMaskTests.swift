import BuiltinCompositors
import CompositorAPI
import CompositorTestSupport
import Foundation
import Testing

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
