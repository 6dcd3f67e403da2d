import CompositorAPI
import CompositorConversion
import CompositorKernels

/// The plan for painting each plane: layers back to front, from the highest that hides the others, with their geometry, made
/// before any pixel is read.
struct PlanarPlan {
  /// One layer of one plane.
  struct Entry {
    let layer: ResolvedLayer
    let geometry: PlanarGeometry
    /// The filtered rows of a still, if they are kept.
    var kept: Frame?
  }

  /// The planes that an entry is painted from.
  private struct Source {
    let plane: Plane
    let kept: Plane?
  }

  /// One plane: its layers back to front, and whether they must be mixed without intermediate rounding.
  struct PlanePlan {
    var entries: [Entry]
    let isDeep: Bool
  }

  private let planes: [PlanePlan]
  private let context: RenderContext
  private let stills: StillLayers
  private let format: PixelFormat
  private let size: PixelSize

  /// - Parameter layers: Front to back.
  init(layers: [ResolvedLayer], context: RenderContext, stills: StillLayers) {
    self.context = context
    self.stills = stills
    format = context.outputFormat
    size = context.size
    var planes = [[Entry]](repeating: [], count: 3)
    for (index, layer) in layers.enumerated() {
      // Upright ones that do are the last of the layers; only the geometry shows what a turned one hides.
      var hidesOthers = layer.opacity >= 1 && index < layers.count - 1
      for plane in planes.indices {
        guard let entry = PlanarPlan.entry(layer, plane: plane, context: context) else {
          hidesOthers = false
          continue
        }
        hidesOthers = hidesOthers && entry.geometry.coversAll(of: format.planeSize(plane, of: size))
        planes[plane].append(entry)
      }
      if hidesOthers { break }
    }
    self.planes = planes.map { entries in
      let entries = Array(entries.reversed())
      return PlanePlan(entries: entries, isDeep: PlanarRoundingBound.exceedsTolerance(entries))
    }
  }

  private static func entry(_ layer: ResolvedLayer, plane: Int, context: RenderContext) -> Entry? {
    let frame = layer.frame
    let siting = ChromaSiting(context.outputFormat.subsampling, context.outputAttributes.color.chromaLocation)
    let grid = PlaneGrid(plane: plane, siting)
    let size = layer.reduction?.size ?? frame.size
    let geometry = PlanarGeometry(
      map: PlanarMap(layer.outputToSource, on: grid), crop: layer.crop, frameSize: size,
      source: frame.format.planeSize(plane, of: frame.size),
      reduction: layer.reduction.map { ($0.level, frame.format.planeSize(plane, of: size)) }, scale: grid.scale,
      destination: context.outputFormat.planeSize(plane, of: context.size), filter: layer.filter)
    return geometry.map { Entry(layer: layer, geometry: $0) }
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
    for (index, code) in zip(planes.indices, background) {
      if format.bytesPerSample == 1 {
        paint(index, output, UInt8(truncatingIfNeeded: code), scratch, kernels)
      } else {
        paint(index, output, UInt16(truncatingIfNeeded: code), scratch, kernels)
      }
    }
  }

  private func paint<T: PlanarSample>(
    _ index: Int, _ output: MutablePlanes, _ background: T, _ scratch: MutablePlane, _ kernels: PlaneKernels
  ) {
    var plan = planes[index]
    for entry in plan.entries.indices {
      plan.entries[entry].kept = kept(plan.entries[entry], T.self, plane: index, isDeep: plan.isDeep, scratch, kernels)
    }
    withPlanes(plan.entries[...], plane: index) { sources in
      var room = ScratchArena(scratch)
      let layers = zip(plan.entries, sources).map { entry, source in
        PlanarLayer<T>(
          entry.geometry, plane: source.plane, kept: source.kept, opacity: entry.layer.opacity, isDeep: plan.isDeep,
          bitDepth: format.bitDepth, scratch: &room)
      }
      // Layers that hide all of the plane are the lowest of the plan; others may hide rows of it.
      let hiding = layers.map { $0.hidingRows(width: output[index].width) }
      var painter = PlanarPainter(
        output[index], background: background, layers: layers, hiding: hiding, isDeep: plan.isDeep, kernels: kernels,
        scratch: &room)
      painter.paint()
    }
  }

  /// The filtered rows of a still that keeps its place: known from an earlier frame, or made now if that frame needed them, too.
  private func kept<T: PlanarSample>(
    _ entry: Entry, _ type: T.Type, plane: Int, isDeep: Bool, _ scratch: MutablePlane, _ kernels: PlaneKernels
  ) -> Frame? {
    guard PlanarLayer<T>.samplingMode(entry.geometry, isDeep: isDeep, bitDepth: format.bitDepth) == .filtered,
      let key = StillLayers.PlaneKey(entry.layer, plane: plane, context: context)
    else { return nil }
    switch stills.planes.request(key, of: [entry.layer.frame]) {
    case .unknown: return nil
    case .known(let frame): return frame
    case .repeated:
      let frame = entry.layer.frame.withUnsafePlanes { source in
        var room = ScratchArena(scratch)
        return FilteredRows<T>.frame(
          of: source[plane], entry.geometry, bitDepth: format.bitDepth, scratch: &room, kernels: kernels)
      }
      if let frame { stills.planes.keep(frame, byteCount: frame.format.byteCount(of: frame.size), for: key) }
      return frame
    }
  }

  /// Borrows a plane of every entry's frames at once.
  private func withPlanes(
    _ entries: ArraySlice<Entry>, plane: Int, _ lent: [Source] = [], _ body: ([Source]) -> Void
  ) {
    guard let entry = entries.first else { return body(lent) }
    entry.layer.frame.withUnsafePlanes { source in
      func lend(_ kept: Plane?) {
        withPlanes(entries.dropFirst(), plane: plane, lent + [Source(plane: source[plane], kept: kept)], body)
      }
      if let kept = entry.kept { kept.withUnsafePlanes { lend($0[0]) } } else { lend(nil) }
    }
  }
}
