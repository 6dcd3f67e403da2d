public import Foundation

/// Makes a description of audio.
///
/// - Parameters:
///   - layout: The order of channels, of `layoutSize` bytes; `nil` if it is not known.
///   - magicCookie: What a decoder needs, of `magicCookieSize` bytes; `nil` for nothing.
@discardableResult
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
  extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  guard layoutSize >= 0, magicCookieSize >= 0 else { return kCMFormatDescriptionError_InvalidParameter }
  func data(_ base: UnsafeRawPointer?, _ count: Int) -> NSData? {
    guard let base, count > 0 else { return nil }
    return NSData(bytes: base, length: count)
  }
  // A layout without descriptions may be passed by its first three fields.
  let whole = data(layout.map { UnsafeRawPointer($0) }, layoutSize).map { NSMutableData(data: $0 as Data) }
  if let whole, whole.length < MemoryLayout<AudioChannelLayout>.size { whole.length = MemoryLayout<AudioChannelLayout>.size }
  formatDescriptionOut.pointee = CMFormatDescription(
    kCMMediaType_Audio, asbd.pointee.mFormatID, extensions: extensions, stream: asbd.pointee,
    layout: whole, cookie: data(magicCookie, magicCookieSize))
  return 0
}

/// The format of the stream, which lasts as long as the description; `nil` if it is not audio.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  desc.audio.map { UnsafePointer($0.stream) }
}

/// The order of channels, which lasts as long as the description; `nil` if it is not known.
///
/// - Parameter sizeOut: Where its number of bytes is written.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  guard let layout = desc.audio?.layout else {
    sizeOut?.pointee = 0
    return nil
  }
  sizeOut?.pointee = layout.length
  return layout.bytes.assumingMemoryBound(to: AudioChannelLayout.self)
}

/// What a decoder needs, which lasts as long as the description; `nil` if there is nothing.
///
/// - Parameter sizeOut: Where its number of bytes is written.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  sizeOut?.pointee = desc.audio?.cookie?.length ?? 0
  return desc.audio?.cookie?.bytes
}

extension CMFormatDescription {
  /// A description of a stream.
  ///
  /// - Parameters:
  ///   - layout: The order of channels, by a tag; `nil` if it is not known.
  ///   - cookie: What a decoder needs; `nil` for nothing.
  ///   - origin: Where it was found.
  package convenience init(
    audio stream: AudioStreamBasicDescription, layout: ManagedAudioChannelLayout? = nil, cookie: NSData? = nil,
    origin: (any Sendable)? = nil
  ) {
    let bytes = layout?.withUnsafePointer { NSData(bytes: $0, length: MemoryLayout<AudioChannelLayout>.size) }
    self.init(
      kCMMediaType_Audio, stream.mFormatID, extensions: nil, stream: stream, layout: bytes, cookie: cookie, origin: origin)
  }

  /// Makes a description of audio.
  ///
  /// - Throws: Nothing: the declaration is that of Apple's systems.
  public convenience init(
    audioStreamBasicDescription: AudioStreamBasicDescription, magicCookie: Data? = nil
  ) throws {
    self.init(
      kCMMediaType_Audio, audioStreamBasicDescription.mFormatID, extensions: nil, stream: audioStreamBasicDescription,
      cookie: magicCookie.map { NSData(data: $0) })
  }
}
