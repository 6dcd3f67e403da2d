public import CompositorAPI
public import Foundation

/// The exit status of a process, after `sysexits.h`.
package enum ProcessStatus: Int32, Sendable, CaseIterable {
  /// Success.
  case success = 0
  /// The command line is invalid (EX_USAGE).
  case usage = 64
  /// The project is invalid, or what it requests is (EX_DATAERR).
  case invalidProject = 65
  /// Media is missing, not allowed, or cannot be read (EX_NOINPUT).
  case missingMedia = 66
  /// A codec, a compositor or a plugin is missing (EX_UNAVAILABLE).
  case unavailable = 69
  /// An internal error of this package or of a compositor (EX_SOFTWARE).
  case `internal` = 70
  /// Reading or writing failed (EX_IOERR).
  case inputOutput = 74
  /// The failure may be temporary (EX_TEMPFAIL).
  case retry = 75
  /// A benchmark found a regression; a status that `sysexits.h` doesn't use.
  case regression = 79
  /// Interrupted, 128 + SIGINT.
  case interrupted = 130

  /// The status for an error.
  package init(_ code: CompositorError.Code) {
    self =
      switch code {
      case .invalidValue, .segmentsNotContiguous, .invalidSegmentDuration, .invalidSourceStart, .invalidSourceDuration,
        .invalidComposition, .invalidTrackID, .invalidParameter, .overlappingRamps, .invalidProject, .noFrame,
        .unsupportedOutput, .planChanged:
        .invalidProject
      case .fileNotFound, .sourceRefused, .unreadableMedia, .truncatedMedia, .decodeFailed, .trackNotFound,
        .frameTooLarge, .mediaChanged:
        .missingMedia
      case .decoderNotFound, .encoderNotFound, .compositorNotFound, .pluginFailed, .conversionNotPossible, .versionMismatch,
        .deviceFailed:
        .unavailable
      case .outputExists, .outputIsInput, .writeFailed, .readFailed: .inputOutput
      case .framePoolExhausted, .compositorTimedOut, .resourceExhausted, .partsMissing: .retry
      case .cancelled: .interrupted
      default: .internal
      }
  }
}

extension CompositorError: LocalizedError {
  /// Location, message and cause, for `localizedDescription`; `recoverySuggestion` is separate.
  public var errorDescription: String? { summary }

  /// The cause, if it is known.
  public var failureReason: String? { cause }
}

extension CompositorError: CustomNSError {
  /// The domain of the package's errors as `NSError`.
  public static var errorDomain: String { "CompositorError" }

  /// The number of the error's code, as `NSError.code`.
  public var errorCode: Int { code.rawValue }

  /// The texts that `NSError` reports.
  public var errorUserInfo: [String: Any] {
    [
      NSLocalizedDescriptionKey: summary, NSLocalizedFailureReasonErrorKey: failureReason,
      NSLocalizedRecoverySuggestionErrorKey: recoverySuggestion,
    ].compactMapValues { $0 }
  }
}
