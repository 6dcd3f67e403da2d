internal import Compositor
internal import Foundation

/// The track that a format was read from.
struct CodedOrigin: Hashable, Sendable {
  let path: String
  let track: CodedTrack
}

/// A coded sample of a reader, which a sample buffer carries to a writer.
struct CodedPayload: Sendable {
  let sample: CodedSample
  let source: CodedSource
}

/// A file whose coded samples are read. One thread at a time reads; writers ask it for its formats.
final class CodedSource: @unchecked Sendable {
  let origin: CodedOrigin
  private let lock = NSLock()
  private let reader: CodedMediaReader

  /// Opens the file.
  ///
  /// - Throws: Why the track cannot be read.
  init(_ origin: CodedOrigin) throws(AVError) {
    self.origin = origin
    do throws(CompositorError) { reader = try CodedMediaReader(path: origin.path, tracks: [origin.track]) } catch {
      throw AVError(error, about: origin.path)
    }
  }

  /// Uses the reader, which no other thread does meanwhile.
  ///
  /// - Throws: What `body` throws.
  func use<Result>(_ body: (CodedMediaReader) throws(CompositorError) -> Result) throws(AVError) -> Result {
    lock.lock()
    defer { lock.unlock() }
    do throws(CompositorError) { return try body(reader) } catch { throw AVError(error, about: origin.path) }
  }
}
