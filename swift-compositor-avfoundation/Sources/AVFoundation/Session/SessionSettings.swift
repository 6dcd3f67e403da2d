internal import Compositor
internal import Foundation

extension ExportSettings {
  /// Keeps the metadata of a file. A composition has none.
  mutating func keepMetadata(of asset: AVAsset, in suffix: String) {
    guard let info = try? asset.facts?.info(), let container = MovieContainer(rawValue: suffix) else { return }
    keepMetadata(of: info, in: container)
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
