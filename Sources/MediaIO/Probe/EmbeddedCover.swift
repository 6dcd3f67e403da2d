import CCompositorFFmpeg
package import CompositorAPI

/// Pictures inside of media files that players show for the whole file.
package enum EmbeddedCover {
  /// The bytes of the first cover of a file, an image file of its own; `nil` if there is none.
  ///
  /// - Throws: The errors of opening a media file.
  package static func bytes(ofFile path: String) throws(CompositorError) -> [UInt8]? {
    let demuxer = try Demuxer(path: path)
    for index in 0..<demuxer.streamCount {
      var count: Int32 = 0
      guard let bytes = cff_stream_picture(demuxer.handle, Int32(index), &count) else { continue }
      return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    return nil
  }
}
