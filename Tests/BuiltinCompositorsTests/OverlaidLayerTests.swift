import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import ReferenceCompositor
import Testing

private let sizes = [PixelSize(width: 161, height: 121), PixelSize(width: 34, height: 17), PixelSize(width: 1, height: 1)]
private let bases: [PixelFormat] = [.yuv420p, .yuv420p10, .yuv422p, .yuv444p]
private let fronts: [PixelFormat] = [
  .rgba, .rgba16, .planar(.s444, bitDepth: 12, alpha: true), .planar(.s420, bitDepth: 8, alpha: true),
  .planar(.s422, bitDepth: 10, alpha: true), .rgbaFloat, .nv12,
]

private func exactly(_ context: RenderContext) -> RenderContext {
  var context = context
  context.colorConversion.dithering = .none
  return context
}

/// Alpha, other formats and colors over planes: what double precision says, within 2 codes, on pictures of any codes.
@Test(arguments: bases, fronts)
func layerOverPlanes_anyFormat_followsTheReference(base: PixelFormat, front: PixelFormat) throws {
  guard base != .yuv420p || front != .nv12 else { return }
  for size in sizes {
    let context = exactly(RenderContext(size: size, outputFormat: base))
    for mode in front.hasAlpha ? [AlphaMode.straight, .premultiplied] : [.opaque] {
      guard mode != .premultiplied || front.isRGB else { continue }
      var attributes = TestFrames.attributes(front)
      attributes.alphaMode = mode
      let frames: [TrackID: Frame] = [
        1: TestFrames.noise(front, 53, 37, attributes: attributes, seed: 5),
        2: TestFrames.noise(base, size.width, size.height, seed: 6),
      ]
      for (scale, degrees, x, y) in [
        (1.0, 0.0, 0.0, 0.0), (1, 0, 17, 9), (1, 0, -20, -13), (1, 0, 4.5, 3.25), (0.4, 0, 12, 8), (1.7, 0, -4, -6),
        (0.8, 33, 60, 10),
      ] {
        let transform = AffineMatrix.scale(x: scale, y: scale).concatenating(.rotation(radians: degrees / 180 * .pi))
          .concatenating(.translation(x: x, y: y))
        let layers = [try LayerInstruction(1, opacity: 0.85, transform: transform), LayerInstruction(trackID: 2)]
        let result = try Comparison(layers, frames, context)
        // A small output is soon missed altogether.
        #expect(result.route == .planar || (size.width < 40 && result.route == .passthrough), "\(front) over \(base)")
        let place = "\(scale) \(degrees) \(x) \(y)"
        #expect(result.difference.largest <= 2, "\(front) \(mode) over \(base), \(place): \(result.difference)")
      }
    }
  }
}

/// Several layers in front, one of them in the output's own format, whose boxes touch or do not.
@Test(arguments: [8, 10])
func layersOverPlanes_touchingOrApart_followTheReference(depth: Int) throws {
  let format = PixelFormat.planar(.s420, bitDepth: depth)
  let context = exactly(RenderContext(size: PixelSize(width: 97, height: 71), outputFormat: format))
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.rgba, 30, 20, seed: 1), 2: TestFrames.noise(format, 40, 30, seed: 2),
    3: TestFrames.noise(.planar(.s444, bitDepth: 12, alpha: true), 33, 21, seed: 3),
    4: TestFrames.noise(format, 97, 71, seed: 4),
  ]
  for (x, y) in [(0.0, 0.0), (35, 20), (60, 45), (61.5, 3)] {
    let layers = [
      try LayerInstruction(1, opacity: 0.7, transform: .translation(x: x, y: y)),
      try LayerInstruction(2, opacity: 0.9, transform: .translation(x: 10, y: 31)),
      try LayerInstruction(3, transform: .translation(x: 5, y: 4)), LayerInstruction(trackID: 4),
    ]
    let result = try Comparison(layers, frames, context)
    #expect(result.route == .planar)
    #expect(result.difference.largest <= 2, "\(x), \(y): \(result.difference)")
  }
}

/// Codes beside a layer, and under an alpha of 0, are the source's own, those outside the nominal range too.
@Test func underClearAlpha_codesStay() throws {
  let size = PixelSize(width: 64, height: 48)
  let context = RenderContext(size: size)
  let under = TestFrames.noise(.yuv420p, 64, 48, seed: 3)
  let clear = TestFrames.make(.planar(.s444, bitDepth: 12, alpha: true), 64, 48, FrameAttributes(alphaMode: .straight)) {
    plane, x, y in plane < 3 ? Double((x * 7 + y * 13) % 97) / 97 : (x >= 20 && x < 30 && y >= 10 && y < 20 ? 1 : 0)
  }
  let result = try Comparison([LayerInstruction(trackID: 1), LayerInstruction(trackID: 2)], [1: clear, 2: under], context)
  #expect(result.route == .planar)
  for plane in 0..<3 {
    let shift = plane == 0 ? 0 : 1
    for y in 0..<(48 >> shift) {
      let (found, own) = (
        result.frame.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { row[$0] } },
        under.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { row[$0] } }
      )
      for x in found.indices where !(18...31).contains(x << shift) || !(8...21).contains(y << shift) {
        #expect(found[x] == own[x], "plane \(plane) at \(x), \(y)")
      }
    }
  }
}

