import CCompositorPluginProcess
import CompositorAPI
import CompositorPlatform
import CompositorPluginBridge

/// An output frame filled with known bytes before the plugin writes to it.
struct CheckedOutput {
  let memory: LentMemory
  private let segment: GuardedMemory
  private let scene: PluginCheckScene
  private let filling: UInt8

  init?(_ scene: PluginCheckScene, filling: UInt8) {
    let layout = FrameMemory.layout(format: scene.format, size: scene.size)
    // As far as the inaccessible page, so that no byte behind the frame is unknown.
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard let segment = GuardedMemory(byteCount: (layout.byteCount + page - 1) / page * page) else { return nil }
    segment.base.initializeMemory(as: UInt8.self, repeating: filling, count: segment.byteCount)
    (self.segment, self.scene, self.filling) = (segment, scene, filling)
    memory = LentMemory(segment.base, format: scene.format, size: scene.size)
  }

  /// Whether the bytes outside the rows are unchanged.
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

extension Frame {
  /// A hash of all samples, without padding.
  var sampleHash: UInt64 { hash { format.rowBytes(plane: $0, of: size) } }

  /// A hash of all bytes of all rows, including padding. For frames with positive strides in memory of our own.
  var rowHash: UInt64 { hash { index in withUnsafePlanes { $0[index].stride } } }

  /// FNV-1a, 64 bits, over a number of bytes of each row of a plane.
  private func hash(rowBytes: (_ plane: Int) -> Int) -> UInt64 {
    withUnsafePlanes { planes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for index in 0..<planes.count {
        let plane = planes[index]
        let byteCount = rowBytes(index)
        for y in 0..<plane.height {
          for x in 0..<byteCount {
            hash = (hash ^ UInt64(plane.base.load(fromByteOffset: y * plane.stride + x, as: UInt8.self))) &* 0x100_0000_01b3
          }
        }
      }
      return hash
    }
  }

  /// The same frame with rows further apart, or bottom-up.
  func rearranged(bottomUp: Bool) -> Frame {
    let (format, size) = (format, size)
    var blocks: [UnsafeMutableRawPointer] = []
    var bases: [UnsafeMutableRawPointer] = []
    var strides: [Int] = []
    withUnsafePlanes { planes in
      for index in 0..<planes.count {
        let plane = planes[index]
        let byteCount = format.rowBytes(plane: index, of: size)
        let stride = (byteCount + 63) / 64 * 64 + 192
        let block = UnsafeMutableRawPointer.allocate(byteCount: stride * plane.height + 64, alignment: 64)
        block.initializeMemory(as: UInt8.self, repeating: 0x5a, count: stride * plane.height + 64)
        for y in 0..<plane.height {
          let row = bottomUp ? plane.height - 1 - y : y
          (block + row * stride).copyMemory(from: plane.base + y * plane.stride, byteCount: byteCount)
        }
        blocks.append(block)
        bases.append(bottomUp ? block + (plane.height - 1) * stride : block)
        strides.append(bottomUp ? -stride : stride)
      }
    }
    return Frame(wrapping: bases, strides: strides, format: format, size: size, attributes: attributes) { [blocks] in
      for block in blocks { block.deallocate() }
    }
  }
}
