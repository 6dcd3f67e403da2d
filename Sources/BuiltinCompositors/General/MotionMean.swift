import CCompositorKernels
import CompositorAPI
import CompositorConversion

/// The mean of a layer's moments while the shutter of its motion blur is open: color times coverage, and coverage, in the mixing
/// signal in single precision.
///
/// The moments are drawn one after the other, each from the same reduction of the source, so that memory doesn't grow with their number.
struct MotionMean {
  /// The part of the output that any moment may reach.
  let box: OutputBox
  /// The source, and one of its placements.
  let source: SignalReader
  let placement: GeneralPlacement
  /// For each row of the box three rows of components and one of alpha, one after the other.
  private let picture: Frame

  /// Draws the mean. Uses the `picture` rows.
  ///
  /// - Returns: `nil` if no moment covers anything.
  init?(
    _ layer: ResolvedLayer, signal: MixingSignal, context: RenderContext, curves: CurveTables, rows: SignalRows
  ) throws(CompositorError) {
    let moments = layer.atMoments.filter { !GeneralLayer.box($0, in: context.size).isEmpty }
    let placements = moments.compactMap { GeneralPlacement($0, outputSize: context.size) }
    guard let placement = placements.first else { return nil }
    box = GeneralLayer.box(layer, in: context.size).padded(in: context.size)
    self.placement = placement
    source = try SignalReader(layer.frame, signal: signal, curves: curves)
    let shared = try GeneralReduction.shared(source, placements: placements, context: context, rows: rows)
    var mean = try context.pool.makeFrame(format: .rgbaFloat, size: box.size)
    MotionMean.clear(&mean)
    for moment in moments {
      let made = try GeneralLayer(moment, signal: signal, context: context, curves: curves, rows: rows, reduction: shared)
      guard let made else { continue }
      MotionMean.add(made, times: 1 / Float(layer.moments.count), to: &mean, at: box, context: context, rows: rows)
    }
    picture = mean.freeze()
  }

  private static func clear(_ mean: inout MutableFrame) {
    let size = mean.size
    mean.withUnsafeMutablePlanes { planes in
      for row in 0..<size.height { planes.floats(row).update(repeating: 0, count: 4 * size.width) }
    }
  }

  /// Adds a moment to the mean of a box.
  private static func add(
    _ moment: GeneralLayer, times weight: Float, to mean: inout MutableFrame, at box: OutputBox, context: RenderContext,
    rows: SignalRows
  ) {
    let part = moment.box.padded(in: context.size)
    let (first, count) = (part.columns.lowerBound, part.columns.count)
    mean.withUnsafeMutablePlanes { planes in
      for y in part.rows {
        for index in 0..<4 { (rows.row(.picture, index) + first).update(repeating: 0, count: count) }
        moment.composite(row: y, width: context.size.width, rows: rows, keepsAlpha: true)
        let target = planes.floats(y - box.rows.lowerBound) + (first - box.columns.lowerBound)
        for index in 0..<4 {
          cpk_general_accumulate(target + index * box.columns.count, rows.row(.picture, index) + first, weight, count)
        }
      }
    }
  }

  /// Composites the mean over a row.
  func composite(row y: Int, keepsAlpha: Bool, rows: SignalRows) {
    guard box.rows.contains(y) else { return }
    let (count, first) = (box.columns.count, box.columns.lowerBound)
    picture.withUnsafePlanes { planes in
      let plane = planes[0]
      let mean = (plane.base + (y - box.rows.lowerBound) * plane.stride).assumingMemoryBound(to: Float.self)
      for index in 0..<(keepsAlpha ? 4 : 3) {
        cpk_general_over_alpha(
          rows.row(.picture, index) + first, mean + index * count, mean + 3 * count, rows.row(.ones), count)
      }
    }
  }
}

extension OutputBox {
  fileprivate var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }
}

extension MutablePlanes {
  /// A row of the first plane, as floats.
  fileprivate func floats(_ row: Int) -> UnsafeMutablePointer<Float> {
    (self[0].base + row * self[0].stride).assumingMemoryBound(to: Float.self)
  }
}
