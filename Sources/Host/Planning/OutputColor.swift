import CompositorAPI
import CompositorMediaIO

/// Which color and which HDR metadata the frames of an edit have, and why.
struct OutputColor {
  /// The color.
  let tags: ColorTags
  /// Who decided, in words.
  let reason: String

  /// What the edit says; where it says nothing, the first of `tracks` with Y′CbCr pictures.
  ///
  /// A still's own encoding is not a movie's: stills and R, G, B sources do not decide. Nor does full range, which many players show
  /// wrongly: it is made only where the edit asks for it.
  init(of edit: Edit, tracks: [VideoTrackInfo], names: [String], format: PixelFormat?) {
    let video = edit.videoComposition
    let isSaid = video.colorPrimaries != nil || video.transferFunction != nil || video.matrix != nil
    var tags: ColorTags
    if let color = edit.output.color {
      (tags, reason) = (color, "as the project says")
    } else if let index = tracks.firstIndex(where: \.decidesColor) {
      // A camera's own color is for sources alone.
      let isWritable = tracks[index].attributes.color.isCodePoint
      tags = isWritable ? tracks[index].attributes.color : .bt709
      tags.range = .limited
      let found = isWritable ? "as in \(names[index]), the first source" : "\(names[index]), the first source, is a camera's"
      reason = isSaid ? "as the video composition says" : found
    } else {
      (tags, reason) = (.bt709, isSaid ? "as the video composition says" : "by default")
    }
    tags.primaries = video.colorPrimaries ?? tags.primaries
    tags.transfer = video.transferFunction ?? tags.transfer
    tags.matrix = video.matrix ?? tags.matrix
    if format?.isRGB == true { (tags.matrix, tags.range) = (.identity, .full) }
    if edit.output.followsSourceChromaSites, let site = OutputColor.commonSite(tracks) { tags.chromaLocation = site }
    self.tags = tags
  }

  /// Where all sources with subsampled chroma have it; nil if they differ, or if there are none.
  private static func commonSite(_ tracks: [VideoTrackInfo]) -> ChromaLocation? {
    let sites = Set(
      tracks.filter { !$0.isStill && $0.format.subsampling == .s420 && !$0.format.isRGB }.map(\.attributes.color.chromaLocation)
    )
    return sites.count == 1 ? sites.first : nil
  }

  /// What the output's header says where metadata is propagated: of PQ sources into a PQ output only, since the numbers mean
  /// nothing in another signal. Light levels that contradict their mastering display are left out. Of a PQ output made from SDR alone the
  /// peak is known: it is that of SDR white, so that a player, or a render to SDR, rolls nothing off.
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
    // The display of one source says nothing of another that is brighter.
    if result.contradiction != nil { result.masteringDisplay = nil }
    return result == HDRMetadata() ? nil : result
  }
}

extension VideoTrackInfo {
  /// Whether it is a movie of Y′CbCr: the color of stills, JPEGs too, is that of viewers of images.
  fileprivate var decidesColor: Bool { !isStill && !format.isRGB && attributes.color.matrix != .identity }
}

extension TransferFunction {
  /// Whether white is the brightest light: neither HDR nor a camera's log curve.
  fileprivate var isSDR: Bool { !isHDR && !isLog }
}

extension HDRMetadata {
  /// The same without light levels that cannot be right beside the mastering display.
  fileprivate var consistent: HDRMetadata {
    contradiction == nil ? self : HDRMetadata(masteringDisplay: masteringDisplay)
  }
}
