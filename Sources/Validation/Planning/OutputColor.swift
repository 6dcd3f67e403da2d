import CompositorAPI
import CompositorMediaIO

/// The color and HDR metadata of an edit's frames, with the reason.
struct OutputColor {
  /// The color.
  let tags: ColorTags
  /// A description of what determined the color.
  let reason: String

  /// Determines the color from the edit or, if it doesn't specify one, from the first of `sources` that was recorded as Y′CbCr.
  ///
  /// Stills and RGB sources don't determine the color, because a still's encoding isn't that of a movie; nor do generated
  /// sources, which are made in the output's color. Full range is used only if the edit requests it, or that of its sources,
  /// because many players display it wrongly.
  init(of edit: Edit, sources: [(source: MediaSource, info: VideoTrackInfo)], format: PixelFormat?) {
    let video = edit.videoComposition
    let recorded = sources.filter { !$0.source.isGenerated }
    let deciding = recorded.filter(\.info.decidesColor)
    let isSaid = video.colorPrimaries != nil || video.transferFunction != nil || video.matrix != nil
    var tags: ColorTags
    if let color = edit.output.color {
      (tags, reason) = (color, "as the project says")
    } else if let (source, first) = deciding.first {
      // A camera's own color is only for sources.
      let isWritable = first.attributes.color.isCodePoint
      tags = isWritable ? first.attributes.color : .bt709
      let keepsRange = edit.output.followsSourceRange && deciding.allSatisfy(\.info.isFullRange)
      tags.range = keepsRange ? .full : .limited
      let found = isWritable ? "as in \(source), the first source" : "\(source), the first source, is a camera's"
      reason = isSaid ? "as the video composition says" : found
    } else {
      (tags, reason) = (.bt709, isSaid ? "as the video composition says" : "by default")
    }
    tags.primaries = video.colorPrimaries ?? tags.primaries
    tags.transfer = video.transferFunction ?? tags.transfer
    tags.matrix = video.matrix ?? tags.matrix
    if format?.isRGB == true { (tags.matrix, tags.range) = (.identity, .full) }
    if edit.output.followsSourceChromaSites, let site = OutputColor.commonSite(recorded.map(\.info)) {
      tags.chromaLocation = site
    }
    self.tags = tags
  }

  /// The chroma location that all sources with subsampled chroma share; `nil` if they differ, or if there are none.
  private static func commonSite(_ tracks: [VideoTrackInfo]) -> ChromaLocation? {
    let sites = Set(
      tracks.filter { !$0.isStill && $0.format.subsampling == .s420 && !$0.format.isRGB }.map(\.attributes.color.chromaLocation)
    )
    return sites.count == 1 ? sites.first : nil
  }

  /// The metadata of the output's header if it is propagated: only from PQ sources to a PQ output, because the numbers are
  /// meaningless in another signal. Light levels that contradict their mastering display are omitted. The peak of a PQ output
  /// made from SDR alone is known: it is that of SDR white, so that a player, or a render to SDR, rolls nothing off.
  static func propagated(
    _ tracks: [VideoTrackInfo], into color: ColorTags, policy: ColorConversionPolicy
  ) -> HDRMetadata? {
    guard color.transfer == .pq else { return nil }
    let transfers = tracks.map(\.attributes.color.transfer)
    if !transfers.isEmpty, transfers.allSatisfy(\.isSDR) {
      let white = Int(policy.diffuseWhite.rounded(.up))
      return HDRMetadata(
        contentLightLevel: ContentLightLevel(maximumContentLightLevel: white, maximumFrameAverageLightLevel: white))
    }
    let known = tracks.filter { $0.attributes.color.transfer == .pq }.compactMap(\.attributes.hdr?.consistent)
    let display = known.compactMap(\.masteringDisplay).max { $0.maximumLuminance < $1.maximumLuminance }
    let levels = known.compactMap(\.contentLightLevel)
    var result = HDRMetadata(masteringDisplay: display)
    if !levels.isEmpty {
      result.contentLightLevel = ContentLightLevel(
        maximumContentLightLevel: levels.map(\.maximumContentLightLevel).max() ?? 0,
        maximumFrameAverageLightLevel: levels.map(\.maximumFrameAverageLightLevel).max() ?? 0)
    }
    // The mastering display of one source doesn't apply to a brighter one.
    if result.contradiction != nil { result.masteringDisplay = nil }
    return result == HDRMetadata() ? nil : result
  }
}

extension VideoTrackInfo {
  /// Whether the source is a Y′CbCr movie. Stills, including JPEGs, have the color of image viewers.
  package var decidesColor: Bool { !isStill && !format.isRGB && attributes.color.matrix != .identity }
  fileprivate var isFullRange: Bool { attributes.color.range == .full }
}

extension TransferFunction {
  /// Whether white is the maximum luminance: neither HDR nor a camera's log curve.
  var isSDR: Bool { !isHDR && !isLog }
}

extension HDRMetadata {
  /// A copy without light levels that contradict the mastering display.
  fileprivate var consistent: HDRMetadata {
    contradiction == nil ? self : HDRMetadata(masteringDisplay: masteringDisplay)
  }
}
