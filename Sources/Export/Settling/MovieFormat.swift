public import CompositorAPI
public import CompositorHost
import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorValidation

extension DeliveryLimits {
  /// What a movie with a codec can store; no limits if frames aren't encoded.
  package init(of codec: VideoEncodingSettings.Codec?) {
    self.init()
    guard let codec else { return }
    storesAlpha = codec.storesAlpha
    keepsSourceLayout = codec != .h264
    if codec.isAnimation {
      // Frames that become RGB anyway preserve the edges of titles.
      keepsChroma = true
      depth = Depth(8, reason: "8 bits: \(codec.rawValue) has no more")
    } else if codec == .h264 {
      // Hardware decoders support nothing else in H.264.
      depth = Depth(
        8,
        reason: "8-bit 4:2:0: H.264 is written so that every player can show it"
          + .advice("; ask for 10 bits with \(setting: .bitDepth, value: "10")"))
    }
  }
}

extension VideoEncodingSettings.Codec {
  /// Whether a movie with this codec can have alpha.
  fileprivate var storesAlpha: Bool {
    switch self {
    case .h264, .hevc, .av1, .dnxhr: false
    case .proRes, .ffv1, .vp9, .gif, .webp, .raw: true
    }
  }
}

extension RenderFormat {
  /// Determines the format of frames that a codec encodes, so that they are composed in the delivery format; `nil` if they
  /// aren't encoded.
  package init(_ composition: ValidatedComposition, codec: VideoEncodingSettings.Codec?) {
    self.init(composition, limits: DeliveryLimits(of: codec))
  }
}

extension RenderPlan {
  /// Creates a plan of frames that are encoded.
  ///
  /// - Parameters:
  ///   - frameTimes: The composition times at which frames start, in increasing order, from `SourceFrameTimes`; `nil` for the
  ///     constant frame duration.
  ///   - codec: The codec, which determines the bit depth if the edit doesn't; `nil` if the frames aren't encoded.
  /// - Throws: `.invalidComposition` if the timeline has no end, or too many frames to count.
  public init(
    _ composition: ValidatedComposition, frameTimes: [MediaTime]? = nil, codec: VideoEncodingSettings.Codec?
  ) throws(CompositorError) {
    try self.init(composition, frameTimes: frameTimes, limits: DeliveryLimits(of: codec))
  }
}

extension VideoEncodingSettings {
  /// The default codec: HEVC for HDR, because players support HDR in it, otherwise H.264.
  public static func defaultCodec(for composition: ValidatedComposition) -> Codec {
    RenderFormat(composition).attributes.color.transfer.isHDR ? .hevc : .h264
  }

  /// The default codec for a file: ``defaultCodec(for:)`` if the file can contain it, otherwise the file type's own.
  ///
  /// - Parameter path: The path, whose extension determines the file type.
  public static func defaultCodec(for composition: ValidatedComposition, in path: String) -> Codec {
    guard let container = try? MovieContainer(path: path) else { return defaultCodec(for: composition) }
    return defaultCodec(for: composition, in: container)
  }

  /// The default codec for a container: ``defaultCodec(for:)`` if it can contain it, otherwise its own.
  package static func defaultCodec(for composition: ValidatedComposition, in container: MovieContainer) -> Codec {
    let usual = defaultCodec(for: composition)
    return container.videoCodecs.contains(usual) ? usual : container.videoCodecs.first ?? usual
  }

  /// The same settings, with the default codec if none was chosen.
  ///
  /// - Parameter container: The file or stream to write; `nil` for any.
  package func settled(
    for composition: ValidatedComposition, in container: MovieContainer? = nil
  ) -> VideoEncodingSettings {
    guard chosenCodec == nil else { return self }
    var settled = self
    settled.chosenCodec =
      container.map { Self.defaultCodec(for: composition, in: $0) } ?? Self.defaultCodec(for: composition)
    return settled
  }

  /// Checks that a composition can be encoded with these settings. Whether this machine has the encoder isn't checked.
  ///
  /// - Throws: `.unsupportedOutput` for HDR in 8 bits or in H.264.
  public func validate(for composition: ValidatedComposition) throws(CompositorError) {
    try MovieDelivery(of: composition, video: self).validate()
  }

  /// Checks the codec against a known frame format.
  package func validate(for delivery: DeliveryFormat) throws(CompositorError) {
    guard delivery.attributes.color.transfer.isHDR, !codec.isAnimation else { return }
    let name = delivery.attributes.color.transfer.name
    let recoverySuggestion = "Use hevc, av1, prores or ffv1, or make the output SDR."
    guard codec != .h264 else {
      throw CompositorError(
        .unsupportedOutput, "H.264 is an 8-bit codec to players: none shows \(name) in it.",
        recoverySuggestion: recoverySuggestion)
    }
    guard delivery.pixelFormat.bitDepth >= 10 else {
      throw CompositorError(
        .unsupportedOutput, "\(name) needs 10 bits, and \(delivery.pixelFormat) frames have \(delivery.pixelFormat.bitDepth).",
        recoverySuggestion: "Leave format and depth out, or choose 10 bits: yuv420p10.")
    }
  }
}

extension FrameSequence {
  /// Describes a movie of these frames for `MovieWriter`.
  ///
  /// - Parameter audio: The encoding settings of audio; `nil` for a movie without audio.
  public func movie(
    _ container: MovieContainer, video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = nil
  ) -> MovieDescription {
    movie(container, video: video, audioTracks: audio.map { [AudioTrackDescription(encoding: $0)] } ?? [])
  }

  /// Describes a movie of these frames with any number of audio tracks for `MovieWriter`.
  public func movie(
    _ container: MovieContainer, video: VideoEncodingSettings = VideoEncodingSettings(), audioTracks: [AudioTrackDescription]
  ) -> MovieDescription {
    let frameDuration = plan.composition.edit.videoComposition.frameDuration
    return MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: size, format: format, attributes: attributes, timing: .constant(frameDuration: frameDuration),
        encoding: video.settled(for: plan.composition, in: container)),
      audioTracks: audioTracks)
  }
}
