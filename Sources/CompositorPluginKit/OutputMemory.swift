import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// The memory of the host's output. If its planes have the layout of this package's frames, the request's frame uses it
/// directly; otherwise, the result is copied to it.
struct OutputMemory {
  private let frame: CompositorFrame
  private let picture: PictureDescription?
  /// The memory for the request's frame; `nil` if the planes have another layout.
  let lent: LentMemory?

  init(_ frame: CompositorFrame) {
    self.frame = frame
    picture = PictureDescription(frame)
    guard let picture, let base = frame.planes.0.data else {
      lent = nil
      return
    }
    let layout = FrameMemory.layout(format: picture.format, size: picture.size).planes
    let planes = frame.planeList
    let isAlike =
      planes.count == layout.count
      && zip(planes, layout).allSatisfy { $0.data == base + $1.offset && $0.stride == $1.stride }
    lent = isAlike ? LentMemory(base, format: picture.format, size: picture.size) : nil
  }

  /// Copies a frame to the output unless it is already there.
  ///
  /// - Throws: `.invalidCompositorOutput` if the frame has another format or size than the output.
  func accept(_ source: Frame) throws(CompositorError) {
    guard picture?.format == source.format, picture?.size == source.size else {
      let asked = picture.map { "\($0.size) \($0.format)" } ?? "another"
      throw CompositorError(
        .invalidCompositorOutput, "It returned a frame of \(source.size) \(source.format) instead of \(asked).")
    }
    if let lent, lent.holds(source) { return }
    let targets = frame.planeList
    source.withUnsafePlanes { planes in
      for index in 0..<min(planes.count, targets.count) {
        let plane = planes[index]
        guard let target = targets[index].data else { continue }
        for y in 0..<plane.height {
          (target + y * targets[index].stride).copyMemory(
            from: plane.base + y * plane.stride, byteCount: source.format.rowBytes(plane: index, of: source.size))
        }
      }
    }
  }
}