/// A decorated layer over planes is what the general route makes of it.
@Test func decoratedLayer_overPlanes_agreesWithTheGeneralRoute() throws {
  let context = RenderContext(size: PixelSize(width: 96, height: 64))
  var look = LayerDecoration()
  (look.cornerRadius, look.borderWidth) = (7, 2)
  (look.shadowOpacity, look.shadowRadius) = (0.5, 3)
  let whole = Rect(x: 0, y: 0, width: 40, height: 30)
  let front = try #require(
    ResolvedLayer(
      frame: TestFrames.noise(.yuv420p, 40, 30, seed: 1), opacity: 0.9, sourceToOutput: .translation(x: 20, y: 16), crop: whole,
      decoration: ResolvedDecoration(look: look, aspect: 1)))
  let flat = TestFrames.make(.yuv420p, 96, 64, FrameAttributes()) { plane, _, _ in plane == 0 ? 0.4 : 0.6 }
  let under = try #require(
    ResolvedLayer(frame: flat, opacity: 1, sourceToOutput: .identity, crop: Rect(x: 0, y: 0, width: 96, height: 64)))
  let planar = try PlanarRoute.compose([front, under], [.overlaid, .asIs], background: nil, context: context)
  let general = try GeneralRoute.compose([front, under], background: nil, context: context)
  for plane in 0..<3 {
    for y in 0..<context.outputFormat.planeSize(plane, of: context.size).height {
      let (a, b) = (
        planar.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } },
        general.withRow(y, plane: plane, as: UInt8.self) { row in row.indices.map { Int(row[$0]) } }
      )
      let largest = zip(a, b).map { abs($0 - $1) }.max() ?? 0
      #expect(largest <= 1, "plane \(plane), row \(y): \(largest)")
    }
  }
}

@Test func layersOverPlanes_manyTimes_allocateNoMorePixels() throws {
  let pool = FramePool()
  let context = RenderContext(size: PixelSize(width: 160, height: 90), pool: pool)
  let frames: [TrackID: Frame] = [
    1: TestFrames.noise(.planar(.s444, bitDepth: 12, alpha: true), 64, 40), 2: TestFrames.noise(.nv12, 160, 90),
    3: TestFrames.noise(.rgba, 30, 20),
  ]
  let layers = [
    try LayerInstruction(3, transform: .scale(x: 0.7, y: 0.7)), try LayerInstruction(1, transform: .translation(x: 50, y: 20)),
    LayerInstruction(trackID: 2),
  ]
  for _ in 0..<3 { _ = try Comparison.frame(layers, frames, context) }
  let before = pool.statistics.allocations
  for _ in 0..<20 { _ = try Comparison.frame(layers, frames, context) }
  #expect(pool.statistics.allocations == before)
  #expect(pool.statistics.outstanding == 0)
}

// MARK: - Samples stored in another way

/// Any codes but the lowest, which as chroma of full range stands for less than another depth can say.
private func nominalNoise(_ format: PixelFormat, _ size: PixelSize, _ attributes: FrameAttributes, seed: UInt64) -> Frame {
  var random = SplitMix(state: seed)
  return TestFrames.make(format, size.width, size.height, attributes) { _, _, _ in Double.random(in: 0.005...1, using: &random)
  }
}

/// NV12, P010 and fewer bits below the output's, and outputs with interleaved chroma.
@Test(arguments: [PixelFormat.nv12, .p010, .yuv420p, .yuv420p10, .planar(.s420, bitDepth: 12)])
func repackedSources_followTheReference(output: PixelFormat) throws {
  for range in [ColorRange.limited, .full] {
    var color = ColorTags.bt709
    color.range = range
    let attributes = FrameAttributes(color: color)
    let sources = [PixelFormat.nv12, .p010, .yuv420p, .yuv420p10].filter { $0.bitDepth <= output.bitDepth }
    for size in sizes {
      let context = RenderContext(size: size, outputFormat: output, outputAttributes: attributes)
      for (index, source) in sources.enumerated() {
        let other = sources[(index + 1) % sources.count]
        let frames: [TrackID: Frame] = [
          1: nominalNoise(source, size, attributes, seed: 1), 2: nominalNoise(other, size, attributes, seed: 2),
        ]
        for transform in [AffineMatrix.identity, .scale(x: 0.5, y: 0.5), .translation(x: 3, y: 2)] {
          let layers = [try LayerInstruction(1, opacity: 0.6, transform: transform), LayerInstruction(trackID: 2)]
          let result = try Comparison(layers, frames, context)
          let name = "\(source) over \(other) into \(output), \(range)"
          // One pixel is soon beside another.
          #expect(result.route == .planar || (size.width == 1 && result.route == .passthrough), "\(name)")
          #expect(result.difference.largest <= (transform == .identity ? 1 : 2), "\(name): \(result.difference)")
        }
      }
    }
  }
}

/// A layer alone that only has to be stored in another way keeps its codes exactly.
@Test func repackedSource_alone_isExact() throws {
  let cases: [(PixelFormat, PixelFormat)] = [
    (.nv12, .yuv420p), (.yuv420p, .nv12), (.yuv420p, .yuv420p10), (.nv12, .p010), (.p010, .yuv420p10), (.yuv422p, .yuv422p10),
  ]
  for (from, to) in cases {
    let frame = TestFrames.noise(from, 33, 17)
    let result = try Comparison([LayerInstruction(trackID: 1)], [1: frame], RenderContext(size: frame.size, outputFormat: to))
    #expect(result.route == .planar, "\(from) to \(to)")
    #expect(result.difference.largest <= 0.0001, "\(from) to \(to): \(result.difference)")
  }
}
