import CCompositorFFmpeg
import CompositorAPI

extension CompositorError.Code {
  /// The code that corresponds to a status of the C shim.
  init(_ status: cff_status) {
    switch status {
    case CFF_NOT_FOUND: self = .fileNotFound
    case CFF_REFUSED: self = .sourceRefused
    case CFF_UNREADABLE: self = .unreadableMedia
    case CFF_IO_FAILED: self = .readFailed
    case CFF_TRUNCATED: self = .truncatedMedia
    case CFF_NO_DECODER: self = .decoderNotFound
    case CFF_DECODE_FAILED: self = .decodeFailed
    case CFF_TOO_LARGE: self = .frameTooLarge
    case CFF_NO_STREAM: self = .trackNotFound
    case CFF_NO_FORMAT: self = .conversionNotPossible
    case CFF_NO_RESOURCE: self = .resourceExhausted
    case CFF_INVALID: self = .invalidValue
    case CFF_NO_ENCODER: self = .encoderNotFound
    case CFF_ENCODE_FAILED: self = .encodeFailed
    case CFF_NO_CONTAINER: self = .unsupportedOutput
    case CFF_CHANGED: self = .mediaChanged
    default: self = .internalFault
    }
  }

  /// How to recover from a failure to read.
  var readingRecoverySuggestion: String? {
    switch self {
    case .fileNotFound: "Check the path."
    case .sourceRefused: "Give the path of a regular file on this machine."
    case .unreadableMedia: "Check that the file is media; if it is, convert it, for example with ffmpeg."
    case .readFailed: "Check the disk or network share of the file."
    case .mediaChanged: "Render again once nothing writes to the file."
    case .truncatedMedia: "\(DamageAdvice.fetchAgain), or use only the part that is there."
    case .decoderNotFound: "Install libav with a decoder for this codec, or convert the file."
    case .frameTooLarge: "Reduce the image before using it."
    case .resourceExhausted: "Close other programs, or open fewer sources at a time."
    default: nil
    }
  }
}

extension cff_failure {
  /// The shim's error message.
  var sentence: String {
    withUnsafePointer(to: self) { String(cString: cff_failure_message($0)) }
  }

  /// The error of the package for a failure to read.
  ///
  /// - Parameter what: What failed, as a sentence without a period: "The file cannot be opened".
  func readingError(_ what: String, at location: ErrorLocation) -> CompositorError {
    let code = CompositorError.Code(status)
    var suggestion = code.readingRecoverySuggestion
    if code == .fileNotFound, let path = location.file { suggestion = PathAdvice.advice(onMissingFile: path) }
    if code == .unreadableMedia, let path = location.file, cff_file_ends_early(path) {
      suggestion = CompositorError.adviceOnCutFile
    }
    return CompositorError(code, "\(what).", recoverySuggestion: suggestion, cause: sentence, at: location)
  }
}

extension CompositorError {
  /// How to recover if a file ends before its contents do.
  static let adviceOnCutFile = "Check that the file was copied whole, or that its recording was finished: it ends early."
}
