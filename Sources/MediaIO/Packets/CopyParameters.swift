import CCompositorFFmpeg
import CompositorAPI

/// The parameters that a track's decoder needs. Tracks with equal parameters can share one output track.
package struct CopyParameters: Sendable {
  /// Short name of the codec.
  package let codec: String
  /// Names and values, in a natural order for comparison.
  package let facts: [(name: String, value: String)]
  /// The pixel format of a video track; `nil` for audio.
  package let pixelFormat: String?
  /// The decoder's initialization data (extradata).
  package let header: [UInt8]
  /// Number of bytes of the length before each NAL unit; 0 for start codes and for other codecs.
  package let lengthSize: Int
  /// Reordering delay in frames: how far decoding runs ahead of presentation.
  package let reordering: Int
  /// Whether every frame is coded independently.
  package let isIntraOnly: Bool
  /// Whether frames have fields.
  package let isInterlaced: Bool
  /// The profile's and the level's numbers in the codec's standard.
  package let profile: Int
  package let level: Int
  /// Samples in an audio packet; 0 if they vary.
  package let frameSize: Int

  /// The first parameter that differs between two tracks: its name and both values; `nil` if none does.
  package func difference(from other: CopyParameters) -> (name: String, own: String, other: String)? {
    if codec != other.codec { return ("codec", codec, other.codec) }
    for (own, theirs) in zip(facts, other.facts) where own.value != theirs.value { return (own.name, own.value, theirs.value) }
    return nil
  }
}

extension PacketReader {
  /// The parameters that a track's decoder needs.
  package func copyParameters(_ track: Track) -> CopyParameters {
    let stream = stream(track)
    let found = cff_copy_parameters(handle, stream)
    let header = UnsafeBufferPointer(start: found.extradata, count: found.extradata == nil ? 0 : Int(found.extradata_size))
    return CopyParameters(
      codec: codec(track), facts: track.mediaType == .video ? found.videoFacts : found.audioFacts,
      pixelFormat: track.mediaType == .video ? found.formatName : nil, header: Array(header),
      lengthSize: Int(found.length_size), reordering: Int(max(0, found.reordering)), isIntraOnly: found.is_intra_only,
      // In AVFieldOrder, 0 is unknown and 1 is progressive.
      isInterlaced: found.field_order > 1, profile: Int(found.profile), level: Int(found.level),
      frameSize: Int(found.frame_size))
  }
}

extension cff_parameters {
  fileprivate var formatName: String { format.map { String(cString: $0) } ?? "unknown" }

  fileprivate var videoFacts: [(name: String, value: String)] {
    [
      ("size", "\(width)x\(height)"), ("pixel format", formatName),
      ("pixel aspect", "\(aspect_numerator):\(aspect_denominator)"),
      ("profile", "\(profile)"), ("level", "\(level)"), ("color primaries", "\(primaries)"),
      ("transfer function", "\(transfer)"), ("matrix", "\(matrix)"), ("range", "\(range)"), ("field order", "\(field_order)"),
    ]
  }

  fileprivate var audioFacts: [(name: String, value: String)] {
    [
      ("sample rate", "\(sample_rate) Hz"), ("number of channels", "\(channel_count)"), ("sample format", formatName),
      ("profile", "\(profile)"),
    ]
  }
}

/// How a video packet can begin a sequence of frames.
package enum PacketEntry: Sendable {
  /// It refers to earlier frames.
  case none
  /// Frames shown after it can be decoded from here on.
  case open
  /// No later frame refers to anything before it.
  case closed
}

extension CodedPacket {
  /// How the packet can begin a sequence of frames.
  package var entry: PacketEntry {
    switch facts.entry {
    case CFF_ENTRY_OPEN: .open
    case CFF_ENTRY_CLOSED: .closed
    default: .none
    }
  }

  /// Whether it is decoded only as a reference and never shown.
  package var isHidden: Bool { facts.is_hidden }
  /// Duration in ticks of the stream; 0 if unknown.
  package var duration: Int64 { Timebase.clamped(max(0, facts.duration)) }
  /// Samples per channel; 0 for video and if unknown.
  package var sampleCount: Int64 { facts.sample_count }
  /// Where a decoder places its samples, counted from media time 0; `nil` if they aren't counted.
  package var samples: Range<Int64>? {
    facts.first_sample == Int64.min || facts.end_sample < facts.first_sample ? nil : facts.first_sample..<facts.end_sample
  }
  /// Whether the file states a presentation time.
  package var hasTime: Bool { facts.time != Int64.min }
  /// Whether the file states a decoding time, or it follows from the packets before.
  package var hasDecodeTime: Bool { facts.decode_time != Int64.min }
}
