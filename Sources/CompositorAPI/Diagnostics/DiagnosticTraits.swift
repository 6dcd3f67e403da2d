/// How the diagnostics of a code are treated when they are located, shown and thrown.
package struct DiagnosticTraits: Hashable, Sendable {
  /// What diagnostics of a code are about, if that decides where they are located.
  package enum Subject: Hashable, Sendable {
    /// A part of the edit.
    case part
    /// A source, independent of its use.
    case source
    /// A part of the edit, at times of its media instead of the movie.
    case mediaTimes
    /// The start or the end of an instruction.
    case instructionTimes
  }

  /// The code of the error that is thrown if the edit is rendered nevertheless.
  package var errorCode = CompositorError.Code.invalidComposition
  /// What they are about.
  package var subject = Subject.part
  /// Whether they suggest an improvement, rather than reporting a deviation from the edit. Checks show all of it; renders print a few sentences as notes.
  package var isAdvice = false

  /// The codes that differ from the defaults.
  private static let table: [ValidationDiagnostic.Code: DiagnosticTraits] = [
    .emptyTimeRange: DiagnosticTraits(subject: .instructionTimes),
    .invalidTimeRangeInInstruction: DiagnosticTraits(subject: .instructionTimes),
    .instructionBeyondEnd: DiagnosticTraits(subject: .instructionTimes),
    .unknownCompositor: DiagnosticTraits(errorCode: .compositorNotFound),
    .invalidParameter: DiagnosticTraits(errorCode: .invalidParameter),
    .pluginFailed: DiagnosticTraits(errorCode: .pluginFailed),
    .invalidTitle: DiagnosticTraits(errorCode: .invalidValue),
    .titleResourceMissing: DiagnosticTraits(errorCode: .fileNotFound),
    .mediaTrackMissing: DiagnosticTraits(errorCode: .trackNotFound),
    .mediaUnavailable: DiagnosticTraits(subject: .source),
    .decoderMissing: DiagnosticTraits(errorCode: .decoderNotFound, subject: .source),
    .trackUndecodable: DiagnosticTraits(errorCode: .unreadableMedia, subject: .source),
    .metadataDropped: DiagnosticTraits(subject: .source),
    .ambiguousColor: DiagnosticTraits(subject: .source),
    .unsteadyAudio: DiagnosticTraits(subject: .source),
    .repeatedTimes: DiagnosticTraits(subject: .source),
    .missingFrames: DiagnosticTraits(subject: .source),
    .assumedChannels: DiagnosticTraits(subject: .source),
    .sourceBeyondMedia: DiagnosticTraits(subject: .mediaTimes),
    .mediaCutShort: DiagnosticTraits(errorCode: .truncatedMedia, subject: .mediaTimes),
    .audioCutShort: DiagnosticTraits(errorCode: .truncatedMedia, subject: .mediaTimes),
    .unwritableOutput: DiagnosticTraits(errorCode: .unsupportedOutput),
    .colorNotConvertible: DiagnosticTraits(errorCode: .unsupportedOutput),
    .blendingNotLinear: DiagnosticTraits(errorCode: .unsupportedOutput),
    .unevenEnds: DiagnosticTraits(isAdvice: true),
    .shorterThanFrame: DiagnosticTraits(isAdvice: true),
    .offFrameGrid: DiagnosticTraits(isAdvice: true),
    .canvasUnfilled: DiagnosticTraits(isAdvice: true),
    .upscaled: DiagnosticTraits(isAdvice: true),
    .mixedFrameRates: DiagnosticTraits(isAdvice: true),
    .colorClipped: DiagnosticTraits(isAdvice: true),
    .titleOutsideSafeArea: DiagnosticTraits(isAdvice: true),
    .audioClipped: DiagnosticTraits(isAdvice: true),
    .limitedPlayback: DiagnosticTraits(isAdvice: true),
  ]

  /// The traits of a code; the defaults for those of another version.
  fileprivate static func of(_ code: ValidationDiagnostic.Code) -> DiagnosticTraits { table[code] ?? DiagnosticTraits() }
}

extension ValidationDiagnostic.Code {
  /// How diagnostics of this code are treated.
  package var traits: DiagnosticTraits { DiagnosticTraits.of(self) }
}
