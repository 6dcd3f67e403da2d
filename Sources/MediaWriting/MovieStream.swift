import CCompositorFFmpeg
public import CompositorAPI
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A descriptor that a movie is written to as it is made: a pipe to the next program, a socket, a file that somebody else opened.
///
/// Bytes go in order, and a reader that is slow holds the writer back. The descriptor stays the caller's: it is not closed, and its
/// flags are not changed. A reader that goes away is the error `.writeFailed`, never a signal. Any thread may call ``stop()``.
///
/// ```swift
/// let stream = MovieStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
/// let result = try await Exporter.export(composition, to: stream, container: .nut)
/// ```
public final class MovieStream: Sendable {
  /// The descriptor, open for writing.
  public let descriptor: Int32
  /// What messages call it.
  public let name: String
  private let isStopped = Atomic(false)

  /// Makes a stream; nothing is written yet.
  ///
  /// - Parameter name: What messages call it. Default `<stream>`.
  public init(descriptor: Int32, name: String = "<stream>") {
    self.descriptor = descriptor
    self.name = name
  }

  /// Ends what is being written, within a tenth of a second also if the reader takes nothing: it throws `.cancelled`.
  public func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Checks that the container can be written in order, and that no person reads the descriptor.
  ///
  /// - Throws: `.unsupportedOutput`.
  public func validate(_ container: MovieContainer) throws(CompositorError) {
    guard container.isStreamable else {
      throw CompositorError(
        .unsupportedOutput, "A .\(container.rawValue) file cannot be written to a stream: its header is completed at the end.",
        recoverySuggestion: "Use \(MovieContainer.streamableNames), or write a file.", at: ErrorLocation(file: name))
    }
    guard isatty(descriptor) == 0 else {
      throw CompositorError(
        .unsupportedOutput, "A movie is not written to a terminal.",
        recoverySuggestion: "Send it to a program or a file: … | ffplay -", at: ErrorLocation(file: name))
    }
  }

  fileprivate var mustStop: Bool { isStopped.load(ordering: .relaxed) }
}

extension MovieStream: Hashable {
  /// Whether both are the same object.
  public static func == (left: MovieStream, right: MovieStream) -> Bool { left === right }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension cff_stream_target {
  /// Valid as long as the stream is.
  init(_ stream: MovieStream) {
    self.init(
      descriptor: stream.descriptor,
      should_stop: { owner in
        guard let owner else { return false }
        return Unmanaged<MovieStream>.fromOpaque(owner).takeUnretainedValue().mustStop
      }, owner: Unmanaged.passUnretained(stream).toOpaque())
  }
}

extension MovieContainer {
  /// Whether it can be written in order, each byte once, with nothing lost but what only an index or a second look could say.
  public var isStreamable: Bool {
    switch self {
    case .nut, .y4m, .wav, .mkv, .mka, .webm, .flac, .opus, .ogg: true
    // The index of MPEG-4 comes last or is moved to the front; MP3's header says what it is too late to know, and animated images how long they are.
    case .gif, .webp, .mp4, .m4v, .mov, .m4a, .mp3: false
    }
  }

  /// `nut, y4m, …`: what can be streamed, the usual one first.
  package static var streamableNames: String {
    let usual: [MovieContainer] = [.nut, .y4m, .wav]
    return (usual + allCases.filter { $0.isStreamable && !usual.contains($0) }).map(\.rawValue).joined(separator: ", ")
  }

  /// Whether its video is for the next program instead of a player: uncompressed unless the command line says otherwise.
  package var isForPrograms: Bool { videoCodecs.first == .raw }

  /// Whether it has no place for the color that programs read, so that entries tell people of it.
  var tellsColorInEntries: Bool { self == .nut }

  /// Whether it can hold frames of a format, as far as that is not the codec's matter.
  func holds(_ format: PixelFormat) -> Bool {
    guard self == .y4m else { return true }
    guard format.layout == .planar else { return false }
    return !format.hasAlpha || (format.subsampling == .s444 && format.bitDepth == 8)
  }

  /// - Throws: `.unsupportedOutput` for frames at times of their own in a container that knows one rate only.
  func validate(_ timing: MovieTimeUnits) throws(CompositorError) {
    guard self == .y4m, case .variable = timing else { return }
    throw CompositorError(
      .unsupportedOutput, "A .y4m stream has one frame rate, and these frames have times of their own.",
      recoverySuggestion: "Write nut, or let the output have a constant frame rate.")
  }
}
