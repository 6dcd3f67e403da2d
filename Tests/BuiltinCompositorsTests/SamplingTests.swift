import BuiltinCompositors
import CompositorAPI
import ReferenceCompositor
import Testing

private let size = PixelSize(width: 97, height: 61)
private let planarFormats = [ChromaSubsampling.s420, .s422, .s444].flatMap { subsampling in
  [8, 10, 12, 16].map { PixelFormat.planar(subsampling, bitDepth: $0) }
}

/// A picture's scale and where its corner comes to.
private let places: [(scale: Size, x: Double, y: Double)] = [
  (Size(width: 0.5, height: 0.5), 0, 0), (Size(width: 1.0 / 3, height: 0.25), 12, 7.5), (Size(width: 2, height: 2), -20, -31),
  (Size(width: 1.37, height: 0.83), 4.25, 3), (Size(width: 1, height: 1), 0.5, 0.25), (Size(width: 1, height: 1), 3, 4),
  (Size(width: -0.7, height: 1.5), 90, -9), (Size(width: 0.03, height: 0.02), 40, 30), (Size(width: 11, height: 9), -300, -100),
  (Size(width: 0.01, height: 0.5), 40, 3),
]

private func matrix(_ place: (scale: Size, x: Double, y: Double)) -> AffineMatrix {
  AffineMatrix.scale(x: place.scale.width, y: place.scale.height).concatenating(.translation(x: place.x, y: place.y))
}

/// What a format may be off, in codes of 8, 10, 12 or 16 bits: weights in fixed point count more where codes are finer.
private func bound(_ format: PixelFormat) -> Double { format.bitDepth == 12 ? 1.4 : 1.2 }

@Suite struct SamplingTests {
  @Test(arguments: planarFormats, [SamplingQuality.good, .best])
  func heldScale_ofPlanarLayers_isTheReference(format: PixelFormat, quality: SamplingQuality) throws {
    let context = RenderContext(size: size, outputFormat: format)
    let frames: [TrackID: Frame] = [1: TestFrames.noise(format, 83, 57, seed: 4), 2: TestFrames.noise(format, 97, 61, seed: 5)]
    for (index, place) in places.enumerated() {
      for opacity in index % 2 == 0 ? [1, 0.6] : [0.6] {
        var top = try LayerInstruction(
          1, opacity: opacity, transform: matrix(place), crop: Rect(x: 3.3, y: 2, width: 75.25, height: 51.5))
        top.sampling = quality == .good ? nil : quality
        let result = try Comparison([top, LayerInstruction(trackID: 2)], frames, context)
        #expect(result.route == .planar)
        #expect(result.difference.largest <= bound(format), "\(place) \(opacity): \(result.difference)")
      }
    }
  }

