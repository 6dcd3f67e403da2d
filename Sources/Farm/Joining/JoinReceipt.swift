import CompositorAPI
import CompositorMediaIO
import Foundation

/// Describes the movie that was joined last, in `joined.json` in the folder of parts. A task that joins again after it succeeded
/// finds its movie by it.
///
/// The movie is identified by its size and the time of its last change rather than by a digest: reading an hour of video again
/// would take as long as joining it.
struct JoinReceipt: Hashable, Codable {
  /// The plan's name.
  var plan: String
  /// Size of the movie in bytes.
  var byteCount: Int64
  /// The time of its last change, in seconds and nanoseconds since 1970.
  var changed: [Int]

  /// The receipt for a file as it is now; nil if there is no regular file.
  init?(plan: String, movie path: String) {
    guard let state = RegularFile.state(of: path) else { return nil }
    self.plan = plan
    byteCount = state.byteCount
    changed = state.modified
  }

  private static func path(in folder: PartsFolder) -> String { "\(folder.path)/joined.json" }

  /// Reads the receipt of a folder; nil if there is none.
  init?(in folder: PartsFolder) {
    guard let bytes = try? RegularFile.bytes(of: Self.path(in: folder), maximumByteCount: 1 << 20),
      let read = try? JSONDecoder().decode(JoinReceipt.self, from: Data(bytes))
    else { return nil }
    self = read
  }

  /// Writes the receipt. The movie is complete without it, so a folder that cannot be written is not an error.
  func write(in folder: PartsFolder) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let bytes = try? encoder.encode(self) else { return }
    try? AtomicOutput.write(Array(bytes) + [UInt8(ascii: "\n")], to: Self.path(in: folder), overwrites: true)
  }
}
