package import CompositorAPI
import CompositorConversion
import CompositorKernels
import Synchronization

/// How much smaller a layer's frame is than the image that it represents.
package struct PictureReduction: Hashable, Sendable {
  /// Each sample of each plane is the mean of 2^level × 2^level samples; fewer at an odd end.
  package var level: Int
  /// Columns and rows of the image before reduction.
  package var size: PixelSize
}

/// One still in one format and color, at all requested sizes.
final class ScaledStill: Sendable {
  private struct State {
    var levels: [Int: Frame] = [:]
    var madeCount = 0
  }

  private let state = Mutex(State())
  /// Conversions and reductions made so far.
  var madeCount: Int { state.withLock(\.madeCount) }

  /// The still, reduced by 2 to the power of `level`. The first caller makes it, while others wait.
  func level(_ level: Int, of frame: Frame, context: RenderContext) throws(CompositorError) -> Frame {
    try state.withLock { (state) throws(CompositorError) in
      let picture = try ScaledStill.make(level, of: frame, context: context, &state)
      state.levels[level] = picture
      return picture
    }
  }

  /// Always takes the same steps, independently of cached levels, so that frames don't depend on earlier requests: two powers
  /// at a time, rounded once.
  private static func make(
    _ level: Int, of frame: Frame, context: RenderContext, _ state: inout State
  ) throws(CompositorError) -> Frame {
    if let known = state.levels[level] { return known }
    state.madeCount += 1
    guard level > 0 else { return try converted(frame, context: context) }
    let step = level % 2 == 0 ? 2 : 1
    return try make(level - step, of: frame, context: context, &state).reduced(step)
  }

  /// The whole image in the output's format and color. Not taken from the context's pool, which would keep memory that is
  /// needed once.
  private static func converted(_ frame: Frame, context: RenderContext) throws(CompositorError) -> Frame {
    var attributes = context.outputAttributes
    attributes.pixelAspectRatio = frame.attributes.pixelAspectRatio
    return try FrameConverter.convert(
      frame, to: context.outputFormat, attributes: attributes, pool: FramePool(maximumOutstanding: 4),
      policy: context.colorConversion)
  }
}

extension Frame {
  /// Each plane reduced by 2 (`step` 1) or 4 (2) along both axes: means of the samples that exist, rounded once.
  fileprivate func reduced(_ step: Int) -> Frame {
    let side = 1 << step
    func part(_ count: Int) -> Int { (count + side - 1) >> step }
    var smaller = MutableFrame(
      format: format, size: PixelSize(width: part(size.width), height: part(size.height)), attributes: attributes)
    let isBytes = format.bytesPerSample == 1
    withUnsafePlanes { planes in
      smaller.withUnsafeMutablePlanes { targets in
        for index in 0..<planes.count {
          if isBytes {
            planes[index].reduce(step, to: targets[index], UInt8.self)
          } else {
            planes[index].reduce(step, to: targets[index], UInt16.self)
          }
        }
      }
    }
    return smaller.freeze()
  }
}

extension Plane {
  fileprivate func reduce<T: PlanarSample>(_ step: Int, to target: MutablePlane, _ type: T.Type) {
    let kernels = PlaneKernels.fastest
    let (side, whole) = (1 << step, width >> step)
    for y in 0..<target.height {
      let row = (target.base + y * target.stride).assumingMemoryBound(to: type)
      let top = y << step
      if top + side <= height {
        let source = (base + top * stride).assumingMemoryBound(to: type)
        if step == 1 {
          T.halve(kernels, row, source, stride: stride, count: whole)
        } else {
          T.quarter(kernels, row, source, stride: stride, count: whole)
        }
        for x in whole..<target.width { row[x] = mean(type, x << step..<width, top..<top + side) }
      } else {
        for x in 0..<target.width { row[x] = mean(type, x << step..<min((x + 1) << step, width), top..<height) }
      }
    }
  }

  /// The mean of samples in an incomplete block at an end.
  private func mean<T: PlanarSample>(_ type: T.Type, _ columns: Range<Int>, _ rows: Range<Int>) -> T {
    var sum = 0
    for y in rows {
      let row = (base + y * stride).assumingMemoryBound(to: type)
      for x in columns { sum += Int(row[x]) }
    }
    let count = max(columns.count * rows.count, 1)
    return T(clamping: (sum + count / 2) / count)
  }
}
