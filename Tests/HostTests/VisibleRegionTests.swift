import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorPlugins
import CompositorTestMedia
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Synchronization
import Testing

/// A pattern without flat areas.
private struct Noise: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.noise", name: "Noise") { $0.role = .effect }
  init(parameters: ParameterValues, context: RenderContext) throws {}
  func compose(_ request: CompositionRequest) throws -> Frame {
    var output = try request.context.makeFrame()
    output.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        for y in 0..<planes[index].height {
          for x in 0..<planes[index].width {
            let code = UInt8(16 + (x * x * 7 + y * y * 131 + x * y * 29 + index * 53) % 220)
            planes[index].base.storeBytes(of: code, toByteOffset: y * planes[index].stride + x, as: UInt8.self)
          }
        }
      }
    }
    return output.freeze()
  }
}

@Suite struct VisibleRegionTests {
  private typealias Place = (inout LayerInstruction) throws -> Void
  private static let size = PixelSize(width: 318, height: 178)
  private static let canvas = PixelSize(width: 90, height: 160)

  /// The frames of a layer after noise and a blur.
  ///
  /// - Parameter whole: Whether a last effect without effect stands behind the blur, so that all of the blur is made.
  private func frames(
    sigma: Double, whole: Bool, sampling: SamplingQuality?, place: Place
  ) async throws -> [UInt64] {
    var edit = TestEdit()
    edit.size = Self.canvas
    edit.catalog.provide(MemoryMedia(size: Self.size), as: "a")
    try edit.registry.register(Noise.self)
    let track = try edit.addTrack([("a", .seconds(0, 1), .seconds(0, 1))])
    var layer = LayerInstruction(trackID: track)
    layer.sampling = sampling
    let blur = { EffectReference("builtin.gaussian-blur", parameters: ["radius": .number($0)]) }
    layer.effects = [EffectReference("test.noise"), blur(sigma)] + (whole ? [blur(0)] : [])
    try place(&layer)
    edit.instructions = [Instruction(timeRange: .seconds(0, 1), layers: [layer])]
    let plan = try RenderPlan(edit.validated())
    let pipeline = try FrameScheduler(plan, settings: RenderSettings(threadCount: 1))
    let frames = Mutex<[UInt64]>([])
    try await pipeline.render(0..<3) { rendered in frames.withLock { $0.append(rendered.frame.sampleHash) } }
    return frames.withLock { $0 }
  }

  /// Only the visible part of a layer is blurred, and nothing of that can be seen.
  @Test(arguments: [SamplingQuality.fast, .good, .best], [1.5, 4, 12])
  func blur_ofALayerPartlyOffTheCanvas_isThatOfItsWholeFrame(sampling: SamplingQuality, sigma: Double) async throws {
    for (turn, center) in [(0.0, Point(x: 7.25, y: 151)), (90, Point(x: 80, y: 20.5)), (17, Point(x: 45, y: 80))] {
      for scale in [0.3, 0.9, 1, 2.4] {
        let matrix = AffineMatrix.translation(x: -159, y: -89).concatenating(.rotation(radians: turn * .pi / 180))
          .concatenating(.scale(x: scale, y: scale)).concatenating(.translation(x: center.x, y: center.y))
        let place: Place = { layer in try layer.transform.set(matrix, at: .zero) }
        let part = try await frames(sigma: sigma, whole: false, sampling: sampling, place: place)
        let whole = try await frames(sigma: sigma, whole: true, sampling: sampling, place: place)
        #expect(part == whole, "\(turn)° \(scale) \(matrix)")
      }
    }
  }

  @Test func blur_underACropAShadowOrAMove_isThatOfItsWholeFrame() async throws {
    let places: [Place] = [
      { try $0.crop.set(Rect(x: 101, y: 33, width: 57, height: 49), at: .zero) },
      {
        var look = LayerDecoration()
        (look.shadowOpacity, look.shadowRadius, look.shadowOffset) = (1, 20, Point(x: -30, y: 10))
        $0.decoration = PropertyTimeline(default: look)
        try $0.transform.set(.translation(x: 70, y: -20), at: .zero)
      },
      {
        try $0.transform.setRamp(
          from: .translation(x: -250, y: 3), to: AffineMatrix.scale(x: 2, y: 2).concatenating(.translation(x: 30, y: -9)),
          timeRange: .seconds(0, 1))
      },
    ]
    for place in places {
      let part = try await frames(sigma: 6, whole: false, sampling: nil, place: place)
      #expect(try await part == frames(sigma: 6, whole: true, sampling: nil, place: place))
    }
  }
}
