import CCompositorKernels
import CompositorAPI
import CompositorConversion
import CompositorKernels

/// A run of samples of a mask's row: `count` of them, `step` pixels apart, the first at (`x`, `y`).
struct MaskRun {
  var x: Double
  var y: Double
  var step: Double
  var count: Int
}

/// The mask between two frames. A value, made for one frame.
protocol TransitionMask {
  /// The distance in pixels of a position inside the incoming clip's part; negative outside. Along a row it changes by at
  /// most one pixel per pixel.
  func depth(x: Double, y: Double) -> Double
  /// The largest change of depth from one pixel of a row to the next, 0 … 1.
  var steepness: Double { get }
  /// The width in pixels of the soft edge, at least 1, centered on depth 0.
  var feather: Double { get }
  /// Writes weights for a run: 0 at a depth of −feather / 2, full at feather / 2.
  func weigh(_ run: MaskRun, into weights: UnsafeMutablePointer<UInt16>, kernels: PlaneKernels)
}

extension TransitionMask {
  var steepness: Double { 1 }
}

/// The common part of all mask transitions: rows of either frame are copied where the mask is uniform, and mixed elsewhere.
struct MaskTransition: Sendable {
  private let easing: Easing
  private let compositor: LayerCompositor

  init(_ parameters: BuiltinParameters, context: RenderContext) throws(CompositorError) {
    easing = try parameters.easing()
    compositor = try LayerCompositor(context: context)
  }

  /// Composes the frame for a request.
  ///
  /// - Parameter mask: Makes the mask for a progress above 0 and below 1, and for a frame's size.
  func compose<Mask: TransitionMask>(
    _ request: CompositionRequest, mask: (Double, Size) -> Mask
  ) throws(CompositorError) -> Frame {
    let scene = try TransitionScene(request, easing: easing, compositor: compositor)
    guard scene.progress > 0 else { return try scene.finish(scene.fromPicture()) }
    guard scene.progress < 1 else { return try scene.finish(scene.toPicture()) }
    let (from, to) = (try scene.fromPicture(), try scene.toPicture())
    let painter = MaskPainter(mask: mask(scene.progress, request.context.size.size), kernels: .fastest)
    return try scene.finish(painter.paint(from, to, context: scene.surface.context, curves: compositor.curves))
  }
}

/// Mixes two frames by a mask, each plane on its own grid. In linear light only mixed samples come from the luma grid; where
/// the mask is uniform, the frames' own samples are copied.
struct MaskPainter<Mask: TransitionMask> {
  let mask: Mask
  let kernels: PlaneKernels
  /// Runs up to this length are weighted without a search for uniform parts.
  private let shortRun = 48

  init(mask: Mask, kernels: PlaneKernels) {
    self.mask = mask
    self.kernels = kernels
  }

  /// The mixed frame, of the size and format of both. Frames whose color isn't multiplied by alpha are mixed as if it were.
  func paint(
    _ from: Frame, _ to: Frame, context: RenderContext, curves: CurveTables
  ) throws(CompositorError) -> Frame {
    // Codes of planes are mixed as they are, if that is premultiplied and in the blending space.
    let isStraight = context.keepsAlpha && context.outputAttributes.alphaMode == .straight
    let mixesCodes = context.outputFormat.layout == .planar && context.blending == .encoded && !isStraight
    let mixed = mixesCodes ? nil : try mixedRows(from, to, context, curves)
    guard let mixed else { return try paint(from, to, mixed: nil, context: context) }
    return try mixed.withUnsafePlanes { (planes) throws(CompositorError) in
      try paint(from, to, mixed: planes, context: context)
    }
  }

  /// Both frames mixed everywhere, in the context's blending space and with premultiplied alpha.
  private func mixedRows(
    _ from: Frame, _ to: Frame, _ context: RenderContext, _ curves: CurveTables
  ) throws(CompositorError) -> Frame {
    let (mixer, width) = (LightMixer(context, curves: curves), context.size.width)
    let rows = try mixer.mixing(from, to) { y, weights in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { codes in
        guard let codes = codes.baseAddress else { return }
        mask.weigh(MaskRun(x: 0.5, y: Double(y) + 0.5, step: 1, count: width), into: codes, kernels: kernels)
        cpk_effect_widen_16(weights, codes, width)
        cpk_effect_scale_row(weights, 1 / Float(PlaneKernels.fullWeight), width)
      }
    }
    return try mixer.frame(rows)
  }

