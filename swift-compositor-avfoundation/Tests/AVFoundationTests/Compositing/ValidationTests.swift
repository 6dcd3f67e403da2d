import AVFoundation
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }
private let everything = CMTimeRange(start: .zero, duration: .positiveInfinity)

/// Faults of video compositions, as a delegate receives them.
@Suite struct ValidationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Records the faults.
  private final class Recorder: NSObject, AVVideoCompositionValidationHandling {
    var faults: [String] = []
    var continues = true

    func videoComposition(
      _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool {
      faults.append(key)
      return continues
    }

    func videoComposition(
      _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool {
      faults.append("empty \(timeRange.start.seconds) \(timeRange.end.seconds)")
      return continues
    }

    func videoComposition(
      _ videoComposition: AVVideoComposition,
      shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
        any AVVideoCompositionInstructionProtocol
    ) -> Bool {
      faults.append("range \(videoCompositionInstruction.timeRange.start.seconds)")
      return continues
    }

    func videoComposition(
      _ videoComposition: AVVideoComposition,
      shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
        any AVVideoCompositionInstructionProtocol, layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool {
      faults.append("track \(layerInstruction.trackID)")
      return continues
    }
  }

  /// Implements nothing.
  private final class Silent: NSObject, AVVideoCompositionValidationHandling {}

  private func composition(_ parts: [(CMTimeRange, CMPersistentTrackID)]) -> AVMutableVideoComposition {
    let video = AVMutableVideoComposition()
    (video.renderSize, video.frameDuration) = (CGSize(width: 320, height: 180), CMTime(value: 1, timescale: 25))
    video.instructions = parts.map { range, track in
      let layer = AVMutableVideoCompositionLayerInstruction()
      layer.trackID = track
      let instruction = AVMutableVideoCompositionInstruction()
      (instruction.timeRange, instruction.layerInstructions) = (range, [layer])
      return instruction
    }
    return video
  }

  /// The movie lasts two seconds; its tracks are 1 for video and 2 for audio.
  private func movie() async throws -> AVAsset { AVAsset(url: try await folder.movie("a.mp4")) }

  private func faults(_ video: AVVideoComposition, _ asset: AVAsset?, in range: CMTimeRange = everything) -> [String] {
    let recorder = Recorder()
    let isValid = video.isValid(for: asset, timeRange: range, validationDelegate: recorder)
    #expect(isValid == recorder.faults.isEmpty)
    return recorder.faults
  }

  @Test func goodComposition_isValid() async throws {
    let asset = try await movie()
    let video = composition([(range(0, 1), 1), (range(1, 2), 1)])
    #expect(faults(video, asset).isEmpty)
    #expect(try await video.isValid(for: asset, timeRange: everything, validationDelegate: nil))
    #expect(faults(composition([(CMTimeRange(start: .zero, end: CMTime(value: .max, timescale: 1)), 1)]), asset).isEmpty)
  }

  @Test func gapsAndOverlaps_areFound() async throws {
    let asset = try await movie()
    #expect(
      faults(composition([(range(0.5, 1), 1), (range(1.25, 1.5), 1)]), asset) == [
        "empty 0.0 0.5", "empty 1.0 1.25", "empty 1.5 2.0",
      ])
    #expect(faults(composition([(range(0, 1), 1), (range(0.5, 2), 1)]), asset) == ["range 0.5"])
    #expect(faults(composition([(range(1, 2), 1), (range(0, 1), 1)]), asset) == ["empty 0.0 1.0", "range 0.0"])
    #expect(faults(composition([(range(0, 0), 1), (range(0, 2), 1)]), asset) == ["range 0.0"])
    // Only what is in the range counts; without an asset nothing is known of the end.
    #expect(faults(composition([(range(0.5, 1), 1)]), asset, in: range(0.5, 1)).isEmpty)
    #expect(faults(composition([(range(0, 1), 1)]), nil).isEmpty)
  }

  @Test func wrongTracksAndValues_areFound() async throws {
    let asset = try await movie()
    #expect(faults(composition([(range(0, 1), 7), (range(1, 2), 2)]), asset) == ["track 7", "track 2"])
    #expect(faults(composition([(range(0, 2), 7)]), nil, in: range(0, 2)).isEmpty)
    let video = AVMutableVideoComposition()
    #expect(faults(video, nil, in: range(0, 1)) == ["frameDuration", "renderSize", "empty 0.0 1.0"])
  }

  @Test func delegate_mayEndTheCheck() async throws {
    let asset = try await movie()
    let video = composition([(range(0.5, 1), 7)])
    let recorder = Recorder()
    recorder.continues = false
    #expect(!validate(video, asset, recorder) && recorder.faults == ["empty 0.0 0.5"])
    #expect(!validate(video, asset, Silent()) && !validate(video, asset, nil))
  }

  private func validate(
    _ video: AVVideoComposition, _ asset: AVAsset, _ delegate: (any AVVideoCompositionValidationHandling)?
  ) -> Bool {
    video.isValid(for: asset, timeRange: everything, validationDelegate: delegate)
  }
}
