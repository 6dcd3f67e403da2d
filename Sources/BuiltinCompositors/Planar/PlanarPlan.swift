import CompositorAPI
import CompositorConversion
import CompositorKernels

/// The plan for painting each plane: the visible layers back to front with their geometry, made before any pixel is read.
struct PlanarPlan {
  /// One layer of one plane.
  struct Entry {
    let layer: ResolvedLayer
    let opacity: Double
    let geometry: PlanarGeometry
  }

  /// One plane: its layers back to front, and whether they must be mixed without intermediate rounding.
  struct PlanePlan {
    let entries: [Entry]
    let isDeep: Bool
  }

  private let planes: [PlanePlan]
  private let format: PixelFormat
  private let size: PixelSize

  init(layers: [ResolvedLayer], context: RenderContext) {
    format = context.outputFormat
    size = context.size
    let shown = PlanarPlan.visible(layers, context: context)
    planes = (0..<3).map { plane in
      let entries = shown.reversed().compactMap { PlanarPlan.entry($0, plane: plane, context: context) }
      return PlanePlan(entries: entries, isDeep: PlanarRoundingBound.exceedsTolerance(entries))
    }
  }

  /// Layers front to back, down to the first that hides everything below.
  private static func visible(_ layers: [ResolvedLayer], context: RenderContext) -> [ResolvedLayer] {
    var shown: [ResolvedLayer] = []
    for layer in layers where layer.opacity > 0 {
      shown.append(layer)
      if hidesAll(layer, context: context) { break }
    }
    return shown
  }

  private static func hidesAll(_ layer: ResolvedLayer, context: RenderContext) -> Bool {
    guard layer.opacity >= 1 else { return false }
    return (0..<3).allSatisfy { plane in
      let size = context.outputFormat.planeSize(plane, of: context.size)
      return entry(layer, plane: plane, context: context)?.geometry.coversAll(of: size) ?? false
    }
  }

  private static func entry(_ layer: ResolvedLayer, plane: Int, context: RenderContext) -> Entry? {
    guard let inverse = layer.sourceToOutput.inverted, inverse.isFinite else { return nil }
    let frame = layer.frame
    let siting = ChromaSiting(context.outputFormat.subsampling, context.outputAttributes.color.chromaLocation)
    let grid = PlaneGrid(plane: plane, siting)
    let size = layer.reduction?.size ?? frame.size
    let geometry = PlanarGeometry(
      map: PlanarMap(inverse, on: grid), crop: layer.crop, frameSize: size,
      source: frame.format.planeSize(plane, of: frame.size),
      reduction: layer.reduction.map { ($0.level, frame.format.planeSize(plane, of: size)) }, scale: grid.scale,
      destination: context.outputFormat.planeSize(plane, of: context.size), filter: layer.filter)
    return geometry.map { Entry(layer: layer, opacity: min(layer.opacity, 1), geometry: $0) }
  }

  /// Bytes of scratch memory sufficient to paint any of the planes.
  var scratchByteCount: Int {
    planes.indices.map { plane in
      format.bytesPerSample == 1
        ? scratchByteCount(plane, of: UInt8.self) : scratchByteCount(plane, of: UInt16.self)
    }.max() ?? 0
  }

  private func scratchByteCount<T: PlanarSample>(_ plane: Int, of type: T.Type) -> Int {
    let width = format.planeSize(plane, of: size).width
    let plan = planes[plane]
    return plan.entries.reduce(PlanarPainter<T>.scratchByteCount(width: width, isDeep: plan.isDeep)) {
      $0 + PlanarLayer<T>.scratchByteCount($1.geometry, isDeep: plan.isDeep, bitDepth: format.bitDepth)
    }
  }

  /// Paints every plane.
  func paint(_ output: MutablePlanes, background: [Int], scratch: MutablePlane, kernels: PlaneKernels) {
    for (index, plan) in planes.enumerated() {
      withPlanes(plan.entries[...]) { sources in
        let code = background[index]
        if format.bytesPerSample == 1 {
          paint(index, output, UInt8(truncatingIfNeeded: code), sources, scratch, kernels)
        } else {
          paint(index, output, UInt16(truncatingIfNeeded: code), sources, scratch, kernels)
        }
      }
    }
  }

  private func paint<T: PlanarSample>(
    _ index: Int, _ output: MutablePlanes, _ background: T, _ sources: [Planes], _ scratch: MutablePlane,
    _ kernels: PlaneKernels
  ) {
    let plan = planes[index]
    var room = ScratchArena(scratch)
    let layers = zip(plan.entries, sources).map { entry, planes in
      PlanarLayer<T>(
        entry.geometry, plane: planes[index], opacity: entry.opacity, isDeep: plan.isDeep,
        bitDepth: format.bitDepth, scratch: &room)
    }
    var painter = PlanarPainter(
      output[index], background: background, layers: layers, isDeep: plan.isDeep, kernels: kernels, scratch: &room)
    painter.paint()
  }

  /// Borrows the planes of every entry's frame at once.
  private func withPlanes(_ entries: ArraySlice<Entry>, _ lent: [Planes] = [], _ body: ([Planes]) -> Void) {
    guard let entry = entries.first else { return body(lent) }
    entry.layer.frame.withUnsafePlanes { withPlanes(entries.dropFirst(), lent + [$0], body) }
  }
}
