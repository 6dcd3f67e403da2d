internal import Compositor
internal import Foundation

extension AVAsset {
  /// What the file says about itself. Items that all formats have are in the common key space, others in that of QuickTime; a
  /// composition says nothing.
  public var metadata: [AVMetadataItem] { (try? readMetadata()) ?? [] }

  /// What the file says under keys that all formats have.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.keySpace == .common } }

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
    AVAsyncProperty("commonMetadata") { try $0.readMetadata().filter { $0.keySpace == .common } }
  }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// What the track says about itself.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty("metadata") { $0.readMetadata() } }
  /// What the track says under keys that all formats have.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty("commonMetadata") { $0.readMetadata().filter { $0.keySpace == .common } }
  }
}

extension MetadataNames {
  private static let common: [String: AVMetadataKey] = [
    "title": .commonKeyTitle, "artist": .commonKeyArtist, "album": .commonKeyAlbumName, "date": .commonKeyCreationDate,
    "comment": .commonKeyDescription, "copyright": .commonKeyCopyrights, "location": .commonKeyLocation,
    "make": .commonKeyMake, "model": .commonKeyModel,
  ]

  /// Items of what a file says, in the order of their keys.
  static func items(_ metadata: [String: String]) -> [AVMetadataItem] {
    metadata.sorted { $0.key < $1.key }.map { name, value in
      let item = AVMutableMetadataItem()
      if let key = common[name] {
        item.identifier = AVMetadataIdentifier(rawValue: "common/\(key.rawValue)")
      } else {
        item.identifier = AVMetadataIdentifier(rawValue: "mdta/\(name)")
      }
      item.value = NSString(string: value)
      item.dataType = "com.apple.metadata.datatype.UTF-8"
      return (item.copy() as? AVMetadataItem) ?? item
    }
  }
}
