import AVFoundation
import Compositor
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// Which images generators make.
@Suite struct ImageRuleTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// By default any time will do; an image lies within the tolerances; zero is exact.
  @Test func tolerances_bindTheTime() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 4, tone: nil))
    let generator = AVAssetImageGenerator(asset: asset)
    #expect(generator.requestedTimeToleranceBefore == .positiveInfinity)
    #expect(generator.requestedTimeToleranceAfter == .positiveInfinity && !generator.appliesPreferredTrackTransform)
    var actual = CMTime.invalid
    _ = try generator.copyCGImage(at: seconds(3.1), actualTime: &actual)
    #expect(actual >= .zero && actual <= seconds(4))
    for tolerance in [0.5, 0.1, 0] {
      generator.requestedTimeToleranceBefore = seconds(tolerance)
      generator.requestedTimeToleranceAfter = seconds(tolerance)
      _ = try generator.copyCGImage(at: seconds(3.1), actualTime: &actual)
      // The frame that is shown at 3.1 s begins at 3.08 s.
      #expect(abs(actual.seconds - 3.08) <= tolerance + 0.02 + 1e-9, "\(tolerance): \(actual.seconds)")
    }
    #expect(actual == CMTime(value: 77, timescale: 25))
  }

  /// Frames come as they are stored unless the generator turns them; a video composition decides itself.
  @Test func videoComposition_turnsByItself() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mov", tone: nil, quarterTurns: 1))
    let generator = AVAssetImageGenerator(asset: asset)
    func size() throws -> [Int] {
      let image = try generator.copyCGImage(at: .zero, actualTime: nil)
      return [image.width, image.height]
    }
    #expect(try size() == [320, 180])
    generator.appliesPreferredTrackTransform = true
    #expect(try size() == [180, 320])
    let video = AVMutableVideoComposition(propertiesOf: asset)
    video.renderSize = CGSize(width: 400, height: 400)
    generator.videoComposition = video
    #expect(try size() == [400, 400])
    generator.appliesPreferredTrackTransform = false
    #expect(try size() == [400, 400])
    generator.maximumSize = CGSize(width: 100, height: 0)
    #expect(try size() == [100, 100])
  }

  /// Without a video composition the first track that is enabled is shown.
  @Test func firstEnabledTrack_isShown() async throws {
    let composition = AVMutableComposition()
    for (name, color) in [("a.mp4", Color(red: 1, green: 0, blue: 0)), ("b.mp4", Color(red: 0, green: 0, blue: 1))] {
      let asset = AVAsset(url: try await folder.movie(name, color: color, tone: nil))
      let track = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
      try track?.insertTimeRange(range(0, 1), of: asset.tracks[0], at: .zero)
    }
    let generator = AVAssetImageGenerator(asset: composition)
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).shows([255, 0, 0], at: 9, 9, within: 12))
    composition.tracks[0].isEnabled = false
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).shows([0, 0, 255], at: 9, 9, within: 12))
  }

  /// Images and properties that block need no thread of the pool: as many tasks as it has threads wait for them at once.
  @Test func blockedPool_doesNotStopImages() async throws {
    let url = try await folder.movie("a.mp4", seconds: 1, tone: nil)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<max(4, ProcessInfo.processInfo.activeProcessorCount) {
        group.addTask {
          let asset = AVURLAsset(url: url)
          guard asset.duration == seconds(1) else { return false }
          return (try? AVAssetImageGenerator(asset: asset).copyCGImage(at: seconds(0.5), actualTime: nil)) != nil
        }
      }
      for await succeeded in group { #expect(succeeded) }
    }
  }
}
