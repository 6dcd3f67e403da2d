import CompositorAPI
import CompositorFilters
import CompositorPlugins
import CompositorMediaIO
import CompositorTestMedia
import Testing

/// libavfilter's filters as compositors and effects.
struct FilterCompositorTests {
  private static let size = PixelSize(width: 96, height: 64)

  private func compositor(
    _ id: CompositorID, _ parameters: ParameterValues, format: PixelFormat = .yuv420p
  ) throws -> any FrameComposer {
    let factory = try #require(AVFilterCompositors.factories().first { $0.descriptor.id == id })
    return try factory.makeCompositor(parameters: parameters, context: TestSurface.context(Self.size, format))
  }

  private func render(
    _ compositor: any FrameComposer, _ frames: [Frame], numbers: [Int], format: PixelFormat = .yuv420p
  ) async throws -> [Frame] {
    var made: [Frame] = []
    for number in numbers {
      let request = TestSurface.request(
        [frames[number]], number: number, of: frames.count, context: TestSurface.context(Self.size, format))
      made.append(try await compositor.compose(request))
    }
    return made
  }

  @Test(
    .enabled(if: FFmpegOracle.isAvailable, "needs ffmpeg"),
    arguments: ["gblur=sigma=3", "hflip,hue=h=90", "unsharp", "[0]split[a][b];[a]negate[c];[b][c]blend=all_expr='(A+B)/2'"])
  func graph_frameByFrame_givesTheFramesOfFFmpeg(_ graph: String) async throws {
    for format in [PixelFormat.yuv420p, .yuv420p10, .yuv444p] {
      let frames = try FFmpegOracle.pictures("testsrc2", count: 3, size: Self.size, format: format)
      let made = try await render(
        compositor("avfilter.graph", ["graph": .string(graph)], format: format), frames, numbers: [2, 0, 1], format: format)
      let expected = try FFmpegOracle.filter([frames], graph: graph)
      for (frame, number) in zip(made, [2, 0, 1]) {
        let difference = FFmpegOracle.difference(frame, expected[number])
        #expect(difference == nil, "\(graph), \(format), frame \(number)")
      }
    }
  }

  @Test(
    .enabled(if: FFmpegOracle.isAvailable, "needs ffmpeg"),
    arguments: ["tmix=frames=3", "hqdn3d", "lagfun", "noise=alls=20:allf=t"])
  func graph_inOrder_givesTheFramesOfFFmpeg(_ graph: String) async throws {
    let frames = try FFmpegOracle.pictures("testsrc2", count: 6, size: Self.size, format: .yuv420p)
    let expected = try FFmpegOracle.filter([frames], graph: graph)
    let compositor = try compositor("avfilter.graph", ["graph": .string(graph)])
    // Twice: going back begins anew.
    for _ in 0..<2 {
      let made = try await render(compositor, frames, numbers: Array(0..<6))
      for number in 0..<6 {
        let difference = FFmpegOracle.difference(made[number], expected[number])
        #expect(difference == nil, "\(graph), frame \(number)")
      }
    }
  }

  /// ffmpeg leaves the first frame out, for which there is no frame before.
  @Test(.enabled(if: FFmpegOracle.isAvailable, "needs ffmpeg"))
  func graph_filterThatComparesWithTheFrameBefore_isGivenTheFirstOneTwice() async throws {
    let frames = try FFmpegOracle.pictures("testsrc2", count: 4, size: Self.size, format: .yuv420p)
    let expected = try FFmpegOracle.filter([frames], graph: "tblend=all_mode=average")
    let made = try await render(
      compositor("avfilter.graph", ["graph": .string("tblend=all_mode=average")]), frames, numbers: [0, 1, 2, 3])
    let first = FFmpegOracle.difference(made[0], frames[0])
    #expect(first == nil)
    for number in 1..<4 {
      let difference = FFmpegOracle.difference(made[number], expected[number - 1])
      #expect(difference == nil, "frame \(number)")
    }
  }

  @Test(.enabled(if: FFmpegOracle.isAvailable, "needs ffmpeg"))
  func filter_thatKnowsRGBOnly_keepsTheColorsOfYCbCr() async throws {
    let frames = try FFmpegOracle.pictures("smptehdbars", count: 1, size: Self.size, format: .yuv444p)
    // Each component is mapped to itself, so only rounding and the limits of R′, G′, B′ are seen: a wrong matrix on the way
    // would move colors by 10 and more.
    let made = try await render(compositor("avfilter.lutrgb", [:], format: .yuv444p), frames, numbers: [0], format: .yuv444p)
    let (a, b) = ([UInt8](FFmpegOracle.bytes(of: made[0])), [UInt8](FFmpegOracle.bytes(of: frames[0])))
    let count = Self.size.width * Self.size.height
    func color(_ bytes: [UInt8], _ place: Int) -> SIMD3<Double> {
      SIMD3(Double(bytes[place]), Double(bytes[place + count]), Double(bytes[place + 2 * count]))
    }
    // Half a code of R′, G′ and B′ is at most 0.44 of a code of Y′, Cb or Cr; the result is rounded by half a code.
    let worst = (0..<count).map { place in
      let difference = color(a, place) - FilterCompositorTests.limitedToRGB(color(b, place))
      return max(abs(difference.x), abs(difference.y), abs(difference.z))
    }
    #expect((worst.max() ?? .infinity) <= 0.95)
  }