  /// Layers that hide all of some rows: resampled or not, opaque or not, on top or in between, over a layer that is resampled or turned.
  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .yuv444p, .planar(.s422, bitDepth: 16)])
  func layersThatHideRows_areTheReference(format: PixelFormat) throws {
    let size = PixelSize(width: 66, height: 173)
    let context = RenderContext(size: size, outputFormat: format)
    let frames: [TrackID: Frame] = [
      1: TestFrames.noise(format, 132, 90, seed: 4), 2: TestFrames.noise(format, 66, 48, seed: 5),
      3: TestFrames.noise(format, 50, 40, seed: 6),
    ]
    let below: [AffineMatrix] = [
      .scale(x: 1.4, y: 4.5), .scale(x: 1.6, y: 2), AffineMatrix.rotation(radians: 0.2).concatenating(.scale(x: 1.8, y: 4)),
    ]
    // Reduced to the canvas's width, unchanged, and wider than the canvas; from even and odd rows, beyond an edge.
    let bands: [(track: TrackID, transform: AffineMatrix)] = [
      (1, AffineMatrix.scale(x: 0.5, y: 0.5).concatenating(.translation(x: 0, y: 63))),
      (1, AffineMatrix.scale(x: 0.5, y: 0.75).concatenating(.translation(x: 0, y: 30.5))),
      (2, .translation(x: 0, y: 70)), (2, .translation(x: 0, y: -10)), (1, .translation(x: -21, y: 101)),
      (1, AffineMatrix.scale(x: 0.6, y: 3).concatenating(.translation(x: -3, y: -20))),
    ]
    for transform in below {
      let bottom = try LayerInstruction(3, transform: transform)
      for (track, place) in bands {
        for opacity in [1, 0.7] {
          let band = try LayerInstruction(track, opacity: opacity, transform: place)
          let corner = try LayerInstruction(3, opacity: 0.5, transform: .translation(x: 9, y: 80))
          for layers in [[band, bottom], [corner, band, bottom]] {
            let result = try Comparison(layers, frames, context)
            #expect(result.route == .planar)
            #expect(result.difference.largest <= 1.6, "\(transform) \(track) \(place) \(opacity): \(result.difference)")
          }
        }
      }
    }
  }

  @Test(arguments: [PixelFormat.yuv420p, .yuv420p10, .yuv444p, .yuv422p10])
  func turnedPictures_atBest_areTheReference(format: PixelFormat) throws {
    var context = RenderContext(size: size, outputFormat: format)
    context.sampling = .best
    let frames: [TrackID: Frame] = [1: TestFrames.noise(format, 83, 57, seed: 4), 2: TestFrames.noise(format, 97, 61, seed: 5)]
    for (scale, degrees) in [(0.4, 11.0), (1, 45), (2.3, 90), (0.13, -20)] {
      let turned = AffineMatrix.translation(x: -41, y: -28).concatenating(.scale(x: scale, y: scale * 0.9))
        .concatenating(.rotation(radians: degrees / 180 * .pi)).concatenating(.translation(x: 50, y: 30))
      let layers = [try LayerInstruction(1, opacity: 0.8, transform: turned), LayerInstruction(trackID: 2)]
      let result = try Comparison(layers, frames, context)
      #expect(result.route == .planar)
      #expect(result.difference.largest <= 1.6, "\(scale) \(degrees): \(result.difference)")
    }
  }

  @Test(arguments: [PixelFormat.rgba, .rgba16, .nv12, .yuv420p10, .rgbaFloat], [SamplingQuality.good, .best])
  func everyFormat_throughTheGeneralRoute_isTheReference(format: PixelFormat, quality: SamplingQuality) throws {
    let attributes = format.hasAlpha ? FrameAttributes(color: .sRGB, alphaMode: .straight) : FrameAttributes()
    var context = RenderContext(size: size, outputFormat: .planar(.s444, bitDepth: 16))
    context.sampling = quality
    let frame = TestFrames.noise(format, 83, 57, attributes: attributes, seed: 3)
    var turned = places.map(matrix)
    turned.append(AffineMatrix.rotation(radians: 0.3).concatenating(.scale(x: 0.6, y: 0.7)))
    for transform in turned {
      let layer = try LayerInstruction(
        1, opacity: 0.9, transform: transform, crop: Rect(x: 3.3, y: 2, width: 75.25, height: 51.5))
      let result = try Comparison([layer], [1: frame], background: Color(red: 0.2, green: 0.5, blue: 0.4), context)
      #expect(result.route == .general)
      // Single precision in 16 bits.
      #expect(result.difference.largest <= 6, "\(transform): \(result.difference)")
    }
  }

  @Test(arguments: [ChromaLocation.left, .center, .topLeft, .top], [8, 10])
  func chromaSites_followTheReference(location: ChromaLocation, depth: Int) throws {
    var color = ColorTags.bt709
    color.chromaLocation = location
    let format = PixelFormat.planar(.s420, bitDepth: depth)
    let context = RenderContext(size: size, outputFormat: format, outputAttributes: FrameAttributes(color: color))
    let frames = [TrackID(1): TestFrames.noise(format, 83, 57, attributes: FrameAttributes(color: color), seed: 9)]
    for place in places {
      let result = try Comparison([try LayerInstruction(1, transform: matrix(place))], frames, context)
      #expect(result.difference.largest <= 1.2, "\(place): \(result.difference)")
    }
  }

  @Test func samplesOnSamples_areCopied() throws {
    for depth in [8, 10, 16] {
      let format = PixelFormat.planar(.s444, bitDepth: depth)
      let frame = TestFrames.noise(format, 97, 61, seed: 2)
      for quality in SamplingQuality.allCases {
        var context = RenderContext(size: size, outputFormat: format)
        context.sampling = quality
        let moved = try Comparison([try LayerInstruction(1, transform: .translation(x: 5, y: -7))], [1: frame], context)
        #expect(moved.difference.largest < 1e-6)
        // Mirrored, so that it goes through the filter: still every sample is one of the source.
        let mirror = AffineMatrix.scale(x: -1, y: 1).concatenating(.translation(x: 97, y: 0))
        let mirrored = try Comparison([try LayerInstruction(1, transform: mirror)], [1: frame], context)
        #expect(mirrored.difference.largest < 1e-6, "\(depth) \(quality): \(mirrored.difference)")
      }
    }
  }

  @Test func quality_isTheLayersThenTheContexts_andFastForDraftsAndWhatGrows() throws {
    let format = PixelFormat.yuv420p
    let frame = TestFrames.noise(format, 83, 57, seed: 7)
    func compose(_ layer: LayerInstruction, _ change: (inout RenderContext) -> Void = { _ in }) throws -> [UInt8] {
      var context = RenderContext(size: size, outputFormat: format)
      change(&context)
      return try Comparison.frame([layer], [1: frame], context).withRow(20, as: UInt8.self) { row in row.indices.map { row[$0] }
      }
    }
    let held = try LayerInstruction(1, transform: .scale(x: 0.6, y: 0.6))
    func named(_ quality: SamplingQuality) -> LayerInstruction {
      var layer = held
      layer.sampling = quality
      return layer
    }
    let (fast, good, best) = (try compose(named(.fast)), try compose(named(.good)), try compose(named(.best)))
    #expect(try compose(held) == good && fast != good)
    #expect(try compose(held) { $0.sampling = .fast } == fast)
    #expect(try compose(named(.good)) { $0.sampling = .fast } == good)
    #expect(try compose(named(.best)) { $0.quality = .draft } == fast)
    #expect(good == best, "both reduce by the same kernel")
    var growing = LayerInstruction(trackID: 1)
    try growing.transform.setRamp(from: .scale(x: 0.6, y: 0.6), to: .scale(x: 0.7, y: 0.7), timeRange: TestTimes.second)
    #expect(try compose(growing) == fast)
    var moving = LayerInstruction(trackID: 1)
    let away = AffineMatrix.scale(x: 0.6, y: 0.6).concatenating(.translation(x: 30, y: 0))
    try moving.transform.setRamp(from: .scale(x: 0.6, y: 0.6), to: away, timeRange: TestTimes.second)
    #expect(try compose(moving) == good)
  }

  @Test func borders_ofFlatPictures_neitherDarkenNorRing() throws {
    let format = PixelFormat.yuv420p
    let context = RenderContext(size: size, outputFormat: format)
    let white = try RenderContext(size: PixelSize(width: 83, height: 57), outputFormat: format).makeFrame(filledWith: .white)
    for place in places {
      let transform = matrix(place)
      let frame = try Comparison.frame([try LayerInstruction(1, transform: transform)], [1: white], context)
      for y in 0..<size.height {
        frame.withRow(y, as: UInt8.self) { row in
          for x in 0..<size.width { #expect((16...235).contains(row[x]), "\(place) \(x) \(y)") }
        }
      }
    }
  }

  @Test func alphaEdges_ofFlatColors_leaveNoLine() throws {
    let context = RenderContext(size: size, outputFormat: .rgba, outputAttributes: FrameAttributes(color: .sRGB))
    // A gray disk on nothing.
    let attributes = FrameAttributes(color: .sRGB, alphaMode: .straight)
    let disk = TestFrames.make(.rgba, 80, 60, attributes) { _, x, y in
      let (dx, dy) = (Double(x / 4) - 40, Double(y) - 30)
      return x % 4 == 3 ? (dx * dx + dy * dy < 400 ? 1 : 0) : 0.5 + 1e-6
    }
    for scale in [0.5, 0.7, 1.6, 3] {
      let layer = try LayerInstruction(1, transform: .scale(x: scale, y: scale))
      let frame = try Comparison.frame([layer], [1: disk], context)
      for y in 0..<size.height {
        frame.withRow(y, as: UInt8.self) { row in
          for x in 0..<size.width { #expect(row[4 * x] <= 128, "\(scale) \(x) \(y): brighter than the disk") }
        }
      }
    }
  }

  @Test func steadyState_ofHeldScales_allocatesNoPixelMemory() throws {
    let context = RenderContext(size: size, outputFormat: .yuv420p)
    let frames = [TrackID(1): TestFrames.noise(.yuv420p, 83, 57)]
    let layer = try LayerInstruction(1, opacity: 0.7, transform: matrix(places[1]))
    _ = try Comparison.frame([layer], frames, context)
    let before = context.pool.statistics.allocations
    for _ in 0..<20 { _ = try Comparison.frame([layer], frames, context) }
    #expect(context.pool.statistics.allocations == before)
  }
}
