package import CompositorAPI
import CompositorConversion
import CompositorMediaIO

/// Intermediate frames by motion estimation with libavfilter's `minterpolate`.
package enum MotionInterpolation {
  /// The number of positions between two frames that the filter supports.
  private static let parts = 1024
  private static let smallest = 32

  /// The error if motion cannot be estimated in frames of this format; `nil` if it can.
  package static func refusal(of format: PixelFormat, size: PixelSize, attributes: FrameAttributes) -> CompositorError? {
    if let refusal = refusal(of: format, size: size) { return refusal }
    do throws(CompositorError) {
      _ = try graph(for: format, size: size, attributes: attributes)
      return nil
    } catch {
      return error
    }
  }

  private static func refusal(of format: PixelFormat, size: PixelSize) -> CompositorError? {
    guard format.bitDepth == 8, size.width >= smallest, size.height >= smallest else {
      return CompositorError(
        .conversionNotPossible, "Motion cannot be estimated in frames of \(size) \(format).",
        recoverySuggestion: "It takes 8 bits and at least \(smallest)x\(smallest) pixels; choose frames: \"blend\" for others.")
    }
    return nil
  }

  /// - Parameters:
  ///   - frames: The preceding frame, the two frames, and the following one; at an end of the clip, one of the two is repeated.
  ///   - fraction: The position between the two, 0 … 1.
  /// - Throws: `.conversionNotPossible` for more than 8 bits, for alpha, for frames that are too small, and if libavfilter
  ///   lacks the filter.
  package static func frame(between frames: [Frame], at fraction: Double) throws(CompositorError) -> Frame {
    guard frames.count == 4, case let shown = frames[1] else {
      throw CompositorError(.internalFault, "Motion takes four frames, not \(frames.count).")
    }
    if let refusal = refusal(of: shown.format, size: shown.size) { throw refusal }
    if let change = frames[1].meanDifference(from: frames[2]), let before = frames[0].meanDifference(from: frames[1]),
      change - before > sceneChange
    {
      return fraction < 0.5 ? frames[1] : frames[2]
    }
    // One tick of output is as long as the distance between two frames, and one of them coincides with the requested time.
    let graph = try graph(for: shown.format, size: shown.size, attributes: shown.attributes)
    let part = min(max(Int((fraction * Double(parts)).rounded()), 1), parts - 1)
    let first = 4 * parts - part
    let ticks = [3 * parts, first, first + parts, first + 2 * parts]
    var made: Frame?
    for (frame, tick) in zip(frames, ticks) {
      var frame = frame
      frame.attributes = shown.attributes
      try graph.push(frame, input: 0, tick: Int64(tick))
      while let (picture, time) = try graph.pull() {
        if time == Int64(4 * parts) { made = picture }
      }
    }
    guard var made else {
      throw CompositorError(.compositorFailed, "libavfilter's minterpolate gave no frame between two.")
    }
    made.attributes = shown.attributes
    return made
  }

  /// At a cut, a pair of frames differs by this much more than the previous pair: the mean difference of the first plane, 0 … 1.
  private static let sceneChange = 0.1

  private static func graph(
    for format: PixelFormat, size: PixelSize, attributes: FrameAttributes
  ) throws(CompositorError) -> FilterGraph {
    let surface = FilterSurface(format: format, size: size, attributes: attributes, ticksPerSecond: parts)
    do {
      return try FilterGraph(
        "minterpolate=fps=1:mi_mode=mci:mc_mode=aobmc:me_mode=bidir:vsbmc=1", surface: surface, inputCount: 1)
    } catch {
      throw CompositorError(
        .conversionNotPossible, "Motion cannot be estimated in frames of \(size) \(format): \(error.message)",
        recoverySuggestion: "Choose frames: \"blend\".", cause: error.cause)
    }
  }
}
