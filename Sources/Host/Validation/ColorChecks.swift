import BuiltinCompositors
import CompositorAPI
import MediaIO

/// Colours: whether each source's can be turned into what its instructions' compositors take, and whether the frames can hold
/// the output's.
struct ColorChecks {
  private struct Case: Hashable {
    let source: MediaSource
    let track: Int
    let color: ColorTags
  }

  /// Asks the very code that renders: a tiny picture of each source's kind is converted.
  static func run(_ composition: ValidatedComposition, into findings: inout FindingCollector) throws(ValidationStopped) {
    let format = RenderFormat(composition)
    try checkDepth(format, into: &findings)
    let conforming = Set(
      composition.registry.descriptors.filter { $0.colorHandling == .conformsItself }.map(\.id))
    // A track that only compositors which conform colours themselves see needs no conversion of ours.
    let instructions = composition.edit.videoComposition.instructions
    let seen = Set(instructions.filter { !conforming.contains($0.compositor) }.flatMap(\.requiredTrackIDs))
    var done = Set<Case>()
    for track in composition.edit.composition.tracks(.video) where seen.contains(track.trackID) {
      for segment in track.segments {
        guard let source = segment.source, let info = composition.videoTrack(segment.sourceTrackIndex, of: source),
          done.insert(Case(source: source, track: segment.sourceTrackIndex, color: info.attributes.color)).inserted
        else { continue }
        guard let error = failure(info, to: format, policy: composition.edit.videoComposition.colorConversion) else { continue }
        try findings.add(
          ValidationFinding(
            .colorNotConvertible, "\(source): \(error.message)", track: track.trackID,
            likelyCause: info.dynamicMetadata.first(where: \.hasNoBaseLayer)?.loss, fix: error.remedy))
      }
    }
  }

  private static func checkDepth(_ format: RenderFormat, into findings: inout FindingCollector) throws(ValidationStopped) {
    let transfer = format.attributes.color.transfer
    guard transfer.isHDR, format.pixelFormat.bitDepth < 10 else { return }
    try findings.add(
      ValidationFinding(
        .colorNotConvertible,
        "\(transfer.name) needs 10 bits, and the output's format \(format.pixelFormat) has \(format.pixelFormat.bitDepth).",
        fix: "Leave the format out, or choose one of 10 bits such as yuv420p10."))
  }

  private static func failure(
    _ info: VideoTrackInfo, to format: RenderFormat, policy: ColorConversionPolicy
  ) -> CompositorError? {
    let pool = FramePool(maximumOutstanding: 16)
    do throws(CompositorError) {
      var frame = try pool.makeFrame(
        format: info.format, size: PixelSize(width: 4, height: 4), attributes: info.attributes)
      frame.fill(codes: [0, 0, 0, 0])
      _ = try FrameConverter.convert(
        frame.freeze(), to: format.pixelFormat, attributes: format.attributes, pool: pool, policy: policy)
      return nil
    } catch {
      return error.code == .conversionNotPossible ? error : nil
    }
  }
}
