import BuiltinCompositors
import CompositorAPI
import CompositorTestSupport
import Testing

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

  /// The colors of frames that lie closer together than in BT.709, and in which it is the key that is transparent alone.
  static let wideColors: [(name: String, tags: ColorTags)] = [
    ("HLG", ColorTags(primaries: .bt2020, transfer: .hlg, matrix: .bt2020, range: .limited)),
    ("PQ", ColorTags(primaries: .bt2020, transfer: .pq, matrix: .bt2020, range: .limited)),
    ("HLG, full range", ColorTags(primaries: .bt2020, transfer: .hlg, matrix: .bt2020, range: .full)),
    ("BT.2020", ColorTags(primaries: .bt2020, transfer: .bt2020_10, matrix: .bt2020, range: .limited)),
    ("P3", ColorTags(primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .limited)),
    ("BT.709", ColorTags.bt709),
  ]
  static let screens: [(name: String, color: Color)] = [
    ("green screen", Color(red: 0, green: 0xb1 / 255, blue: 0x40 / 255)), ("green", Color(red: 0, green: 1, blue: 0)),
    ("blue screen", Color(red: 0, green: 0x47 / 255, blue: 0xbb / 255)),
  ]

  @Test(arguments: wideColors.indices, screens.indices)
  func keyInWideColors_leavesPresentersOpaque(_ color: Int, _ screen: Int) async throws {
    let (name, tags) = Self.wideColors[color]
    let key = Self.screens[screen].color
    let presenter = [
      .white, .black, Color(red: 0.5, green: 0.5, blue: 0.5), Color(red: 0.9, green: 0.7, blue: 0.6),
      Color(red: 0.45, green: 0.3, blue: 0.22), Color(red: 0.8, green: 0.1, blue: 0.1),
      Color(red: 0.95, green: 0.85, blue: 0.1),
      Color(red: 1, green: 0.5, blue: 0.7),
    ]
    let shaded = Color(red: key.red * 0.95, green: key.green * 0.95, blue: key.blue * 0.95)
    for format in [PixelFormat.yuv420p10, .yuv444p10] {
      var attributes = FrameAttributes(color: tags)
      attributes.alphaMode = .opaque
      let codes = try ([key, shaded] + presenter).map { try $0.codes(format: format, attributes: attributes) }
      let frame = TestFrames.make(format, 24 * codes.count, 16, attributes) { plane, x, _ in
        (codes[x / (plane == 0 ? 24 : 24 >> format.subsampling.horizontalShift)][plane] + 0.5) / 1023
      }
      let output = PixelFormat.planar(format.subsampling, bitDepth: 10, alpha: true)
      var straight = attributes
      straight.alphaMode = .straight
      let keyed = try await EffectRun.frame(
        ChromaKeyEffect.self, ["color": .list([.number(key.red), .number(key.green), .number(key.blue)])], frame,
        output: RenderContext(size: frame.size, outputFormat: output, outputAttributes: straight))
      for band in codes.indices {
        let alpha = keyed.code(3, 24 * band + 12, 8) / 1023
        #expect(alpha == (band < 2 ? 0 : 1), "\(name), \(Self.screens[screen].name), band \(band), \(format)")
      }
    }
  }

  @Test func keyInCameraLog_isRefusedWithAWay() async throws {
    var attributes = FrameAttributes(color: ColorTags(primaries: .sGamut3Cine, transfer: .sLog3, matrix: .bt709, range: .full))
    attributes.alphaMode = .opaque
    let frame = TestFrames.make(.yuv444p10, 16, 16, attributes) { _, _, _ in 0.4 }
    var straight = attributes
    straight.alphaMode = .straight
    let output = RenderContext(
      size: frame.size, outputFormat: .planar(.s444, bitDepth: 10, alpha: true), outputAttributes: straight)
    let error = await #expect(throws: CompositorError.self) {
      try await EffectRun.frame(ChromaKeyEffect.self, [:], frame, output: output)
    }
    #expect(
      error?.code == .conversionNotPossible && error?.recoverySuggestion?.contains("hlg") == true,
      "\(String(describing: error))")
  }

  @Test func keyWithoutColor_isRefused() async throws {
    let grey = ParameterValue.list([.number(0.5), .number(0.5), .number(0.5)])
    let frame = TestFrames.noise(.yuv420p, 16, 16)
    let error = await #expect(throws: CompositorError.self) { try await keyed(frame, ["color": grey]) }
    #expect(error?.code == .invalidParameter)
  }
}
