import CCompositorPluginProcess
import CompositorAPI
import CompositorPluginBridge

/// An output whose every byte is known before the plugin writes to it.
struct CheckedOutput {
  let memory: LentMemory
  private let segment: SharedSegment
  private let scene: PluginCheckScene
  private let filling: UInt8

  init?(_ scene: PluginCheckScene, filling: UInt8) {
    let layout = FrameMemory.layout(format: scene.format, size: scene.size)
    guard let segment = SharedSegment(byteCount: layout.byteCount) else { return nil }
    segment.base.initializeMemory(as: UInt8.self, repeating: filling, count: segment.byteCount)
    (self.segment, self.scene, self.filling) = (segment, scene, filling)
    memory = LentMemory(segment.base, format: scene.format, size: scene.size)
  }

  /// Whether the bytes that belong to no row are as they were.
  var isIntact: Bool {
    let layout = FrameMemory.layout(format: scene.format, size: scene.size)
    for (index, plane) in layout.planes.enumerated() {
      let byteCount = scene.format.rowBytes(plane: index, of: scene.size)
      for y in 0..<scene.format.planeSize(index, of: scene.size).height {
        let row = segment.base + plane.offset + y * plane.stride
        guard module_bytes_are(row + byteCount, plane.stride - byteCount, filling) else { return false }
      }
    }
    let end = layout.byteCount - FrameMemory.alignment
    return module_bytes_are(segment.base + end, segment.byteCount - end, filling)
  }
}
