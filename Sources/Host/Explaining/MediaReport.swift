import CompositorAPI
public import CompositorMediaIO

/// What `compositor probe --json` prints: everything that is known of a media file and, for each HDR track, what it becomes in
/// SDR and by which rule.
///
/// The keys are those of ``MediaInfo``, and `conversions`: objects with `videoTrack`, `output` and `rule`; empty without HDR.
public struct MediaReport: Encodable, Sendable {
  private let info: MediaInfo

  /// Reports on media.
  public init(_ info: MediaInfo) { self.info = info }

  private struct Conversion: Encodable {
    let videoTrack: Int
    let output: String
    let rule: String
  }

  private enum CodingKeys: CodingKey {
    case conversions
  }

  /// Encodes the media and its conversions into one object.
  public func encode(to encoder: any Encoder) throws {
    try info.encode(to: encoder)
    let conversions = info.videoTracks.compactMap { track in
      track.conversionToSDR.map { Conversion(videoTrack: track.index, output: "sdr", rule: $0) }
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(conversions, forKey: .conversions)
  }
}

extension VideoTrackInfo {
  /// What HDR becomes in BT.709, and by which rule; nil for SDR.
  var conversionToSDR: String? {
    attributes.color.transfer.isHDR ? conversion(to: .bt709, policy: .standard) : nil
  }
}
