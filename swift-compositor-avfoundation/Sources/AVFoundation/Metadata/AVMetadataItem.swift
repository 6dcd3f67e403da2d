public import Foundation

/// Where a key of metadata is defined.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A key space by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Keys that all formats have.
  public static let common = AVMetadataKeySpace(rawValue: "comn")
  /// Keys of QuickTime's metadata.
  public static let quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
  /// Keys of QuickTime's user data.
  public static let quickTimeUserData = AVMetadataKeySpace(rawValue: "udta")
  /// Keys of iTunes.
  public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
}

/// A key that all formats have.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A key by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The title.
  public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
  /// Who plays.
  public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
  /// Who made it.
  public static let commonKeyAuthor = AVMetadataKey(rawValue: "author")
  /// The album.
  public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
  /// When it was made.
  public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
  /// What it is about.
  public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
  /// Who has the rights.
  public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
  /// Where it was recorded, as ISO 6709 states it.
  public static let commonKeyLocation = AVMetadataKey(rawValue: "location")
  /// Who made the camera.
  public static let commonKeyMake = AVMetadataKey(rawValue: "make")
  /// The camera.
  public static let commonKeyModel = AVMetadataKey(rawValue: "model")
  /// Where it was recorded, in QuickTime's metadata.
  public static let quickTimeMetadataKeyLocationISO6709 = AVMetadataKey(rawValue: "com.apple.quicktime.location.ISO6709")
  /// The title, in QuickTime's metadata.
  public static let quickTimeMetadataKeyTitle = AVMetadataKey(rawValue: "com.apple.quicktime.title")
  /// When it was made, in QuickTime's metadata.
  public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(rawValue: "com.apple.quicktime.creationdate")
  /// Who made the camera, in QuickTime's metadata.
  public static let quickTimeMetadataKeyMake = AVMetadataKey(rawValue: "com.apple.quicktime.make")
  /// The camera, in QuickTime's metadata.
  public static let quickTimeMetadataKeyModel = AVMetadataKey(rawValue: "com.apple.quicktime.model")
  /// The program.
  public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
}

/// A key with its key space.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// The key space, a slash and the key.
  public let rawValue: String
  /// An identifier by its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// An identifier by its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  private static func common(_ key: AVMetadataKey) -> AVMetadataIdentifier {
    AVMetadataIdentifier(rawValue: "common/\(key.rawValue)")
  }

  /// The title.
  public static let commonIdentifierTitle = common(.commonKeyTitle)
  /// Who plays.
  public static let commonIdentifierArtist = common(.commonKeyArtist)
  /// The album.
  public static let commonIdentifierAlbumName = common(.commonKeyAlbumName)
  /// When it was made.
  public static let commonIdentifierCreationDate = common(.commonKeyCreationDate)
  /// What it is about.
  public static let commonIdentifierDescription = common(.commonKeyDescription)
  /// Who has the rights.
  public static let commonIdentifierCopyrights = common(.commonKeyCopyrights)
  /// Where it was recorded, as ISO 6709 states it.
  public static let commonIdentifierLocation = common(.commonKeyLocation)
  /// Who made the camera.
  public static let commonIdentifierMake = common(.commonKeyMake)
  /// The camera.
  public static let commonIdentifierModel = common(.commonKeyModel)
  /// Where it was recorded, as ISO 6709 states it.
  public static let quickTimeMetadataLocationISO6709 = AVMetadataIdentifier(
    rawValue: "mdta/com.apple.quicktime.location.ISO6709")
  /// The title.
  public static let quickTimeMetadataTitle = AVMetadataIdentifier(rawValue: "mdta/com.apple.quicktime.title")
}

