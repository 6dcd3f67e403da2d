import CCompositorFFmpeg
import CompositorAPI
import CompositorMediaIO
import CompositorPlatform

/// What writes a file with a muxer.
protocol MuxerWriting {
  /// The file's path in errors.
  var path: String { get }
}

extension MuxerWriting {
  /// Calls the muxer, whose failure is one of writing the file.
  func check(_ body: (inout cff_failure) -> cff_status) throws(CompositorError) {
    if let failure = WriteFailure(body) { throw failure.writing(path) }
  }
}

/// A movie file of packets that are coded already, and the space for its index before the media.
final class PacketFile: MuxerWriting {
  /// The file's path, as the caller gave it.
  let path: String
  /// The muxer; `nil` after the file was closed.
  private(set) var muxer: OpaquePointer?
  /// Whether there is space before the media that could be larger.
  var hasRoom = false
  /// Whether the index did not fit into that space, or could not be written there for another reason.
  private(set) var needsMoreRoom = false
  private var isFinished = false

  /// Creates the file.
  init(_ container: MovieContainer, path: String) throws(CompositorError) {
    self.path = path
    try check { cff_muxer_create(container.muxerName, path, &muxer, &$0) }
  }

  deinit { cff_muxer_destroy(&muxer) }

  /// Writes the index and closes the file, which is durable when this method returns.
  ///
  /// - Returns: Size of the file in bytes.
  func finish() throws(CompositorError) -> Int64 {
    var byteCount: Int64 = 0
    do throws(CompositorError) {
      try check { cff_muxer_finish(muxer, &byteCount, &$0) }
    } catch {
      needsMoreRoom = hasRoom && [nil, EINVAL].contains(error.systemErrorNumber)
      throw error
    }
    isFinished = true
    cff_muxer_destroy(&muxer)
    return byteCount
  }

  /// Closes and removes the file, unless it was finished.
  func abandon() {
    guard !isFinished, muxer != nil else { return }
    cff_muxer_destroy(&muxer)
    cff_remove_regular_file(path)
  }
}
