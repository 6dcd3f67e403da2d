internal import Foundation

/// The number of a track in its file or composition; it does not change while others come and go.
public typealias CMPersistentTrackID = Int32
/// A count of items.
public typealias CMItemCount = CFIndex
/// An index of an item.
public typealias CMItemIndex = CFIndex

/// No track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// The size of a picture in pixels.
public struct CMVideoDimensions: Sendable {
  /// Pixels per row.
  public var width: Int32
  /// Rows.
  public var height: Int32

  /// No pixels.
  public init() { self.init(width: 0, height: 0) }

  /// A size of these numbers.
  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
}
