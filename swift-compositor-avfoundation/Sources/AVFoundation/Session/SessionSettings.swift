internal import Compositor
internal import Foundation

extension AVAssetExportSession {
  /// About how many bytes the file will have; 0 if ``timeRange`` has no end, and for a preset that copies.
  ///
  /// A rough guess from the size and the rate of pictures: what they show is not looked at.
  public var estimatedOutputFileLength: Int64 {
    guard let preset = SessionPreset.named(presetName), !preset.copies, timeRange.duration.isNumeric else { return 0 }
    let seconds = timeRange.intersection(CMTimeRange(start: .zero, duration: asset.duration)).duration.seconds
    let video = preset.codec == nil ? nil : asset.tracks.first { $0.mediaType == .video }
    var bitRate = asset.tracks.contains { $0.mediaType == .audio } ? (preset.audioCodec == .aac ? 128_000.0 : 1_536_000) : 0
    if let video {
      let size = videoComposition?.renderSize ?? video.naturalSize
      let box = preset.box.map { max(Double(max($0.width, $0.height)), 1) / max(Double(size.width), Double(size.height), 1) }
      let scale = min(box ?? 1, 1)
      let bitsPerPixel = preset.codec == .proRes ? 2.4 : preset.codec == .hevc ? 0.06 : 0.1
      bitRate += Double(size.width * size.height) * scale * scale * Double(max(video.nominalFrameRate, 1)) * bitsPerPixel
    }
    return seconds.isFinite ? Int64(bitRate * seconds / 8) : 0
  }
}

extension ExportSettings {
  /// Keeps the metadata of a file. A composition has none.
  mutating func keepMetadata(of asset: AVAsset, in suffix: String) {
    guard let info = try? asset.facts?.info(), let container = MovieContainer(rawValue: suffix) else { return }
    keepMetadata(of: info, in: container)
  }

  /// For settings that copy: those that encode audio, then those that encode everything.
  var encodingMore: [ExportSettings] {
    guard passthrough != nil else { return [] }
    var encodesAudio = self
    encodesAudio.audio = AudioEncodingSettings(codec: .aac, bitRate: 128_000)
    var encodesAll = self
    encodesAll.passthrough = nil
    encodesAll.audio = AudioEncodingSettings(codec: .aac)
    return [encodesAudio, encodesAll]
  }

  /// These settings with a bit rate at which a movie has a number of bytes.
  ///
  /// - Throws: `.maximumFileSizeReached` if the codec has no bit rate, or if so few bytes show nothing.
  func limited(to byteCount: Int64, lasting seconds: Double) throws(AVError) -> ExportSettings {
    let other = audio.map { Double($0.bitRate ?? 128_000) } ?? 0
    // The index takes some of it, too.
    let rate = (Double(byteCount) * 8 / seconds * 0.97 - other).rounded(.down)
    guard passthrough == nil, videoTrack != .never, [.h264, .hevc].contains(video.codec), rate >= 1000 else {
      throw AVError(
        .maximumFileSizeReached, "The file has more than \(byteCount) bytes.",
        suggestion: "Allow more bytes, or export a shorter range or with a smaller preset.")
    }
    var limited = self
    limited.video.quality = .bitRate(Int(rate))
    limited.video.isTwoPass = true
    return limited
  }
}
