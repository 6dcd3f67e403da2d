import CCompositorPlugin
import CompositorAPI
import PluginBridge
import Synchronization

/// The host's output: lent to the first frame of its format and size that a request makes, so that nothing is copied.
final class OutputMemory: FrameAllocator {
  private let picture: PictureDescription?
  private let byteCount: Int
  /// The host's planes, valid during the call.
  nonisolated(unsafe) private let frame: CompositorFrame
  /// Whether the planes lie as a frame of our own would have them.
  private let isAlike: Bool
  private let isLent = Mutex(false)
  private let owner = Owner()

  private final class Owner: Sendable {}

  init(_ frame: CompositorFrame) {
    self.frame = frame
    picture = PictureDescription(frame)
    guard let picture else {
      (byteCount, isAlike) = (0, false)
      return
    }
    let layout = FrameMemory.layout(format: picture.format, size: picture.size)
    byteCount = layout.byteCount
    let planes = frame.planeList
    isAlike =
      planes.count == layout.planes.count
      && zip(planes, layout.planes).allSatisfy { plane, own in
        plane.data == frame.planes.0.data + own.offset && plane.stride == own.stride
      }
  }

  func allocate(byteCount: Int) -> FrameAllocation? {
    guard isAlike, byteCount == self.byteCount, let base = frame.planes.0.data else { return nil }
    let isFirst = isLent.withLock { isLent in
      defer { isLent = true }
      return !isLent
    }
    return isFirst ? FrameAllocation(base: base, owner: owner) : nil
  }

  /// Whether a frame is the output itself.
  func holds(_ frame: Frame) -> Bool { frame.memoryOwner === owner }

  /// - Throws: `.invalidCompositorOutput` where the output is another format or size.
  func copy(_ source: Frame) throws(CompositorError) {
    let targets = frame.planeList
    guard picture?.format == source.format, picture?.size == source.size else {
      let asked = picture.map { "\($0.size) \($0.format)" } ?? "another"
      throw CompositorError(
        .invalidCompositorOutput, "It gave a frame of \(source.size) \(source.format) where \(asked) was asked for.")
    }
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
