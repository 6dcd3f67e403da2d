internal import Compositor
internal import Foundation

extension AVAsset {
  /// What the file says about itself: items in QuickTime's key space, those that all formats have with a common key; a composition says
  /// nothing.
  public var metadata: [AVMetadataItem] { (try? readMetadata()) ?? [] }

  /// What the file says under keys that all formats have.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

  func readMetadata() throws(AVError) -> [AVMetadataItem] {
    guard let facts else { return [] }
    return MetadataNames.items(try facts.info().metadata)
  }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// What the file says about itself.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("metadata") { try $0.readMetadata() }
  }
  /// What the file says under keys that all formats have.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { try $0.readMetadata().filter { $0.commonKey != nil } }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// What the track says about itself.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty("metadata") { $0.readMetadata() } }
  /// What the track says under keys that all formats have.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { $0.readMetadata().filter { $0.commonKey != nil } }
  }
}

extension MetadataNames {
  /// Keys of QuickTime's metadata by the compositor's names.
  private static let quickTime: [String: String] = [
    "title": "title", "artist": "artist", "album": "album", "date": "creationdate", "comment": "comment",
    "copyright": "copyright", "location": "location.ISO6709", "make": "make", "model": "model",
  ]

  /// Common keys by those of QuickTime's metadata.
  static let commonKeys: [String: AVMetadataKey] = Dictionary(
    uniqueKeysWithValues: [
      ("title", .commonKeyTitle), ("artist", .commonKeyArtist), ("album", .commonKeyAlbumName),
      ("creationdate", .commonKeyCreationDate), ("comment", .commonKeyDescription), ("copyright", .commonKeyCopyrights),
      ("location.ISO6709", .commonKeyLocation), ("make", .commonKeyMake), ("model", .commonKeyModel),
    ].map { ("com.apple.quicktime.\($0)", $1) })

  /// What libavformat states of a file's type among its metadata.
  private static let fileType: Set<String> = ["major_brand", "minor_version", "compatible_brands"]

  /// Items of what a file says, in the order of their keys.
  static func items(_ metadata: [String: String]) -> [AVMetadataItem] {
    metadata.filter { !fileType.contains($0.key) }.sorted { $0.key < $1.key }.map { name, value in
      let item = AVMutableMetadataItem()
      item.keySpace = .quickTimeMetadata
      item.key = NSString(string: quickTime[name].map { "com.apple.quicktime.\($0)" } ?? name)
      item.value = NSString(string: value)
      item.dataType = "com.apple.metadata.datatype.UTF-8"
      return (item.copy() as? AVMetadataItem) ?? item
    }
  }
}
