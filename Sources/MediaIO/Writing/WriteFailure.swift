import CCompositorFFmpeg
import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a negative libav number means for somebody who writes a file.
struct WriteFailure {
  let number: Int32

  /// A sentence of the library or of the operating system.
  var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      buffer.initialize(repeating: 0)
      guard let base = buffer.baseAddress else { return "error \(number)" }
      cff_error_text(number, base, buffer.count)
      return String(cString: base)
    }
  }

  /// The error of a file that could not be created or written.
  func writing(_ path: String) -> CompositorError {
    let number = cff_error_errno(number)
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
      code, "The file could not be written.", recoverySuggestion: recoverySuggestion, cause: text, at: ErrorLocation(file: path)
    )
  }

  /// The error of an encoder that refused its settings or a frame.
  func encoding(_ encoder: String, file path: String) -> CompositorError {
    if cff_error_errno(number) == ENOMEM {
      return CompositorError(
        .resourceExhausted, "Memory ran out in the encoder \(encoder).", cause: text, at: ErrorLocation(file: path))
    }
    return CompositorError(
      .encodeFailed, "The encoder \(encoder) failed.", recoverySuggestion: "Try another size, quality or codec.", cause: text,
      at: ErrorLocation(file: path))
  }
}
