@_exported public import CoreAudioTypes
internal import CoreVideo
public import Foundation

/// The format of a stream: of pictures, of audio, or of other media.
///
/// A description does not change, and equals another one of the same values. May be used from any thread.
public final class CMFormatDescription: Hashable, CustomStringConvertible, @unchecked Sendable, CoreFoundationType {
  /// What the stream holds.
  public let mediaType: MediaType
  /// The codec, or the format of media that are not compressed.
  public let mediaSubType: MediaSubType
  /// The size of pictures as they are stored; zeros for other media.
  public let dimensions: CMVideoDimensions
  let extensionValues: NSDictionary
  /// Where a reader found the format, which a writer of coded samples needs. It is not compared.
  package let origin: (any Sendable)?
  let audio: Audio?
  package static let typeNumber: CFTypeID = 304

  /// The parts of a format of audio, at addresses that last as long as the description.
  struct Audio {
    let stream: UnsafeMutablePointer<AudioStreamBasicDescription>
    let layout: NSData?
    let cookie: NSData?
  }

  init(
    _ type: CMMediaType, _ subType: FourCharCode, dimensions: CMVideoDimensions = CMVideoDimensions(),
    extensions: CFDictionary?,
    stream: AudioStreamBasicDescription? = nil, layout: NSData? = nil, cookie: NSData? = nil, origin: (any Sendable)? = nil
  ) {
    self.origin = origin
    mediaType = MediaType(rawValue: type)
    mediaSubType = MediaSubType(rawValue: subType)
    self.dimensions = dimensions
    extensionValues = extensions ?? NSDictionary()
    audio = stream.map { stream in
      let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
      memory.initialize(to: stream)
      return Audio(stream: memory, layout: layout, cookie: cookie)
    }
  }

  deinit { audio?.stream.deallocate() }

  /// Whether both say the same.
  public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
    guard left !== right else { return true }
    let (streams, layouts) = (
      (left.audio?.stream.pointee, right.audio?.stream.pointee), (left.audio?.layout, right.audio?.layout)
    )
    return left.mediaType == right.mediaType && left.mediaSubType == right.mediaSubType
      && left.dimensions.width == right.dimensions.width && left.dimensions.height == right.dimensions.height
      && left.extensionValues == right.extensionValues && bytes(of: streams.0) == bytes(of: streams.1)
      && layouts.0 == layouts.1 && left.audio?.cookie == right.audio?.cookie
  }

  /// The hash of the types and the size.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(mediaType)
    hasher.combine(mediaSubType)
    hasher.combine(dimensions.width)
    hasher.combine(dimensions.height)
  }

  /// The types, the size of pictures, rate and channels of audio.
  public var description: String {
    var parts = ["\(mediaType)", "\(mediaSubType)"]
    if mediaType == .video { parts.append("\(dimensions.width) × \(dimensions.height)") }
    if let stream = audio?.stream.pointee { parts.append("\(stream.mSampleRate) Hz, \(stream.mChannelsPerFrame) channels") }
    return "CMFormatDescription(\(parts.joined(separator: ", ")))"
  }

  /// What else is known, by keys such as `kCMFormatDescriptionExtension_ColorPrimaries`.
  public var extensions: Extensions { Extensions(values: extensionValues as? [String: Any] ?? [:]) }
  /// The format of the stream; `nil` if it is not audio.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? { audio?.stream.pointee }
  /// The order of channels; `nil` if it is not known.
  public var audioChannelLayout: ManagedAudioChannelLayout? {
    CMAudioFormatDescriptionGetChannelLayout(self, sizeOut: nil).map(ManagedAudioChannelLayout.init)
  }
  /// What a decoder needs; `nil` if there is nothing.
  public var magicCookie: Data? { audio?.cookie.map { Data(referencing: $0) } }
}

/// The format of pictures.
public typealias CMVideoFormatDescription = CMFormatDescription
/// The format of audio.
public typealias CMAudioFormatDescription = CMFormatDescription

/// The fields that are compared.
private func bytes(of stream: AudioStreamBasicDescription?) -> [Double]? {
  stream.map {
    [$0.mSampleRate]
      + [
        $0.mFormatID, $0.mFormatFlags, $0.mBytesPerPacket, $0.mFramesPerPacket, $0.mBytesPerFrame, $0.mChannelsPerFrame,
        $0.mBitsPerChannel,
      ].map(Double.init)
  }
}

/// The type of format descriptions.
public func CMFormatDescriptionGetTypeID() -> CFTypeID { CMFormatDescription.typeNumber }

/// Makes a description of any media.
@discardableResult
public func CMFormatDescriptionCreate(
  allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
  formatDescriptionOut.pointee = CMFormatDescription(mediaType, mediaSubType, extensions: extensions)
  return 0
}

/// What the stream holds.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType.rawValue }

/// The codec, or the format of media that are not compressed.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.mediaSubType.rawValue }

/// What else is known; `nil` if nothing is.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
  desc.extensionValues.count == 0 ? nil : desc.extensionValues
}

/// What is known under a key; `nil` if nothing is.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString) -> CFTypeRef? {
  desc.extensionValues.object(forKey: extensionKey) as AnyObject?
}

/// Whether both say the same.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription == otherFormatDescription
}
