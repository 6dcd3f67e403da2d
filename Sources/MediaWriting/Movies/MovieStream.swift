import CCompositorFFmpeg
public import CompositorAPI
import Synchronization
import CompositorPlatform

/// A file descriptor to which a movie is written as it is made: a pipe to another program, a socket, or a file that is already
/// open.
///
/// Bytes are written in order, and a slow reader blocks the writer. The descriptor belongs to the caller: it is not closed, and
/// its flags are not changed. A reader that goes away causes the error `.writeFailed`, never a signal. ``stop()`` can be called
/// from any thread.
///
/// ```swift
/// let stream = MovieStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
/// let result = try await Exporter.export(composition, to: stream, container: .nut)
/// ```
public final class MovieStream: Sendable {
  /// The descriptor, open for writing.
  public let descriptor: Int32
  /// The stream's name in messages.
  public let name: String
  private let isStopped = Atomic(false)

  /// Creates a stream without writing anything.
  ///
  /// - Parameter name: The stream's name in messages. Default `<stream>`.
  public init(descriptor: Int32, name: String = "<stream>") {
    self.descriptor = descriptor
    self.name = name
  }

  /// Stops writing within a tenth of a second, even if the reader reads nothing. The writer throws `.cancelled`.
  public func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Checks that the container can be written in order, and that the descriptor is not a terminal.
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
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension cff_stream_target {
  /// The shim's stream, valid as long as `stream` is.
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
  /// Whether the format can be written in order, each byte once, with no loss except that of an index.
  public var isStreamable: Bool {
    switch self {
    case .nut, .y4m, .wav, .mkv, .mka, .webm, .flac, .opus, .ogg: true
    // The index of MPEG-4 comes last or is moved to the front. The headers of MP3 and of animated images contain values that
    // are known only at the end.
    case .gif, .webp, .mp4, .m4v, .mov, .m4a, .mp3: false
    }
  }

  /// `nut, y4m, …`: the formats that can be streamed, the default first.
  package static var streamableNames: String {
    let usual: [MovieContainer] = [.nut, .y4m, .wav]
    return (usual + allCases.filter { $0.isStreamable && !usual.contains($0) }).map(\.rawValue).joined(separator: ", ")
  }

  /// Whether the container's video is for another program rather than a player: uncompressed by default.
  package var isForPrograms: Bool { videoCodecs.first == .raw }

  /// Whether the format has no fields for color, so that it is stated in metadata entries for people instead.
  var tellsColorInEntries: Bool { self == .nut }

  /// Whether the container can hold frames of a format, apart from the codec's limits.
  func holds(_ format: PixelFormat) -> Bool {
    guard self == .y4m else { return true }
    guard format.layout == .planar else { return false }
    return !format.hasAlpha || (format.subsampling == .s444 && format.bitDepth == 8)
  }

  /// - Throws: `.unsupportedOutput` for variable frame times in a container with a single frame rate.
  func validate(_ timing: MovieTimeUnits) throws(CompositorError) {
    guard self == .y4m, case .variable = timing else { return }
    throw CompositorError(
      .unsupportedOutput, "A .y4m stream has a constant frame rate, and these frames have variable times.",
      recoverySuggestion: "Write nut, or let the output have a constant frame rate.")
  }
}
