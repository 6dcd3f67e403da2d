import CompositorAPI
import CompositorMediaIO

/// The encoder's private options for a track, in libavcodec's notation.
struct EncoderOptions {
  private(set) var lines: [String] = []

  /// The options as `key=value` lines.
  var text: String { lines.joined(separator: "\n") }

  init(_ video: VideoTrackDescription) {
    guard video.encoding.encoder == .software else {
      addHardware(video.encoding)
      return
    }
    switch video.encoding.codec {
    case .h264: addH264(video)
    case .hevc: addHEVC(video)
    case .av1: addAV1(video)
    case .vp9: addVP9(video)
    case .proRes: addProRes(video)
    case .dnxhr: addDNxHR(video)
    case .ffv1: addFFV1()
    case .gif, .raw: break
    case .webp: addWebP(video.encoding)
    }
  }

  private mutating func set(_ key: String, _ value: String) { lines.append("\(key)=\(value)") }

  private mutating func setRateFactor(_ quality: VideoEncodingSettings.Quality) {
    if case .constant(let factor) = quality { set("crf", decimal(factor)) }
  }

  /// The frames that libx264 keeps for B-frames that others refer to.
  private static let pyramidFrameCount = 4

  private mutating func setRateLimits(_ encoding: VideoEncodingSettings) {
    guard let rate = encoding.maximumBitRate else { return }
    set("maxrate", "\(rate)")
    set("bufsize", "\(encoding.bufferSize ?? rate)")
  }

  private mutating func addH264(_ video: VideoTrackDescription) {
    set("preset", video.encoding.speed.rawValue)
    setRateFactor(video.encoding.quality)
    setRateLimits(video.encoding)
    if let profile = video.encoding.h264Profile { set("profile", profile.rawValue) }
    if let count = video.encoding.maximumBFrameCount { set("bf", "\(count)") }
    var parameters = [EncoderPinning.x264Parameter]
    if let level = video.encoding.level, let limits = LevelLimits(level, of: .h264) {
      set("level", level.rawValue)
      let kept = limits.referenceCount(of: video.size)
      parameters.append("ref=\(min(kept, video.encoding.speed.referenceCount))")
      // Frames that others refer to and are shown later take part of what a decoder keeps.
      if kept < Self.pyramidFrameCount { parameters.append("b-pyramid=none") }
    }
    if let display = video.attributes.hdr?.masteringDisplay { parameters.append("mastering-display=\(display.encoderText)") }
    if let light = video.attributes.hdr?.contentLightLevel { parameters.append("cll=\(light.encoderText)") }
    set("x264-params", parameters.joined(separator: ":"))
  }

  private mutating func addHEVC(_ video: VideoTrackDescription) {
    set("preset", video.encoding.speed.rawValue)
    setRateFactor(video.encoding.quality)
    setRateLimits(video.encoding)
    // Without this option, libx265 prints to standard error at any log level of libavutil.
    var parameters = ["log-level=none"]
    let threads = EncoderThreads(video.encoding, size: video.size)
    // By default, libx265 derives both counts from the processors, and writes the processor's features into the stream.
    parameters += ["pools=\(threads.count)", "frame-threads=\(threads.frameCount ?? 1)", "info=0"]
    if video.format.subsampling == .s420 {
      parameters.append("chromaloc=\(video.attributes.color.chromaLocation.type)")
    }
    if let display = video.attributes.hdr?.masteringDisplay { parameters.append("master-display=\(display.encoderText)") }
    if let light = video.attributes.hdr?.contentLightLevel { parameters.append("max-cll=\(light.encoderText)") }
    if video.attributes.hdr != nil { parameters.append("hdr10=1") }
    if let level = video.encoding.level { parameters.append("level-idc=\(level)") }
    if let count = video.encoding.maximumBFrameCount { parameters.append("bframes=\(count)") }
    parameters += video.pass.x265Parameters
    set("x265-params", parameters.joined(separator: ":"))
  }

  private mutating func addAV1(_ video: VideoTrackDescription) {
    let speeds = VideoEncodingSettings.Speed.allCases
    let slowness = speeds.firstIndex(of: video.encoding.speed) ?? 0
    set("cpu-used", "\(max(1, 8 - slowness))")
    set("row-mt", "1")
    setRateFactor(video.encoding.quality)
  }

