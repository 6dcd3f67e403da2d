internal import Compositor
public import Foundation

/// Writes an asset to a file, as a preset says.
///
/// The file gets its name when it is complete, or not at all; one that exists is an error. A session exports once.
open class AVAssetExportSession: NSObject {
  /// How far a session is.
  public enum Status: Int, Sendable {
    /// Not started.
    case unknown = 0
    /// Started.
    case waiting = 1
    /// Frames are being written.
    case exporting = 2
    /// The file is complete.
    case completed = 3
    /// There is no file; ``AVAssetExportSession/error`` says why.
    case failed = 4
    /// It was canceled; there is no file.
    case cancelled = 5
  }

  /// The preset.
  public let presetName: String
  /// The asset, which is read when the session starts; later changes are not seen.
  public let asset: AVAsset
  private let preset: SessionPreset
  private let state = SessionState()

  /// The file to be written.
  open var outputURL: URL?
  /// The format of the file. It is not asked of the file's suffix.
  open var outputFileType: AVFileType?
  /// The range to be written; by default all.
  open var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
  /// How tracks are mixed; `nil` as they are. A preset that copies ignores it.
  open var audioMix: AVAudioMix?
  /// What is composed; `nil` for the first video track alone. A preset that copies ignores it.
  open var videoComposition: AVVideoComposition?
  /// What the file says about itself instead of what the asset says; `nil`, the default, for that. Items that the format cannot hold are
  /// left out.
  open var metadata: [AVMetadataItem]?
  /// Whether the index precedes the media, which it always does.
  open var shouldOptimizeForNetworkUse = false
  /// How many bytes the file may have; 0 for any number. If it has more, H.264 and HEVC are encoded again with a lower bit rate, by which
  /// it may have a tenth more; any other file is an error.
  open var fileLengthLimit: Int64 = 0
  /// How pitch follows the speed, for tracks whose parameters do not say. The pitch is kept but for `varispeed`.
  open var audioTimePitchAlgorithm = AVAudioTimePitchAlgorithm.spectral
  /// Where the file is made before it gets its name; by default beside it.
  open var directoryForTemporaryFiles: URL?

  /// A session for an asset; `nil` if there is no such preset.
  public init?(asset: AVAsset, presetName: String) {
    guard let preset = SessionPreset.named(presetName) else { return nil }
    self.preset = preset
    self.presetName = presetName
    self.asset = asset
    super.init()
  }

  /// How far the session is.
  open var status: Status { state.current.status }
  /// Why there is no file.
  open var error: (any Error)? { state.current.error }
  /// How much is written, 0 … 1. It never falls.
  open var progress: Float { state.current.fraction }
  /// The formats that the preset can be written in.
  open var supportedFileTypes: [AVFileType] { preset.fileTypes }

  /// The presets, without that which copies.
  open class func allExportPresets() -> [String] { SessionPreset.all.map(\.name) }

  /// The presets that an asset can be exported with.
  open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    SessionPreset.all.filter { $0.suits(asset) }.map(\.name)
  }

  /// Calls a closure with whether an asset can be exported with a preset in a format; `nil` for any.
  open class func determineCompatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?,
    completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) {
    let preset = SessionPreset.named(presetName)
    let isCompatible = preset.map { preset in
      preset.suits(asset) && outputFileType.map { preset.fileTypes.contains($0) } != false
    }
    handler(isCompatible ?? false)
  }

  /// Whether an asset can be exported with a preset in a format; `nil` for any.
  open class func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      determineCompatibility(ofExportPreset: presetName, with: asset, outputFileType: outputFileType) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Writes the file, and calls a closure when the session has ended: from another thread, or at once if it cannot start. A session that
  /// has been started before calls it at once, and remains as it is.
  @preconcurrency open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    guard state.begin() else { return handler() }
    let job: SessionJob
    do throws(AVError) { job = try prepared() } catch {
      state.end(error)
      return handler()
    }
    let state = state
    let task = Task(executorPreference: Worker.shared) {
      await job.run(noting: state)
      handler()
    }
    state.canCancel { task.cancel() }
  }

  /// Writes the file. ``status`` and ``error`` say how it ended. If the task is canceled, so is the export. A session that has been started
  /// before remains as it is.
  open func export() async {
    guard state.begin() else { return }
    let job: SessionJob
    do throws(AVError) { job = try prepared() } catch { return state.end(error) }
    let state = state
    let task = Task(executorPreference: Worker.shared) { await job.run(noting: state) }
    state.canCancel { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Writes a file of a format.
  ///
  /// - Throws: `AVError`: why there is no file, or that the session has been started before; the error with which the program's compositor
  ///   finished a request; `CancellationError` if the task was canceled.
  open func export(
    to url: URL, as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    guard state.begin() else {
      throw AVError(.unknown, "The session has exported before.", suggestion: "Make another session.")
    }
    outputURL = url
    outputFileType = fileType
    let job: SessionJob
    do throws(AVError) { job = try prepared() } catch {
      state.end(error)
      throw error
    }
    let state = state
    let task = Task(executorPreference: Worker.shared) { await job.run(noting: state) }
    state.canCancel { task.cancel() }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if let error = state.current.error {
      if (error as? AVError)?.code == .operationCancelled { try Task.checkCancellation() }
      throw error
    }
  }

  /// Ends the export. The file is gone before the session's status is `cancelled`.
  open func cancelExport() { state.cancel() }

  /// What is to be done, as values.
  ///
  /// - Throws: Why it cannot be started.
  private func prepared() throws(AVError) -> SessionJob {
    guard let outputURL, let type = outputFileType, let suffix = type.suffix, preset.fileTypes.contains(type) else {
      preconditionFailure(
        "Set outputURL, and outputFileType to one of \(preset.fileTypes.map(\.rawValue).joined(separator: ", ")), before the export."
      )
    }
    let isAudio = preset.codec == nil && !preset.copies
    let edit = try EditTranslation(
      asset: asset, videoComposition: preset.copies ? nil : videoComposition, audioMix: preset.copies ? nil : audioMix,
      timeRange: timeRange, audioOnly: isAudio || ["m4a", "wav", "mp3"].contains(suffix),
      pitch: preset.copies ? .spectral : audioTimePitchAlgorithm
    ).translated()
    guard edit.hasVideo || edit.hasAudio else {
      throw AVError(.operationNotSupportedForAsset, "The asset has no audio for \(presetName).")
    }
    var settings = preset.settings(for: edit)
    if let metadata, let container = MovieContainer(rawValue: suffix) {
      settings.metadata = MetadataNames.values(metadata, in: container)
    } else {
      settings.keepMetadata(of: asset, in: suffix)
    }
    return SessionJob(
      edit: edit, settings: settings, target: outputURL, suffix: suffix,
      folder: directoryForTemporaryFiles ?? outputURL.deletingLastPathComponent(), lengthLimit: fileLengthLimit)
  }
}

extension SessionPreset {
  func suits(_ asset: AVAsset) -> Bool {
    let types = Set(asset.tracks.map(\.mediaType))
    return codec == nil && !copies ? types.contains(.audio) : !types.isEmpty
  }
}
