package import CompositorAPI

/// Properties that media takes from the output that shows it, because it has none of its own.
package struct FollowedProperties: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The frame size is that of the canvas.
  package static let size = FollowedProperties(rawValue: 1)
  /// The frame rate is that of the output.
  package static let frameRate = FollowedProperties(rawValue: 2)
}

/// Media of a program that is made for the output that shows it.
package protocol OutputFollowingMedia: MediaProvider {
  /// The properties that were taken from the output. Media never decides them.
  var followed: FollowedProperties { get }
}

extension MediaCatalog {
  /// The properties that a source takes from the output that shows it.
  package func propertiesFollowed(by source: MediaSource) -> FollowedProperties {
    if source.takesSizeOfCanvas { return .size }
    guard case .custom(let name) = source else { return [] }
    return (media(named: name) as? any OutputFollowingMedia)?.followed ?? []
  }
}
