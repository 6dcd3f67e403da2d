package import CompositorAPI
import CompositorMediaIO

/// Files named by parameters. The host reads them and passes their contents to compositors.
package enum ParameterFiles {
  /// Replaces the path of each file by the file's contents.
  ///
  /// - Throws: `.invalidParameter` if a file cannot be read, is too long, or isn't UTF-8.
  package static func reading(
    _ parameters: ParameterValues, for descriptor: CompositorDescriptor
  ) throws(CompositorError) -> ParameterValues {
    var result = parameters
    for description in descriptor.parameters {
      guard let limit = description.kind.fileLimit, case .string(let path)? = parameters[description.key], !path.isEmpty else {
        // No file was given, so the compositor receives an empty string, or no bytes.
        continue
      }
      let place = ErrorLocation(file: path, compositor: descriptor.id)
      let bytes = try bytes(of: path, maximumByteCount: limit, key: description.key, at: place)
      if case .file = description.kind {
        result[description.key] = .data(bytes)
      } else {
        result[description.key] = .string(try text(of: bytes, key: description.key, at: place))
      }
    }
    return result
  }

  private static func bytes(
    of path: String, maximumByteCount: Int, key: String, at place: ErrorLocation
  ) throws(CompositorError) -> [UInt8] {
    do throws(CompositorError) {
      return try RegularFile.bytes(of: path, maximumByteCount: maximumByteCount)
    } catch {
      throw CompositorError(
        .invalidParameter, "The file of “\(key)” cannot be read: \(error.message)",
        recoverySuggestion: error.recoverySuggestion,
        cause: error.cause, at: place)
    }
  }

  private static func text(of bytes: [UInt8], key: String, at place: ErrorLocation) throws(CompositorError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CompositorError(
        .invalidParameter, "The file of “\(key)” isn't UTF-8 text.", recoverySuggestion: "Use a UTF-8 text file.", at: place)
    }
    return text
  }
}
