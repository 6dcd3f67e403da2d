import AVFoundation
import Compositor
import Testing

/// Movies that tests make, in a folder that lasts as long as the test.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("avfoundation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  subscript(name: String) -> URL { url.appendingPathComponent(name) }

  /// Names of all files, hidden ones, too.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  /// Makes a movie of one color, with or without a tone.
  @discardableResult
  func movie(
    _ name: String, seconds: Int = 2, size: PixelSize = PixelSize(width: 320, height: 180), rate: Int = 25,
    color: Color = Color(red: 1, green: 0, blue: 0), tone: Double? = 440, quarterTurns: Int = 0
  ) async throws -> URL {
    let duration = MediaTime.seconds(seconds)
    let source = MediaSource.generated(
      GeneratedSource(
        pattern: .color(color), size: size, frameRate: Rational(rate, 1), duration: duration, toneFrequency: tone))
    var composition = Composition()
    let range = TimeRange(start: .zero, duration: duration)
    let video = composition.addTrack(.video)
    try composition.insert(SourceRange(source, timeRange: range), at: .zero, inTrack: video)
    if tone != nil {
      let audio = composition.addTrack(.audio)
      try composition.insert(SourceRange(source, timeRange: range), at: .zero, inTrack: audio)
    }
    let picture = VideoComposition(
      instructions: [Instruction(timeRange: range, passthroughTrackID: video)],
      frameDuration: MediaTime(value: 1, timescale: Int32(rate)), renderSize: size)
    let edit = Edit(composition: composition, videoComposition: picture)
    var settings = ExportSettings()
    settings.video.speed = .ultrafast
    settings.orientation = Orientation(quarterTurns: quarterTurns)
    let valid = try CompositionValidator.validate(edit, catalog: MediaCatalog()).get()
    // Exports share the machine. One that waits for a thread of the pool, while another test blocks all of them, would keep its share.
    let (path, final) = (self[name].path, settings)
    _ = try BlockingCall.run { try await Exporter.export(valid, to: path, settings: final) }
    return self[name]
  }
}

/// What a file contains, as the compositor's own reader finds it.
func info(_ url: URL) throws -> MediaInfo { try MediaCatalog().info(for: .file(path: url.path)) }

/// The mean of R, G and B of a picture, 0 … 255.
func meanColor(_ image: CGImage) -> [Double] {
  guard let data = image.dataProvider?.data as Data? else { return [] }
  var sums = [0.0, 0, 0]
  for row in 0..<image.height {
    for column in 0..<image.width {
      for part in 0..<3 { sums[part] += Double(data[row * image.bytesPerRow + column * 4 + part]) }
    }
  }
  return sums.map { $0 / Double(image.width * image.height) }
}

/// The picture of a file at a time.
func picture(_ url: URL, at seconds: Double) async throws -> CGImage {
  let generator = AVAssetImageGenerator(asset: AVAsset(url: url))
  generator.requestedTimeToleranceBefore = .zero
  generator.requestedTimeToleranceAfter = .zero
  generator.appliesPreferredTrackTransform = true
  return try await generator.image(at: CMTime(seconds: seconds, preferredTimescale: 600)).image
}
