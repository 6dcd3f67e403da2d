import CCompositorFFmpeg
import CompositorAPI
import Foundation

/// How a container stores a track. What the container doesn't state, or libavformat doesn't tell, is `nil`.
public struct TrackStorage: Sendable, Hashable, Codable {
  /// Index among all streams of the container, from 0: the order of tracks across all kinds.
  public var streamIndex: Int
  /// The container's own number of the track: the track ID of an MP4 or QuickTime file, the PID of a transport stream. `nil` for
  /// containers without numbers, and for Matroska, whose numbers libavformat doesn't tell.
  public var trackID: Int?
  /// The four-character code of the codec, such as `avc1`, as MP4, QuickTime and AVI files state it. It says how the track is
  /// stored; the codec itself is that of the track's description.
  public var codecTag: String?
  /// Whether the track is enabled (ISO/IEC 14496-12, 8.3.2). Only MP4 and QuickTime files state it.
  public var isEnabled: Bool?
  /// Units per second of the track's timestamps: the media time scale of an MP4 or QuickTime file. `nil` if a second isn't an
  /// integer number of units, as in AVI files of 30000/1001 frames per second.
  public var timescale: Int?
  /// Mean data rate in bits per second of the packets that are played. `nil` for large files, unless they are MP4 or QuickTime
  /// files with an index.
  public var dataRate: Double?
  /// Initialization data for decoders in the container's form, such as parameter sets: the contents of `avcC` or `hvcC`, an
  /// AudioSpecificConfig, parameter sets between start codes, or Matroska's CodecPrivate. Empty if there is none.
  public var extraData: [UInt8]

  /// Creates a description.
  public init(
    streamIndex: Int, trackID: Int? = nil, codecTag: String? = nil, isEnabled: Bool? = nil, timescale: Int? = nil,
    dataRate: Double? = nil, extraData: [UInt8] = []
  ) {
    self.streamIndex = streamIndex
    self.trackID = trackID
    self.codecTag = codecTag
    self.isEnabled = isEnabled
    self.timescale = timescale
    self.dataRate = dataRate
    self.extraData = extraData
  }

  private enum CodingKeys: CodingKey {
    case streamIndex, trackID, codecTag, isEnabled, timescale, dataRate, extraData
  }

  /// Decodes a description whose extra data is a Base64 string.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    streamIndex = try values.decode(Int.self, forKey: .streamIndex)
    trackID = try values.decodeIfPresent(Int.self, forKey: .trackID)
    codecTag = try values.decodeIfPresent(String.self, forKey: .codecTag)
    isEnabled = try values.decodeIfPresent(Bool.self, forKey: .isEnabled)
    timescale = try values.decodeIfPresent(Int.self, forKey: .timescale)
    dataRate = try values.decodeIfPresent(Double.self, forKey: .dataRate)
    let text = try values.decode(String.self, forKey: .extraData)
    guard let data = Data(base64Encoded: text) else {
      throw DecodingError.dataCorruptedError(forKey: .extraData, in: values, debugDescription: "It is not Base64.")
    }
    extraData = Array(data)
  }

  /// Encodes the description; extra data becomes a Base64 string.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(streamIndex, forKey: .streamIndex)
    try values.encodeIfPresent(trackID, forKey: .trackID)
    try values.encodeIfPresent(codecTag, forKey: .codecTag)
    try values.encodeIfPresent(isEnabled, forKey: .isEnabled)
    try values.encodeIfPresent(timescale, forKey: .timescale)
    try values.encodeIfPresent(dataRate, forKey: .dataRate)
    try values.encode(Data(extraData).base64EncodedString(), forKey: .extraData)
  }
}

/// The key space of a metadata entry.
public struct MetadataKeySpace: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name, as the tool's JSON has it.
  public let rawValue: String

  /// Creates the key space with a name, which may be that of another version.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The key space's name.
  public var description: String { rawValue }

  /// QuickTime metadata (`mdta`), whose keys are names such as `com.apple.quicktime.make`.
  public static let quickTimeMetadata = MetadataKeySpace(rawValue: "mdta")
}

extension MediaInfo {
  /// The key spaces of ``metadata`` by key, as far as they are known: libavformat gives user data, iTunes metadata and the tags of
  /// other containers the same plain names, such as `title`, and keeps only the keys of QuickTime metadata that are names in
  /// reverse-DNS order.
  public var metadataKeySpaces: [String: MetadataKeySpace] {
    guard ["mov", "mp4"].contains(container) else { return [:] }
    return metadata.filter { $0.key.hasPrefix("com.") }.mapValues { _ in .quickTimeMetadata }
  }
}

extension Demuxer {
  /// How the container stores a stream.
  ///
  /// - Parameters:
  ///   - extent: The measured extent of the stream.
  ///   - duration: The duration of what is played; `nil` if it is not known.
  func storage(_ index: Int, _ extent: cff_extent, lasting duration: MediaTime?) -> TrackStorage {
    let (found, stream) = (cff_stream_storage(handle, Int32(index)), stream(index))
    let seconds = duration.flatMap { $0.isNumeric && $0 > .zero ? $0.seconds : nil }
    let isWhole = stream.time_base_numerator == 1 && stream.time_base_denominator > 0
    return TrackStorage(
      streamIndex: index, trackID: found.number < 0 ? nil : Int(found.number), codecTag: Self.codecTag(found.tag),
      isEnabled: found.is_enabled < 0 ? nil : found.is_enabled == 1,
      timescale: isWhole ? Int(stream.time_base_denominator) : nil,
      dataRate: extent.byte_count < 0 ? nil : seconds.map { Double(extent.byte_count) * 8 / $0 },
      extraData: Array(
        UnsafeBufferPointer(start: found.extradata, count: found.extradata == nil ? 0 : Int(found.extradata_size))))
  }

  /// The code as a string; `nil` unless it consists of four printable characters, as the types of transport streams and the numbers of
  /// WAVE files don't.
  private static func codecTag(_ tag: UInt32) -> String? {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
    return bytes.allSatisfy { (0x20...0x7e).contains($0) } ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
