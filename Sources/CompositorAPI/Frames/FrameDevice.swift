/// The name of a device with memory of its own, such as `cuda:0`. Devices of one name are the same device.
public struct DeviceID: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public var rawValue: String
  /// Creates an ID from any string.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates an ID from any string.
  public init(stringLiteral value: String) { self.rawValue = value }
  /// The name.
  public var description: String { rawValue }
}

/// A device with memory of its own, such as a GPU, whose compositors take frames there.
///
/// A compositor that wants frames of a device says so in ``CompositorDescriptor/device``, and its factory brings the device:
/// ``CompositorFactory/init(_:device:)``. The host then uploads source frames that aren't on the device yet, each at most once as
/// long as the frame lives, and downloads results only for those who read them in the host's memory. The package itself ships no
/// device.
public protocol FrameDevice: Sendable {
  /// The name of the device.
  var id: DeviceID { get }

  /// Copies a frame from the host's memory into a new image of the device.
  ///
  /// Called on any thread, for several frames at a time. The planes are valid until this returns: a device that copies later
  /// must wait for its own copy to end.
  ///
  /// - Parameters:
  ///   - planes: The planes, in the format's order.
  ///   - format: The pixel format.
  ///   - size: The size in pixels.
  /// - Throws: Any error, if the device has no memory left or failed. It ends the render as `.deviceFailed`.
  func upload(_ planes: Planes, format: PixelFormat, size: PixelSize) throws -> any DeviceImage
}

/// The pixels of one frame in the memory of a device.
///
/// The host releases the image with the last copy of its frame. An image isn't written to any more once a frame of it exists,
/// apart from work that the device was given before: ``wait()`` returns when that is done.
public protocol DeviceImage: AnyObject, Sendable {
  /// The device that the image belongs to.
  var device: DeviceID { get }

  /// Returns when the device has written all pixels. Called on any thread, before each download; returns at once by default.
  ///
  /// - Throws: Any error of the work that the device was given.
  func wait() throws

  /// Copies the pixels to planes of the host's memory, of the frame's format and size. Called on any thread, after ``wait()``,
  /// at most once for a frame unless it failed.
  ///
  /// - Throws: Any error; it ends the render as `.deviceFailed`.
  func download(into planes: MutablePlanes) throws
}

extension DeviceImage {
  /// Returns at once.
  public func wait() throws {}
}
