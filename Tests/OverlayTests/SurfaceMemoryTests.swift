import CompositorAPI
import CompositorOverlay
import Testing

/// The memory of surfaces: used again, bounded, and without traces of what was drawn before.
struct SurfaceMemoryTests {
  private static let size = PixelSize(width: 64, height: 36)

  /// A moving box with all that makes surfaces: outer and inner shadows, filters, a mask, clipping, motion blur.
  private static var busy: Layer {
    var layer = Canvas.box(Rect(x: 4, y: 8, width: 24, height: 16), Color(red: 0.9, green: 0.4, blue: 0.2, alpha: 0.7))
    layer.sublayers = [Canvas.box(Rect(x: 14, y: 8, width: 24, height: 16), .white)]
    (layer.masksToBounds, layer.cornerRadius, layer.opacity) = (true, 4, 0.8)
    layer.shadows = [
      LayerShadow(.black, opacity: 0.6, offset: Point(x: 2.5, y: 2), radius: 1),
      LayerShadow(.white, opacity: 0.6, offset: Point(x: 1, y: 1), radius: 1, isInner: true),
    ]
    (layer.filters.blurRadius, layer.filters.glowRadius, layer.filters.glowIntensity) = (0.5, 1, 0.5)
    layer.filters.saturation = 0.6
    layer.mask = Canvas.box(Rect(x: 0, y: 0, width: 22, height: 14), .white)
    layer.animations = [
      .basic(.positionX, from: 16, to: 48, timing: LayerTiming(duration: 1, fillMode: .both))
    ]
    layer.motionBlur = MotionBlur(exposure: 0.02, samples: 3)
    return layer
  }

  /// The same below a group that fades with what it filters below it.
  private static var glass: Layer {
    var card = Canvas.box(Rect(x: 20, y: 10, width: 24, height: 16), Color(red: 1, green: 1, blue: 1, alpha: 0.2))
    var filters = LayerFilters()
    (filters.blurRadius, filters.glowRadius, filters.glowIntensity) = (1, 1, 0.4)
    card.backdropFilters = filters
    var group = Canvas.root(size, [busy, card])
    group.opacity = 0.9
    return group
  }

  private static func renderer(
    _ layer: Layer, _ format: PixelFormat = .yuv420p, _ attributes: FrameAttributes = FrameAttributes(),
    blending: BlendingSpace = .encoded, cacheByteLimit: Int = 256 << 20
  ) throws -> OverlayRenderer {
    var options = OverlayRenderer.Options()
    (options.blending, options.cacheByteLimit) = (blending, cacheByteLimit)
    return try OverlayRenderer(
      root: Canvas.root(size, [layer]), renderSize: size, outputFormat: format, attributes: attributes, options: options)
  }

  private static func draw(
    _ renderer: OverlayRenderer, _ index: Int, _ format: PixelFormat = .yuv420p,
    _ attributes: FrameAttributes = FrameAttributes()
  ) throws -> Frame {
    let frame = try Canvas.frame(size, format, attributes, color: Color(red: 0.3, green: 0.5, blue: 0.7))
    return try renderer.draw(over: frame, at: MediaTime(value: Int64(index), timescale: 30), pool: Canvas.pool)
  }

  @Test func movingLayers_allocateNoSurfaces_inTheSteadyState() throws {
    for layer in [Self.busy, Self.glass] {
      let renderer = try Self.renderer(layer)
      for index in 0..<12 { _ = try Self.draw(renderer, index) }
      let (byteCount, allocations) = renderer.surfaceStatistics
      #expect(allocations > 0 && byteCount > 0)
      for index in 12..<24 { _ = try Self.draw(renderer, index) }
      #expect(renderer.surfaceStatistics.allocations == allocations)
      #expect(renderer.surfaceStatistics.freeByteCount <= byteCount)
    }
  }

  /// Used memory holds other pictures; none of them may show. A renderer that keeps none draws the reference.
  @Test(arguments: [
    (PixelFormat.yuv420p, FrameAttributes(color: .bt709), BlendingSpace.encoded),
    (.yuv420p, FrameAttributes(color: .bt709), .linear), (.rgba16, FrameAttributes(color: .sRGB), .encoded),
    (.rgbaFloat, FrameAttributes(color: .sRGB), .encoded),
    (.rgba, FrameAttributes(color: .sRGB, alphaMode: .straight), .encoded),
  ]) func framesInAnyOrder_areThoseOfFreshMemory(
    format: PixelFormat, attributes: FrameAttributes, blending: BlendingSpace
  ) throws {
    for layer in [Self.busy, Self.glass] {
      let renderer = try Self.renderer(layer, format, attributes, blending: blending)
      for index in [3, 27, 0, 4, 3] {
        let fresh = try Self.renderer(layer, format, attributes, blending: blending, cacheByteLimit: 0)
        let expected = Canvas.bytes(try Self.draw(fresh, index, format, attributes))
        #expect(Canvas.bytes(try Self.draw(renderer, index, format, attributes)) == expected, "\(format) \(index)")
        #expect(fresh.surfaceStatistics.freeByteCount == 0)
      }
    }
  }

  @Test func framesOfManyThreads_areThoseOfOne() async throws {
    let renderer = try Self.renderer(Self.glass)
    let single = try Self.renderer(Self.glass)
    let expected = try (0..<6).map { Canvas.bytes(try Self.draw(single, $0)) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<12 {
        group.addTask { Canvas.bytes(try Self.draw(renderer, index % 6)) == expected[index % 6] }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }

  /// What a large layer needed is released once only small ones are drawn.
  @Test func memory_isThatOfTheLastFrames() throws {
    var layer = Self.busy
    layer.animations.append(
      .basic(.scale, from: 2, to: 0.1, timing: LayerTiming(duration: 1, fillMode: .both)))
    let renderer = try Self.renderer(layer)
    for index in 0..<5 { _ = try Self.draw(renderer, index) }
    let large = renderer.surfaceStatistics.freeByteCount
    for index in 0..<65 { _ = try Self.draw(renderer, 25 + index % 5) }
    let small = renderer.surfaceStatistics.freeByteCount
    #expect(small > 0 && small < large)
    // Still frames are repeated, and need no surfaces.
    for _ in 0..<65 { _ = try Self.draw(renderer, 60) }
    #expect(renderer.surfaceStatistics.freeByteCount == 0)
  }

  @Test func memory_staysWithinItsLimit() throws {
    let renderer = try Self.renderer(Self.busy, cacheByteLimit: 100_000)
    for index in 0..<8 {
      _ = try Self.draw(renderer, index)
      #expect(renderer.surfaceStatistics.freeByteCount <= 100_000)
    }
  }
}

extension Canvas {
  /// The bytes of all rows.
  fileprivate static func bytes(_ frame: Frame) -> [[UInt8]] {
    frame.withUnsafePlanes { planes in
      (0..<planes.count).flatMap { index in
        let plane = planes[index]
        let count = plane.width * frame.format.samplesPerPosition(plane: index) * frame.format.bytesPerSample
        return (0..<plane.height).map { y in
          Array(UnsafeRawBufferPointer(start: plane.base + y * plane.stride, count: count))
        }
      }
    }
  }
}
