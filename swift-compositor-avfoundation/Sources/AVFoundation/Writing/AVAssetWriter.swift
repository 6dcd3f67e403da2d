internal import Compositor
public import Foundation

/// Writes samples of a program to a movie or a file of audio.
///
/// The file gets its name when it is complete, or not at all; one that exists is an error.
open class AVAssetWriter: NSObject {
  /// How far a writer is.
  public enum Status: Int, Sendable {
    /// Not started.
    case unknown = 0
    /// Samples can be appended.
    case writing = 1
    /// The file is complete.
    case completed = 2
    /// There is no file; ``AVAssetWriter/error`` says why.
    case failed = 3
    /// It was canceled; there is no file.
    case cancelled = 4
  }

  /// The file to be written.
  public let outputURL: URL
  /// The format of the file. It is not asked of the file's suffix.
  public let outputFileType: AVFileType
  /// What is written.
  open private(set) var inputs: [AVAssetWriterInput] = []
  /// What the file says about itself. Items that the format cannot hold are left out.
  open var metadata: [AVMetadataItem] = [] { willSet { requireNotStarted("metadata") } }
  /// Whether the index precedes the media, which costs a copy of the file at the end. Default false.
  open var shouldOptimizeForNetworkUse = false { willSet { requireNotStarted("shouldOptimizeForNetworkUse") } }
  /// How often the file is made readable while it is written. It has no effect: a file is there when it is complete.
  open var movieFragmentInterval = CMTime.invalid { willSet { requireNotStarted("movieFragmentInterval") } }
  /// A hint of the final duration. It has no effect.
  open var overallDurationHint = CMTime.positiveInfinity
  /// Units per second of the movie's own times. It has no effect: times of tracks are exact.
  open var movieTimeScale: CMTimeScale = 0 { willSet { requireNotStarted("movieTimeScale") } }
  /// Where the file is made before it gets its name; by default beside it.
  open var directoryForTemporaryFiles: URL? { willSet { requireNotStarted("directoryForTemporaryFiles") } }
  private let container: MovieContainer
  let engine = WriterEngine()

  /// A writer of a file.
  ///
  /// - Throws: `.fileFormatNotRecognized` for a type that cannot be written: other than `mov`, `mp4`, `m4v`, `m4a`, `wav` and `mp3`.
  public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
    guard let container = outputFileType.suffix.flatMap(MovieContainer.init(rawValue:)) else {
      throw AVError(
        .fileFormatNotRecognized, "Files of the type \(outputFileType.rawValue) cannot be written.",
        suggestion: "Use AVFileType.mov or .mp4.")
    }
    (self.outputURL, self.outputFileType, self.container) = (outputURL, outputFileType, container)
    super.init()
  }

  /// A writer of a file.
  ///
  /// - Throws: As ``init(outputURL:fileType:)``.
  public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
    try self.init(outputURL: outputURL, fileType: outputFileType)
  }

  deinit { if !engine.isEnding { engine.cancel() } }

  /// How far the writer is.
  open var status: Status { engine.locked { engine.status } }
  /// Why there is no file; `nil` unless writing failed.
  open var error: (any Error)? { engine.locked { engine.error } }
  /// What the format can hold.
  open var availableMediaTypes: [AVMediaType] { container.isAudioOnly ? [.audio] : [.video, .audio] }

  private func requireNotStarted(_ property: String) {
    precondition(status == .unknown, "Set \(property) before the writer starts.")
  }

  /// Whether an input of these settings can be added. `nil` for samples that are written as they are, whose format must
  /// be known before unless the file is one of QuickTime.
  open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
    canAdd(AVAssetWriterInput(unchecked: mediaType, outputSettings: outputSettings))
  }

  /// Whether an input can be added: the format holds it, its settings apply, and the writer has not started.
  ///
  /// A file has at most one input of pictures that are encoded, and 32 of audio.
  open func canAdd(_ input: AVAssetWriterInput) -> Bool {
    status == .unknown && !input.isAttached && (try? plan(inputs + [input])) != nil
  }

  /// Adds an input, which must be one that ``canAdd(_:)`` allows.
  open func add(_ input: AVAssetWriterInput) {
    precondition(status == .unknown, "Add inputs before the writer starts.")
    precondition(!input.isAttached, "An input is added once.")
    do { _ = try plan(inputs + [input]) } catch {
      preconditionFailure("The input cannot be added: \(error.localizedDescription) Ask canAdd(_:) first.")
    }
    input.attach(to: engine, at: inputs.count)
    inputs.append(input)
  }

  /// What is to be written, read from the properties now.
  ///
  /// - Throws: What cannot be written.
  private func plan(_ inputs: [AVAssetWriterInput]) throws(AVError) -> WriterPlan {
    var plan = WriterPlan(
      container: container, target: outputURL,
      folder: directoryForTemporaryFiles ?? outputURL.deletingLastPathComponent(),
      hasFastStart: shouldOptimizeForNetworkUse, metadata: MetadataNames.values(metadata, in: container))
    for input in inputs {
      let language = input.extendedLanguageTag ?? input.languageCode
      switch input.mediaType {
      case _ where input.isCopied:
        plan.order.append(.copied(plan.copied.count))
        plan.copied.append(try input.copied(in: container))
      case .video where plan.video == nil:
        plan.order.append(.video)
        plan.video = WriterPlan.Video(
          settings: try input.videoSettings(), transform: input.transform, language: language,
          title: input.title(in: container),
          timescale: input.mediaTimeScale)
      case .audio:
        plan.order.append(.audio(plan.audio.count))
        plan.audio.append(
          WriterPlan.Audio(
            settings: try input.audioSettings(), language: language, title: input.title(in: container)))
      default:
        throw AVError(
          .formatUnsupported, "A file has at most one input of encoded pictures, any of audio, and none of other media.")
      }
    }
    try plan.validate()
    return plan
  }

  /// Makes the file. Inputs must have been added; they and the properties do not change any more.
  ///
  /// - Returns: False if it cannot be written; then ``error`` says why.
  @discardableResult
  open func startWriting() -> Bool {
    guard status == .unknown else { return false }
    do throws(AVError) {
      let plan = try plan(inputs)
      let states = plan.order.map { place in
        switch place {
        case .video: WriterEngine.Input(track: 0, capacity: 6)
        case .audio(let track), .copied(let track): WriterEngine.Input(track: track, capacity: 32)
        }
      }
      try engine.start(plan, inputs: states)
      return true
    } catch {
      engine.fail(error)
      return false
    }
  }

  /// Begins the movie at a time of the samples. What comes before is left out. If the first picture comes later the movie begins without
  /// one, and audio that comes later begins with silence.
  open func startSession(atSourceTime startTime: CMTime) { engine.startSession(at: startTime) }

  /// Ends the movie at a time of the samples. What comes after is left out. The last picture is shown until then, and audio that ends
  /// earlier goes on with silence. Without it the movie ends with the longest input.
  open func endSession(atSourceTime endTime: CMTime) { engine.endSession(at: endTime) }

  /// Ends all inputs, writes the rest, and calls a closure, from another thread, when the writer has ended.
  @preconcurrency open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) { engine.finish(handler) }

  /// Ends all inputs, and writes the rest. ``status`` and ``error`` say how it ended.
  open func finishWriting(isolation: isolated (any Actor)? = #isolation) async {
    let engine = engine
    await withCheckedContinuation { continuation in engine.finish { continuation.resume() } }
  }

  /// Ends the writer, and returns when there is no file. Does nothing if it has completed or failed.
  open func cancelWriting() { engine.cancel() }
}