  /// Codes of BT.709 in limited range, with R′, G′, B′ limited to 0 … 1.
  private static func limitedToRGB(_ codes: SIMD3<Double>) -> SIMD3<Double> {
    let (y, cb, cr) = ((codes.x - 16) / 219, (codes.y - 128) / 224, (codes.z - 128) / 224)
    let (r, b) = (y + 1.5748 * cr, y + 1.8556 * cb)
    let g = (y - 0.2126 * r - 0.0722 * b) / 0.7152
    let rgb = SIMD3(r, g, b).clamped(lowerBound: .zero, upperBound: .one)
    let luma = 0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z
    return SIMD3(16 + 219 * luma, 128 + 224 * (rgb.z - luma) / 1.8556, 128 + 224 * (rgb.x - luma) / 1.5748)
  }

  /// Beyond white and below black, to more than 16 bits: nothing on the way is made of integers.
  @Test func filter_onFloat_keepsWhatIsBeyondWhite() async throws {
    let colors: [Float] = [4.000123, -0.25, 0.5000001, 1]
    var frame = MutableFrame(format: .rgbaFloat, size: Self.size, attributes: TestSurface.attributes(.rgbaFloat))
    frame.withUnsafeMutablePlanes { planes in
      for y in 0..<Self.size.height {
        let row = (planes[0].base + y * planes[0].stride).assumingMemoryBound(to: Float.self)
        for x in 0..<Self.size.width * 4 { row[x] = colors[x % 4] }
      }
    }
    let source = frame.freeze()
    let flipped = try await render(
      compositor("avfilter.hflip", [:], format: .rgbaFloat), [source], numbers: [0], format: .rgbaFloat)
    let same = FFmpegOracle.difference(flipped[0], source)
    #expect(same == nil)
    let blur = try compositor("avfilter.gblur", ["sigma": .number(3)], format: .rgbaFloat)
    let blurred = try await render(blur, [source], numbers: [0], format: .rgbaFloat)
    blurred[0].withRow(20, as: Float.self) { row in
      for component in 0..<3 { #expect(abs(row[40 * 4 + component] - colors[component]) < 1e-4) }
    }
  }

  @Test func filter_expressionWithCommasAndQuotes_survivesTheNotation() async throws {
    let frame = MutableFrame(format: .yuv420p, size: Self.size).freeze()
    let compositor = try compositor(
      "avfilter.geq", ["lum_expr": .string("if(gt(X,10),200,16)"), "cb_expr": .string("128"), "cr_expr": .string("128")])
    let made = try await render(compositor, [frame], numbers: [0])
    made[0].withRow(5, as: UInt8.self) { row in
      #expect(row[10] == 16)
      #expect(row[11] == 200)
    }
  }

  private static let badParameters: [(String, ParameterValues, String)] = [
    ("avfilter.hue", ["h": ParameterValue.string("n*10")], "counts frames"),
    ("avfilter.graph", ["graph": .string("gblur=sigma=banana")], "cannot be built"),
    ("avfilter.graph", ["graph": .string("nosuchfilter")], "cannot be built"),
    ("avfilter.graph", ["graph": .string("split")], "cannot be built"),
    ("avfilter.graph", ["graph": .string("movie=/etc/passwd")], "opens files"),
  ]

  @Test(arguments: badParameters)
  func filter_badParameters_areRefusedWithWords(_ id: String, _ parameters: ParameterValues, _ words: String) throws {
    let error = #expect(throws: CompositorError.self) { try compositor(CompositorID(rawValue: id), parameters) }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(error?.code == .invalidParameter || error?.code == .sourceRefused)
  }

  @Test func graph_thatChangesSizeOrWaits_isRefusedAtTheRequest() async throws {
    let frame = MutableFrame(format: .yuv420p, size: Self.size).freeze()
    for (graph, words) in [("transpose", "64x96"), ("yadif", "no frame"), ("fps=5", "no frame")] {
      let compositor = try compositor("avfilter.graph", ["graph": .string(graph)])
      let error = await #expect(throws: CompositorError.self) {
        _ = try await render(compositor, [frame, frame], numbers: [0, 1])
      }
      #expect(error?.message.contains(words) == true, "\(graph): \(String(describing: error))")
      #expect(error?.location.time != nil && error?.location.instruction == 0)
    }
  }

  @Test func descriptors_haveSchemasAndNoFiles() throws {
    let factories = AVFilterCompositors.factories()
    #expect(factories.count > 100)
    let blur = try #require(factories.first { $0.descriptor.id == "avfilter.gblur" }?.descriptor)
    let sigma = try #require(blur.parameters.first { $0.key == "sigma" })
    #expect(sigma.kind == .number(minimum: 0, maximum: 1024, unit: ""))
    #expect(sigma.defaultValue == .number(0.5))
    #expect(blur.concurrency == .concurrent)
    let fade = try #require(factories.first { $0.descriptor.id == "avfilter.xfade" }?.descriptor)
    #expect(fade.role == .transition)
    #expect(fade.parameters.map(\.key) == ["transition", "expr"])
    for descriptor in factories.map(\.descriptor) {
      let ids: [CompositorID] = ["avfilter.movie", "avfilter.lut3d", "avfilter.frei0r", "avfilter.subtitles", "avfilter.zmq"]
      #expect(!ids.contains(descriptor.id))
      #expect(!descriptor.parameters.contains { ["psfile", "stats_file", "filename", "textfile"].contains($0.key) })
    }
  }
}