  /// - Parameter mixed: Both frames already mixed; `nil` to mix codes.
  private func paint(
    _ from: Frame, _ to: Frame, mixed: Planes?, context: RenderContext
  ) throws(CompositorError) -> Frame {
    var weights = try ScratchArena.frame(byteCount: from.size.width * 2, pool: context.pool)
    var output = try context.makeFrame()
    let siting = ChromaSiting(context.outputFormat.subsampling, context.outputColor.chromaLocation)
    weights.withUnsafeMutablePlanes { weights in
      let weights = weights[0].base.assumingMemoryBound(to: UInt16.self)
      output.withUnsafeMutablePlanes { output in
        from.withUnsafePlanes { from in
          to.withUnsafePlanes { to in
            for plane in 0..<output.count {
              let grid = PlaneGrid(plane: plane, siting)
              let rows = MaskRows(
                output: output[plane], from: from[plane], to: to[plane], mixed: mixed?[plane], weights: weights,
                bytesPerSample: context.outputFormat.bytesPerSample * context.outputFormat.samplesPerPosition(plane: plane))
              for y in 0..<output[plane].height {
                let first = grid.center(column: 0, row: y)
                let run = MaskRun(x: first.x, y: first.y, step: grid.scale.x, count: output[plane].width)
                paint(run, first: 0, row: y, rows)
              }
            }
          }
        }
      }
    }
    return output.freeze()
  }

  /// Paints a run of a row: uniform if the depth at its middle exceeds its length, else split in halves.
  private func paint(_ run: MaskRun, first: Int, row: Int, _ rows: MaskRows) {
    let reach = Double(run.count) / 2 * run.step * mask.steepness
    let depth = mask.depth(x: run.x + Double(run.count - 1) / 2 * run.step, y: run.y)
    if depth >= mask.feather / 2 + reach { return rows.copy(isNew: true, first: first, count: run.count, row: row, kernels) }
    if -depth >= mask.feather / 2 + reach { return rows.copy(isNew: false, first: first, count: run.count, row: row, kernels) }
    // If the soft edge is wider than the run, splitting finds nothing uniform.
    guard run.count > shortRun, abs(depth) + reach > mask.feather / 2 else {
      mask.weigh(run, into: rows.weights, kernels: kernels)
      return rows.mix(first: first, count: run.count, row: row, kernels)
    }
    let half = run.count / 2
    var (left, right) = (run, run)
    left.count = half
    right.count = run.count - half
    right.x += Double(half) * run.step
    paint(left, first: first, row: row, rows)
    paint(right, first: first + half, row: row, rows)
  }
}

/// The rows of one plane of both frames and of the mixed one.
struct MaskRows {
  let output: MutablePlane
  let from: Plane
  let to: Plane
  /// The mixed samples, if they are already made.
  let mixed: Plane?
  let weights: UnsafeMutablePointer<UInt16>
  /// Bytes of a position: of one sample in planar formats, which are the only ones that are mixed here.
  let bytesPerSample: Int

  func copy(isNew: Bool, first: Int, count: Int, row: Int, _ kernels: PlaneKernels) {
    let source = isNew ? to : from
    let offset = first * bytesPerSample
    kernels.copy(
      output.base + row * output.stride + offset, source.base + row * source.stride + offset,
      byteCount: count * bytesPerSample)
  }

  /// Mixes with the first `count` weights.
  func mix(first: Int, count: Int, row: Int, _ kernels: PlaneKernels) {
    let offset = first * bytesPerSample
    if let mixed { return pick(mixed, first: first, count: count, row: row, kernels) }
    let out = output.base + row * output.stride + offset
    let (a, b) = (from.base + row * from.stride + offset, to.base + row * to.stride + offset)
    if bytesPerSample == 1 {
      kernels.mix(
        out.assumingMemoryBound(to: UInt8.self), a.assumingMemoryBound(to: UInt8.self),
        b.assumingMemoryBound(to: UInt8.self), weights: weights, count: count)
    } else {
      kernels.mix(
        out.assumingMemoryBound(to: UInt16.self), a.assumingMemoryBound(to: UInt16.self),
        b.assumingMemoryBound(to: UInt16.self), weights: weights, count: count)
    }
  }

  /// Takes the outgoing frame's samples where the weight is 0, the incoming ones where it is full, and the mixed ones
  /// between.
  private func pick(_ mixed: Plane, first: Int, count: Int, row: Int, _ kernels: PlaneKernels) {
    func plane(_ weight: UInt16) -> Plane { weight == 0 ? from : weight >= PlaneKernels.fullWeight ? to : mixed }
    func kind(_ index: Int) -> Int { weights[index] == 0 ? 0 : weights[index] >= PlaneKernels.fullWeight ? 2 : 1 }
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, kind(end) == kind(start) { end += 1 }
      let source = plane(weights[start])
      let offset = (first + start) * bytesPerSample
      kernels.copy(
        output.base + row * output.stride + offset, source.base + row * source.stride + offset,
        byteCount: (end - start) * bytesPerSample)
      start = end
    }
  }
}
