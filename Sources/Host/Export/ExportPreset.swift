public import CompositorAPI
public import CompositorMediaIO

/// A colour and a codec that go together: what people deliver.
///
/// ```swift
/// ExportPreset.hevcPQ.apply(to: &edit)
/// let settings = ExportSettings(video: ExportPreset.hevcPQ.video)
/// ```
public enum ExportPreset: String, Hashable, Sendable, Codable, CaseIterable {
  /// BT.709 in H.264, 8 bits.
  case h264SDR = "h264-sdr"
  /// BT.709 in HEVC.
  case hevcSDR = "hevc-sdr"
  /// HLG in HEVC Main 10.
  case hevcHLG = "hevc-hlg"
  /// PQ in HEVC Main 10: HDR10.
  case hevcPQ = "hevc-pq"
  /// HLG in AV1, 10 bits.
  case av1HLG = "av1-hlg"
  /// PQ in AV1, 10 bits.
  case av1PQ = "av1-pq"
  /// HLG in ProRes 422 HQ, for another grading.
  case proResHLG = "prores-hlg"
  /// PQ in ProRes 422 HQ, for another grading.
  case proResPQ = "prores-pq"
  /// HLG in FFV1, lossless.
  case ffv1HLG = "ffv1-hlg"
  /// PQ in FFV1, lossless.
  case ffv1PQ = "ffv1-pq"

  /// What every player shows: BT.709 in H.264, 8 bits.
  public static var h264: ExportPreset { .h264SDR }
  /// BT.709 in HEVC.
  public static var hevc: ExportPreset { .hevcSDR }

  /// The colour of the frames.
  public var color: ColorTags {
    switch self {
    case .h264SDR, .hevcSDR: .bt709
    case .hevcHLG, .av1HLG, .proResHLG, .ffv1HLG: .bt2100HLG
    case .hevcPQ, .av1PQ, .proResPQ, .ffv1PQ: .bt2100PQ
    }
  }

  /// How pictures are encoded, at the codec's own quality.
  public var video: VideoEncodingSettings {
    switch self {
    case .h264SDR: VideoEncodingSettings(codec: .h264)
    case .hevcSDR, .hevcHLG, .hevcPQ: VideoEncodingSettings(codec: .hevc)
    case .av1HLG, .av1PQ: VideoEncodingSettings(codec: .av1)
    case .proResHLG, .proResPQ: VideoEncodingSettings(codec: .proRes, proResProfile: .hq)
    case .ffv1HLG, .ffv1PQ: VideoEncodingSettings(codec: .ffv1)
    }
  }

  /// Renders an edit to the preset's colour, in the layout that codec, sources and colour ask for.
  public func apply(to edit: inout Edit) {
    edit.render(in: color)
    edit.output.format = nil
  }
}
