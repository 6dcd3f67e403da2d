package import CompositorAPI

/// What a process ends with, after `sysexits.h`.
package enum ProcessStatus: Int32, Sendable, CaseIterable {
  /// It worked.
  case success = 0
  /// The command line makes no sense (EX_USAGE).
  case usage = 64
  /// The project, or what it asks for, makes no sense (EX_DATAERR).
  case invalidProject = 65
  /// Media is missing, refused or cannot be read (EX_NOINPUT).
  case missingMedia = 66
  /// A codec, a compositor or a plugin is missing (EX_UNAVAILABLE).
  case unavailable = 69
  /// A fault of this package or of a compositor (EX_SOFTWARE).
  case `internal` = 70
  /// Reading or writing failed (EX_IOERR).
  case inputOutput = 74
  /// It may work another time (EX_TEMPFAIL).
  case retry = 75
  /// A benchmark found that something became slower; a number that `sysexits.h` leaves free.
  case regression = 79
  /// Interrupted, 128 + SIGINT.
  case interrupted = 130

  /// The status for an error.
  package init(_ code: CompositorError.Code) {
    self =
      switch code {
      case .invalidValue, .segmentsNotContiguous, .invalidSegmentDuration, .invalidSourceStart, .invalidSourceDuration,
        .invalidComposition, .invalidTrackID, .invalidParameter, .overlappingRamps, .invalidProject, .noFrame,
        .unsupportedOutput:
        .invalidProject
      case .fileNotFound, .sourceRefused, .unreadableMedia, .truncatedMedia, .decodeFailed, .trackNotFound,
        .pictureTooLarge, .mediaChanged:
        .missingMedia
      case .decoderNotFound, .encoderNotFound, .compositorNotFound, .pluginFailed, .conversionNotPossible: .unavailable
      case .compositorFailed, .invalidCompositorOutput, .encodeFailed, .internalFault: .internal
      case .outputExists, .outputIsInput, .writeFailed, .readFailed: .inputOutput
      case .framePoolExhausted, .compositorTimedOut, .resourceExhausted: .retry
      case .cancelled: .interrupted
      }
  }
}
