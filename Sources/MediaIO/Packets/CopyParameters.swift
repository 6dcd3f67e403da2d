import CCompositorFFmpeg
import CompositorAPI

/// What decoders of a track have to be told: equal for tracks whose packets can stand in one.
package struct CopyParameters: Sendable {
  /// Short name of the codec.
  package let codec: String
  /// Names and values, in the order in which a person would compare them.
  package let facts: [(name: String, value: String)]
  /// What decoders are started with.
  package let header: [UInt8]
  /// Bytes of the lengths before NAL units; 0 for start codes and for other codecs.
  package let lengthSize: Int
  /// Pictures that decoding runs ahead of showing.
  package let reordering: Int
  /// Whether each picture is coded by itself.
  package let isIntraOnly: Bool
  /// Whether pictures have fields.
  package let isInterlaced: Bool
  /// The profile's number in the codec's standard, and the level's.
  package let profile: Int
  package let level: Int
  /// Samples of a packet of audio; 0 if they vary.
  package let frameSize: Int

  /// The first thing that two tracks do not share: its name and both values; nil if there is none.
  package func difference(from other: CopyParameters) -> (name: String, own: String, other: String)? {
    if codec != other.codec { return ("codec", codec, other.codec) }
    for (own, theirs) in zip(facts, other.facts) where own.value != theirs.value { return (own.name, own.value, theirs.value) }
    return nil
  }
}

extension PacketReader {
  /// What decoders of a track have to be told.
  package func copyParameters(_ track: Track) -> CopyParameters {
    let stream = stream(track)
    let found = cff_copy_parameters(handle, stream)
    let header = UnsafeBufferPointer(start: found.extradata, count: found.extradata == nil ? 0 : Int(found.extradata_size))
    return CopyParameters(
      codec: codec(track), facts: track.mediaType == .video ? found.videoFacts : found.audioFacts, header: Array(header),
      lengthSize: Int(found.length_size), reordering: Int(max(0, found.reordering)), isIntraOnly: found.is_intra_only,
      // Of AVFieldOrder, 0 is unknown and 1 progressive.
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

/// How a packet of video can begin a stretch of pictures.
package enum PacketEntry: Sendable {
  /// It refers to pictures before it.
  case none
  /// Pictures that are shown after it can be decoded from here on.
  case open
  /// No later picture refers to anything before it.
  case closed
}

extension CodedPacket {
  /// How it can begin a stretch of pictures.
  package var entry: PacketEntry {
    switch facts.entry {
    case CFF_ENTRY_OPEN: .open
    case CFF_ENTRY_CLOSED: .closed
    default: .none
    }
  }

  /// Whether it is decoded for the sake of others and never shown.
  package var isHidden: Bool { facts.is_hidden }
  /// How long it is shown, in ticks of the stream; 0 if unknown.
  package var duration: Int64 { Timebase.clamped(max(0, facts.duration)) }
  /// Samples of a channel; 0 for video and if unknown.
  package var sampleCount: Int64 { facts.sample_count }
  /// Whether its file says when it is shown.
  package var hasTime: Bool { facts.time != Int64.min }
  /// When it is decoded at the latest, or shown if the file says only that.
  package var order: Int64 { facts.decode_time != Int64.min ? decodeTime : time }
}
