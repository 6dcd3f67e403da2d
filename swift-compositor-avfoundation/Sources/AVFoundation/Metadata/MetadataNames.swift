internal import Compositor
internal import Foundation

/// Keys of metadata as the compositor names them.
enum MetadataNames {
  private static let names = [
    "title": "title", "artist": "artist", "author": "artist", "albumName": "album", "creationDate": "date",
    "description": "comment", "copyrights": "copyright", "location": "location", "make": "make", "model": "model",
    "com.apple.quicktime.location.ISO6709": "location", "com.apple.quicktime.title": "title",
    "com.apple.quicktime.artist": "artist", "com.apple.quicktime.album": "album",
    "com.apple.quicktime.creationdate": "date", "com.apple.quicktime.comment": "comment",
    "com.apple.quicktime.copyright": "copyright", "com.apple.quicktime.make": "make",
    "com.apple.quicktime.model": "model",
  ]

  /// The items that a container can hold.
  static func values(_ items: [AVMetadataItem], in container: MovieContainer) -> [String: String] {
    var values: [String: String] = [:]
    for item in items {
      let key = item.key.map { "\($0)" }
      guard let name = key.flatMap({ names[$0] }), container.metadataKeys.contains(name) else { continue }
      values[name] = item.stringValue ?? item.dateValue.map { ISO8601DateFormatter().string(from: $0) }
    }
    return values
  }
}
