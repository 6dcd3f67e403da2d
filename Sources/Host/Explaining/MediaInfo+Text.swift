import CompositorAPI
public import MediaIO

extension MediaInfo {
  /// What is in the media, for people, over several lines.
  public var explanation: String {
    var lines = ["\(source): \(container), \(duration.readable)"]
    for track in videoTracks { lines.append("  video \(track.index)  \(track.explanation)") }
    for track in audioTracks {
      lines.append(
        "  audio \(track.index)  \(track.codec), \(track.sampleRate) Hz, \(track.channelCount) ch, "
          + "\(track.timeRange.start.readable) to \(track.timeRange.end.readable)"
          + (track.readableEnd.map { ", readable to \($0.readable)" } ?? ""))
    }
    for track in otherTracks {
      lines.append("  other \(track.streamIndex)  \(track.kind) \(track.codec)\(track.reason.map { ": \($0)" } ?? "")")
    }
    lines += metadata.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
    lines += warnings.map { "  warning: \($0.message)" }
    return lines.joined(separator: "\n")
  }
}

extension VideoTrackInfo {
  fileprivate var explanation: String {
    var parts = ["\(codec), \(size) \(format)", attributes.color.explanation]
    if attributes.pixelAspectRatio != .one { parts.append("pixel aspect \(attributes.pixelAspectRatio)") }
    if attributes.alphaMode != .opaque { parts.append("\(attributes.alphaMode.rawValue) alpha") }
    if preferredTransform != .identity {
      let matrix = preferredTransform
      parts.append("orientation [\(matrix.a) \(matrix.b) \(matrix.c) \(matrix.d)]")
    }
    if fieldOrder != .progressive { parts.append("\(fieldOrder.rawValue) fields") }
    if isStill { return (parts + ["still"]).joined(separator: ", ") }
    parts += ["\(nominalFrameRate) frames/s", "\(timeRange.start.readable) to \(timeRange.end.readable)"]
    if let readableEnd { parts.append("readable to \(readableEnd.readable)") }
    return parts.joined(separator: ", ")
  }
}
