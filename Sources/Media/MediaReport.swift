package import CompositorAPI
public import CompositorMediaIO

/// The report that `compositor probe --json` prints: all properties of a media file and, for each HDR track, its conversion to
/// SDR.
///
/// The keys are those of `MediaInfo`; `subtitleTracks`, the other tracks that are subtitles; and `conversions`, objects with
/// `videoTrack`, `output` and `rule`, empty without HDR; and `metadataKeySpaces`, the key spaces of `metadata` by key, as far as
/// they are known. `extraData` of a track's `storage` is a Base64 string.
public struct MediaReport: Encodable, Sendable {
  private let info: MediaInfo

  /// Creates a report.
  public init(_ info: MediaInfo) { self.info = info }

  private struct Conversion: Encodable {
    let videoTrack: Int
    let output: String
    let rule: String
  }

  private enum CodingKeys: CodingKey {
    case conversions, subtitleTracks, metadataKeySpaces
  }

  /// Encodes the media and its conversions into one object.
  public func encode(to encoder: any Encoder) throws {
    try info.encode(to: encoder)
    let conversions = info.videoTracks.compactMap { track in
      track.conversionToSDR.map { Conversion(videoTrack: track.index, output: "sdr", rule: $0) }
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(conversions, forKey: .conversions)
    try container.encode(info.subtitleTracks, forKey: .subtitleTracks)
    try container.encode(info.metadataKeySpaces.mapValues(\.rawValue), forKey: .metadataKeySpaces)
  }
}

extension VideoTrackInfo {
  /// The conversion of HDR to BT.709; `nil` for SDR.
  var conversionToSDR: String? {
    attributes.color.transfer.isHDR ? conversion(to: .bt709, policy: .standard) : nil
  }
}

extension MediaInfo {
  /// A multi-line description of the media for people.
  public var explanation: String {
    let plays = playCount.map { ", plays \($0 == 0 ? "endlessly" : $0 == 1 ? "once" : "\($0) times")" } ?? ""
    var lines = ["\(source): \(container)\(duration.isNumeric ? ", \(duration.readable)" : "")\(plays)"]
    for track in videoTracks {
      lines.append("  video \(track.index)  \(track.explanation)")
      if let conversion = track.conversionToSDR { lines.append("           in SDR: \(conversion)") }
    }
    lines += audioTracks.map { "  audio \($0.index)  \($0.explanation)" }
    lines += subtitleTracks.map { track in
      let parts =
        [track.codec, track.range ?? "beginning and end unknown"] + MediaInfo.words(track.language, track.title, track.flags)
        + [track.reason]
      return "  subtitle \(track.trackIndex ?? 0)  \(parts.compactMap(\.self).joined(separator: ", "))"
    }
    for track in otherTracks where track.kind != .subtitle {
      let parts = ["\(track.kind) \(track.codec)", track.fileName.map { "“\($0)”" }, track.range].compactMap(\.self)
      lines.append(
        "  other \(track.streamIndex)  \(parts.joined(separator: ", "))\(track.reason.map { ": \($0)" } ?? "")")
    }
    lines += extras.map { "  box \($0.name)  \($0.explanation)" }
    lines += metadata.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
    lines += chapters.map { "  chapter \($0.start.readable)  \($0.title)" }
    lines += warnings.map { "  warning: \($0.message)" }
    return lines.map(\.withoutControlCharacters).joined(separator: "\n")
  }
}

extension MediaInfo {
  /// Language, title and flags of a track.
  fileprivate static func words(_ language: String?, _ title: String?, _ flags: [TrackFlag]) -> [String] {
    [language, title.map { "“\($0)”" }].compactMap(\.self) + flags.map(\.rawValue)
  }
}

extension AudioTrackInfo {
  fileprivate var explanation: String {
    var parts = ["\(codec), \(sampleRate) Hz, \(channelCount) ch", "\(timeRange.start.readable) to \(timeRange.end.readable)"]
    if let readableEnd { parts.append("readable to \(readableEnd.readable)") }
    if primingCount > 0 || paddingCount > 0 {
      parts.append("\(primingCount) samples of priming and \(paddingCount) of padding dropped")
    }
    if edits.isRemarkable { parts.append(edits.explanation) }
    return (parts + MediaInfo.words(language, title, flags)).joined(separator: ", ")
  }
}

extension OtherTrackInfo {
  fileprivate var range: String? { timeRange.map { "\($0.start.readable) to \($0.end.readable)" } }
}

extension ContainerExtra {
  fileprivate var explanation: String {
    let treatment = isRendered ? "kept" : isCopied ? "kept by copies, not by rendering" : "not kept"
    return "\(meaning)\(videoTrack.map { " of video \($0)" } ?? ""): \(treatment)"
  }
}

extension [TrackEdit] {
  /// Whether the list does more than choosing where the media starts.
  fileprivate var isRemarkable: Bool { count > 1 || contains { $0.mediaStart == nil } }

