package import CCompositorFFmpeg
package import CompositorAPI

extension cff_lent_picture {
  /// Lends a frame to libav without copying pixels. The frame is retained until libav releases its last reference; the caller
  /// must make sure that `release` is called.
  ///
  /// - Parameter purpose: The reader, for the message of an error.
  /// - Throws: `.deviceFailed` if the frame can't be downloaded.
  package init(
    lending frame: Frame, time: Int64, duration: Int64, for purpose: String
  ) throws(CompositorError) {
    self.init()
    self.time = time
    self.duration = duration
    let planes = try frame.downloaded(for: purpose).lendPlanes()
    plane_count = Int32(planes.count)
    withUnsafeMutableBytes(of: &self.planes) { bases in
      withUnsafeMutableBytes(of: &strides) { strides in
        for index in 0..<planes.count {
          // libav only reads the planes, although its type isn't const.
          let base = UnsafeMutableRawPointer(mutating: planes[index].base)
          bases.storeBytes(
            of: base, toByteOffset: index * MemoryLayout<UnsafeMutableRawPointer>.stride, as: UnsafeMutableRawPointer.self)
          strides.storeBytes(of: planes[index].stride, toByteOffset: index * MemoryLayout<Int>.stride, as: Int.self)
        }
      }
    }
    owner = Unmanaged.passRetained(planes).toOpaque()
    release = { owner in
      if let owner { Unmanaged<LentPlanes>.fromOpaque(owner).release() }
    }
  }
}
