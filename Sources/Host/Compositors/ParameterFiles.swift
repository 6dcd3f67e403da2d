import CompositorAPI
import CompositorMediaIO

/// Files that parameters name: the host reads them, compositors are given texts.
enum ParameterFiles {
  /// The same parameters, with the text of each file in place of its path.
  ///
  /// - Throws: `.invalidParameter` where a file cannot be read, is too long, or is no UTF-8 text.
  static func reading(
    _ parameters: ParameterValues, for descriptor: CompositorDescriptor
  ) throws(CompositorError) -> ParameterValues {
    var result = parameters
    for description in descriptor.parameters {
      guard case .textFile(let limit) = description.kind, case .string(let path)? = parameters[description.key], !path.isEmpty
      else {
        // No file was given: the compositor gets an empty text.
        continue
      }
      result[description.key] = .string(try text(of: path, maximumByteCount: limit, key: description.key, descriptor.id))
    }
    return result
  }

  private static func text(
    of path: String, maximumByteCount: Int, key: String, _ id: CompositorID
  ) throws(CompositorError) -> String {
    let place = ErrorLocation(file: path, compositor: id)
    let bytes: [UInt8]
    do throws(CompositorError) {
      bytes = try RegularFile.bytes(of: path, maximumByteCount: maximumByteCount)
    } catch {
      throw CompositorError(
        .invalidParameter, "The file of “\(key)” cannot be read: \(error.message)",
        recoverySuggestion: error.recoverySuggestion,
        cause: error.cause, at: place)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CompositorError(
        .invalidParameter, "The file of “\(key)” is not a text.", recoverySuggestion: "Give a file of UTF-8 text.", at: place)
    }
    return text
  }
}