  private mutating func addVP9(_ video: VideoTrackDescription) {
    let speeds = VideoEncodingSettings.Speed.allCases
    let slowness = speeds.firstIndex(of: video.encoding.speed) ?? 0
    set("deadline", "good")
    set("cpu-used", "\(max(0, 5 - slowness * 5 / (speeds.count - 1)))")
    set("row-mt", "1")
    // Frames that are not shown have no alpha channel.
    if video.format.hasAlpha { set("auto-alt-ref", "0") }
    switch video.encoding.quality {
    case .automatic: set("crf", "31")
    case .constant(let factor): set("crf", "\(Int(factor.rounded()))")
    case .bitRate: break
    }
  }

  private mutating func addDNxHR(_ video: VideoTrackDescription) {
    let profile = video.encoding.dnxhrProfile ?? VideoEncodingSettings.DNxHRProfile(usualFor: video.format)
    set("profile", "dnxhr_\(profile.rawValue)")
    encodeSlicesSideBySide()
  }

  /// With frame threads, libavcodec outputs packets in the order in which they are finished, so their order in the file could
  /// depend on timing.
  private mutating func encodeSlicesSideBySide() { set("thread_type", "slice") }

  private mutating func addWebP(_ encoding: VideoEncodingSettings) {
    if encoding.animation.isLossless { set("lossless", "1") }
    if case .constant(let quality) = encoding.quality { set("quality", decimal(quality)) }
  }

  /// Devices measure constant quality in their codec's units: QP for H.264 and HEVC, the quantizer index for AV1.
  private mutating func addHardware(_ encoding: VideoEncodingSettings) {
    switch (encoding.encoder, encoding.quality) {
    case (_, .bitRate): set(encoding.encoder == .nvenc ? "rc" : "rc_mode", encoding.encoder == .nvenc ? "vbr" : "VBR")
    case (.nvenc, .constant(let value)):
      set("rc", "vbr")
      set("cq", decimal(value))
    case (.vaapi, .constant): set("rc_mode", "CQP")
    default: break
    }
  }

  private mutating func addProRes(_ video: VideoTrackDescription) {
    let profile = video.encoding.proResProfile ?? (video.format.subsampling == .s444 ? .p4444 : .hq)
    set("profile", profile.rawValue)
    encodeSlicesSideBySide()
    // The vendor code that QuickTime writes; some players reject others.
    set("vendor", "apl0")
    if profile.is4444 { set("alpha_bits", video.format.hasAlpha ? "16" : "0") }
  }

  private mutating func addFFV1() {
    set("level", "3")
    set("slicecrc", "1")
  }
}

extension VideoEncodingSettings.Speed {
  /// Number of reference frames of libx264's presets.
  fileprivate var referenceCount: Int {
    switch self {
    case .ultrafast, .superfast, .veryfast: 1
    case .faster, .fast: 2
    case .medium: 3
    case .slow: 5
    case .slower: 8
    case .veryslow: 16
    }
  }
}

/// A number with at most four decimals, without an exponent.
private func decimal(_ value: Double) -> String {
  let scaled = Int((value * 10_000).rounded())
  let fraction = String(scaled % 10_000 + 10_000).dropFirst()
  return "\(scaled / 10_000).\(fraction)"
}

extension MasteringDisplay {
  /// In the notation of libx264 and libx265: chromaticities in 1/50000, luminances in 1/10000 cd/m².
  var encoderText: String {
    func point(_ value: Chromaticity) -> String { "(\(value.scaled.x),\(value.scaled.y))" }
    let luminance = "(\(maximumLuminance.scaledLuminance),\(minimumLuminance.scaledLuminance))"
    return "G\(point(green))B\(point(blue))R\(point(red))WP\(point(white))L\(luminance)"
  }
}

extension ContentLightLevel {
  /// In the notation of libx264 and libx265.
  var encoderText: String { "\(clampedContent),\(clampedAverage)" }
  var clampedContent: UInt32 { UInt32(min(max(maximumContentLightLevel, 0), 65_535)) }
  var clampedAverage: UInt32 { UInt32(min(max(maximumFrameAverageLightLevel, 0), 65_535)) }
}

extension Chromaticity {
  /// In units of 1/50000 (SMPTE ST 2086).
  var scaled: (x: Int32, y: Int32) { (scale(x), scale(y)) }
  private func scale(_ value: Double) -> Int32 { value > 0 ? Int32((min(value, 1) * 50_000).rounded()) : 0 }
}

extension Double {
  /// In units of 1/10000 cd/m², at most 100,000 cd/m².
  var scaledLuminance: Int64 { self > 0 ? Int64((Swift.min(self, 100_000) * 10_000).rounded()) : 0 }
}