  /// `edit list of 2: a pause of 0.5 s, 2 s from 1 s on`.
  fileprivate var explanation: String {
    let entries = prefix(4).map { edit in
      edit.mediaStart.map { start in
        "\(edit.duration.readable) from \(start.readable) on\(edit.rate == 1 ? "" : " at \(edit.rate) times the speed")"
      } ?? "a pause of \(edit.duration.readable)"
    }
    return "edit list of \(count): " + (entries + (count > 4 ? ["…"] : [])).joined(separator: ", ")
  }
}

extension String {
  /// The string with each control character replaced by U+FFFD, so that metadata of a file cannot control a terminal.
  fileprivate var withoutControlCharacters: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}

extension VideoTrackInfo {
  /// The color tags, which of them were assumed, and the HDR metadata.
  package var colorExplanation: String {
    var parts = [attributes.color.longName]
    if let assumed = colorProvenance?.assumed, !assumed.isEmpty { parts.append("\(assumed.joined(separator: ", ")) assumed") }
    if let given = colorProvenance?.given, !given.isEmpty {
      parts.append("\(given.joined(separator: ", ")) as the project says")
    }
    if let colorProfile { parts.append("from \(colorProfile)") }
    if let hdr = attributes.hdr { parts.append(hdr.explanation) }
    parts += dynamicMetadata.map(\.description)
    return parts.joined(separator: ", ")
  }

  /// The conversion of the track's colors to those of an output.
  package func conversion(to output: ColorTags, policy: ColorConversionPolicy) -> String {
    let tags = attributes.color.resolved(for: size)
    if let dynamic = dynamicMetadata.first(where: \.hasNoBaseLayer) {
      return "cannot be converted: \(dynamic) has no base layer that can be shown."
    }
    guard !tags.isEquivalent(to: output, in: format, policy: policy) else { return "\(tags.shortName): nothing to convert" }
    let matrices = format.isRGB ? [output.matrix] : [tags.matrix, output.matrix]
    if let unknown = matrices.first(where: { $0.rgbToYCbCr == nil }) {
      return "cannot be converted: Matrix coefficients \(unknown.rawValue) (H.273) are not known."
    }
    do throws(CompositorError) {
      return try LightConversion(from: tags, metadata: attributes.hdr, to: output, policy: policy)
        .explanation(ofSitedChroma: format.subsampling == .s420)
    } catch {
      return "cannot be converted: \(error.message)"
    }
  }

  /// `30000/1001 frames/s`; for a track with variable frame rate, the average and the rate of its shortest regular interval.
  package var rateText: String {
    guard let cadence, !cadence.isRegular else { return "\((cadence?.rate ?? nominalFrameRate).plain) frames/s" }
    let average = (nominalFrameRate.value * 1000).rounded() / 1000
    let step = "steps of \(Rational(cadence.rate.denominator, cadence.rate.numerator).plain) s"
    return average > 0 ? "\(average) frames/s on average, \(step)" : "a variable number of frames/s, \(step)"
  }

  fileprivate var explanation: String {
    var parts = ["\(codec), \(size) \(format)", colorExplanation]
    if attributes.pixelAspectRatio != .one { parts.append("pixel aspect \(attributes.pixelAspectRatio)") }
    if attributes.alphaMode != .opaque { parts.append("\(attributes.alphaMode.rawValue) alpha") }
    if preferredTransform != .identity {
      let matrix = preferredTransform
      parts.append("orientation [\(matrix.a) \(matrix.b) \(matrix.c) \(matrix.d)]")
    }
    if fieldOrder != .progressive { parts.append("\(fieldOrder.rawValue) fields") }
    if hasClosedCaptions { parts.append("closed captions in the video (CEA-608/708)") }
    if isStill { return (parts + ["still"]).joined(separator: ", ") }
    parts += [rateText, "\(timeRange.start.readable) to \(timeRange.end.readable)"]
    if let readableEnd { parts.append("readable to \(readableEnd.readable)") }
    if edits.isRemarkable { parts.append(edits.explanation) }
    return (parts + MediaInfo.words(language, title, flags)).joined(separator: ", ")
  }
}

extension HDRMetadata {
  /// `mastered on 0.0001 to 1000 cd/m², MaxCLL 1000, MaxFALL 400`.
  package var explanation: String {
    var parts: [String] = []
    if let display = masteringDisplay {
      parts.append("mastered on \(display.minimumLuminance.plain) to \(display.maximumLuminance.plain) cd/m²")
    }
    if let light = contentLightLevel {
      parts.append("MaxCLL \(light.maximumContentLightLevel), MaxFALL \(light.maximumFrameAverageLightLevel)")
    }
    return parts.joined(separator: ", ")
  }
}
