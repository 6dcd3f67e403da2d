package import CCompositorFFmpeg
package import CompositorAPI
import CompositorPlatform

/// A failure of the shim to write a file.
package struct WriteFailure {
  /// A message of the library or of the operating system.
  package let text: String
  /// The operating system's errno; 0 if the failure has another cause.
  package let number: Int32

  /// The failure for an errno of the operating system.
  package init(errno number: Int32) {
    text = String(cString: strerror(number))
    self.number = number
  }

  /// The failure of a call; `nil` if it succeeded.
  package init?(_ body: (inout cff_failure) -> cff_status) {
    var failure = cff_failure()
    guard body(&failure) != CFF_OK else { return nil }
    text = String(cString: cff_failure_message(&failure))
    number = failure.system_error
  }

  /// The error for a file that could not be created or written.
  package func writing(_ path: String) -> CompositorError {
    if number == ECANCELED { return CompositorError(.cancelled, "Writing was stopped.", at: ErrorLocation(file: path)) }
    if number == EPIPE {
      return CompositorError(
        .writeFailed, "The reader closed the output early.", cause: text, at: ErrorLocation(file: path))
    }
    let recoverySuggestion: String? =
      switch number {
      case ENOSPC, EDQUOT: "Free some space, or write to another disk."
      case EFBIG: "Write to a file system, or with a limit, that allows larger files."
      case EACCES, EPERM, EROFS: "Choose a folder that may be written to."
      case ENOENT, ENOTDIR: "Create the folder first."
      case EISDIR: "Name a file, not a folder."
      default: nil
      }
    let code: CompositorError.Code =
      number == ENOMEM || number == EMFILE || number == ENFILE ? .resourceExhausted : .writeFailed
    return CompositorError(
      code, "The file could not be written.", recoverySuggestion: recoverySuggestion, cause: text,
      at: ErrorLocation(file: path),
      systemErrorNumber: number == 0 ? nil : number)
  }

  /// The error for an encoder that rejected its settings or a frame.
  package func encoding(_ encoder: String, file path: String) -> CompositorError {
    if number == ENOMEM {
      return CompositorError(
        .resourceExhausted, "Memory ran out in the encoder \(encoder).", cause: text, at: ErrorLocation(file: path))
    }
    return CompositorError(
      .encodeFailed, "The encoder \(encoder) failed.", recoverySuggestion: "Try another size, quality or codec.", cause: text,
      at: ErrorLocation(file: path))
  }
}