/// Something that a file says about itself.
open class AVMetadataItem: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
  struct Values {
    var identifier: AVMetadataIdentifier?
    var keySpace: AVMetadataKeySpace?
    var key: (any NSCopying & NSObjectProtocol)?
    var value: (any NSCopying & NSObjectProtocol)?
    var dataType: String?
    var extendedLanguageTag: String?
    var locale: Locale?
    var time = CMTime.invalid
    var duration = CMTime.invalid
  }

  var values = Values()

  /// An item that says nothing.
  public override init() { super.init() }

  /// The key with its key space; `nil` if there is none.
  open var identifier: AVMetadataIdentifier? {
    if let identifier = values.identifier { return identifier }
    guard let space = values.keySpace, let key = values.key else { return nil }
    return AVMetadataIdentifier(rawValue: "\(space == .common ? "common" : space.rawValue)/\(key)")
  }
  /// The key space; `nil` if there is none.
  open var keySpace: AVMetadataKeySpace? {
    if let space = values.keySpace { return space }
    let name = values.identifier?.rawValue.split(separator: "/", maxSplits: 1).first.map(String.init)
    return name.map { $0 == "common" ? .common : AVMetadataKeySpace(rawValue: $0) }
  }
  /// The key; `nil` if there is none.
  open var key: (any NSCopying & NSObjectProtocol)? {
    if let key = values.key { return key }
    return values.identifier?.rawValue.split(separator: "/", maxSplits: 1).last.map { NSString(string: String($0)) }
  }
  /// The key in the common key space; `nil` if it has none there.
  open var commonKey: AVMetadataKey? {
    let name = key.map { "\($0)" }
    return keySpace == .common ? name.map { AVMetadataKey(rawValue: $0) } : name.flatMap { MetadataNames.commonKeys[$0] }
  }
  /// What is said.
  open var value: (any NSCopying & NSObjectProtocol)? { values.value }
  /// The type of the value.
  open var dataType: String? { values.dataType }
  /// The language as a BCP 47 tag.
  open var extendedLanguageTag: String? { values.extendedLanguageTag }
  /// The language and region.
  open var locale: Locale? { values.locale }
  /// When it is said.
  open var time: CMTime { values.time }
  /// How long it is said.
  open var duration: CMTime { values.duration }
  /// The value as text; `nil` if it is none.
  open var stringValue: String? { (value as? NSString).map { $0 as String } ?? (value as? NSNumber)?.stringValue }
  /// The value as a number; `nil` if it is none.
  open var numberValue: NSNumber? { value as? NSNumber }
  /// The value as a date; `nil` if it is none.
  open var dateValue: Date? {
    (value as? NSDate).map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
  }
  /// The value as bytes; `nil` if it is none.
  open var dataValue: Data? { (value as? NSData).map { Data(referencing: $0) } }

  /// The same item, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = AVMetadataItem()
    copy.values = values
    return copy
  }

  /// The same item, which may be changed.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = AVMutableMetadataItem()
    copy.values = values
    return copy
  }

  /// The items of an identifier, which may be one of the common key space for items of any.
  open class func metadataItems(
    from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] {
    metadataItems.filter { item in
      item.identifier == identifier || item.commonKey.map { identifier.rawValue == "common/\($0.rawValue)" } == true
    }
  }
}

extension AVMetadataItem {
  /// A property of an item.
  public struct AsyncProperty<Value>: Sendable {
    fileprivate let read: @Sendable (AVMetadataItem) -> Value
    fileprivate init(_ read: @escaping @Sendable (AVMetadataItem) -> Value) { self.read = read }
  }

  /// A property, which an item knows at once.
  ///
  /// - Throws: Nothing: the declaration is that of Apple's systems.
  public func load<Value>(_ property: AsyncProperty<Value>) async throws -> Value { property.read(self) }
}

extension AVMetadataItem.AsyncProperty where Value == (any NSCopying & NSObjectProtocol)? {
  /// What is said.
  public static var value: Self { Self { $0.value } }
}

extension AVMetadataItem.AsyncProperty where Value == String? {
  /// The value as text.
  public static var stringValue: Self { Self { $0.stringValue } }
}

extension AVMetadataItem.AsyncProperty where Value == NSNumber? {
  /// The value as a number.
  public static var numberValue: Self { Self { $0.numberValue } }
}

extension AVMetadataItem.AsyncProperty where Value == Date? {
  /// The value as a date.
  public static var dateValue: Self { Self { $0.dateValue } }
}

extension AVMetadataItem.AsyncProperty where Value == Data? {
  /// The value as bytes.
  public static var dataValue: Self { Self { $0.dataValue } }
}

/// Something that a file is to say about itself.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
  /// The key with its key space.
  open override var identifier: AVMetadataIdentifier? {
    get { super.identifier }
    set { values.identifier = newValue }
  }
  /// The key space.
  open override var keySpace: AVMetadataKeySpace? {
    get { super.keySpace }
    set { values.keySpace = newValue }
  }
  /// The key.
  open override var key: (any NSCopying & NSObjectProtocol)? {
    get { super.key }
    set { values.key = newValue }
  }
  /// What is said.
  open override var value: (any NSCopying & NSObjectProtocol)? {
    get { super.value }
    set { values.value = newValue }
  }
  /// The type of the value.
  open override var dataType: String? {
    get { super.dataType }
    set { values.dataType = newValue }
  }
  /// The language as a BCP 47 tag.
  open override var extendedLanguageTag: String? {
    get { super.extendedLanguageTag }
    set { values.extendedLanguageTag = newValue }
  }
  /// The language and region.
  open override var locale: Locale? {
    get { super.locale }
    set { values.locale = newValue }
  }
  /// When it is said.
  open override var time: CMTime {
    get { super.time }
    set { values.time = newValue }
  }
  /// How long it is said.
  open override var duration: CMTime {
    get { super.duration }
    set { values.duration = newValue }
  }
}
