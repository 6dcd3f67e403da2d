import Compositor

/// One workload, as an edit and as an FFmpeg filter graph.
struct Work: Sendable {
  let name: String
  /// The colors of the sources, top to bottom.
  let sources: [ColorTags]
  let output: ColorTags
  let format: PixelFormat
  let policy: ColorConversionPolicy
  /// The graph, with inputs `[0:v]` and `[1:v]`; `nil` to compare with the previous workload.
  let graph: String?

  static let opacity = 0.4
  private static let pq = "setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"
  private static let hlg = "setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc"
  // The same chroma filters and siting as ours; the defaults (bicubic) cost more.
  private static let scaler = "f=bilinear:cin=topleft:c=topleft"

  /// Linear-light dissolve of HLG and PQ, 10-bit BT.2020, into HLG of 10 bits.
  static let w5 = Work(
    name: "W5  HLG and PQ to HLG, linear light", sources: [.bt2100HLG, .bt2100PQ], output: .bt2100HLG, format: .yuv420p10,
    policy: .standard,
    graph: "[0:v]\(hlg),zscale=t=linear:npl=1000:\(scaler),format=gbrpf32le[a];"
      + "[1:v]\(pq),zscale=t=linear:npl=1000:\(scaler),format=gbrpf32le[b];"
      + "[a][b]blend=all_mode=normal:all_opacity=\(opacity),"
      + "zscale=t=arib-std-b67:m=bt2020nc:r=tv:npl=1000:\(scaler),format=yuv420p10le")

  /// PQ into 8-bit BT.709, tone-mapped by the curve that both sides have.
  static let w5tHable = Work(
    name: "W5t PQ to BT.709, Hable", sources: [.bt2100PQ], output: narrow, format: .yuv420p,
    policy: ColorConversionPolicy(toneMapping: .hable, dithering: .none),
    graph: "[0:v]\(pq),zscale=t=linear:npl=203:\(scaler),format=gbrpf32le,zscale=p=bt709,"
      + "tonemap=hable:desat=0:peak=\(1000.0 / 203),zscale=t=bt709:m=bt709:r=tv:\(scaler),format=yuv420p")

  /// The same with the default curve.
  static let w5t = Work(
    name: "W5t PQ to BT.709, BT.2390", sources: [.bt2100PQ], output: narrow, format: .yuv420p,
    policy: ColorConversionPolicy(dithering: .none), graph: nil)

  /// With the default settings.
  static let w5tDithered = Work(
    name: "W5t PQ to BT.709, BT.2390, dithered", sources: [.bt2100PQ], output: narrow, format: .yuv420p, policy: .standard,
    graph: nil)

  private static let narrow = ColorTags(
    primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited, chromaLocation: .topLeft)

  func context(_ size: PixelSize, _ pool: FramePool) -> RenderContext {
    RenderContext(
      size: size, outputFormat: format, outputAttributes: FrameAttributes(color: output),
      blending: sources.count > 1 ? .linear : .encoded, colorConversion: policy, pool: pool)
  }

  func request(_ frames: [Frame], _ context: RenderContext) throws -> CompositionRequest {
    let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
    var layers = frames.indices.map { LayerInstruction(trackID: TrackID($0 + 1)) }
    if layers.count > 1 { try layers[0].opacity.set(Work.opacity, at: .zero) }
    let taken = frames.enumerated().map { index, frame in
      SourceFrame(
        trackID: TrackID(index + 1), frame: frame, presentationTime: .zero, duration: .indefinite, requestedTime: .zero)
    }
    return CompositionRequest(
      time: .zero, instruction: Instruction(timeRange: second, layers: layers),
      sources: Dictionary(uniqueKeysWithValues: taken.map { ($0.trackID, $0) }), context: context)
  }
}
