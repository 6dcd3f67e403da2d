import AVFoundation
import Compositor
import Synchronization
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// Edits, exported and looked at.
@Suite struct EditExportTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Red for two seconds and blue for two, which overlap for one: the first fades out over the second.
  private func dissolve() async throws -> (AVMutableComposition, AVMutableVideoComposition) {
    let red = AVAsset(url: try await folder.movie("red.mp4"))
    let blue = AVAsset(url: try await folder.movie("blue.mp4", color: Color(red: 0, green: 0, blue: 1)))
    let composition = AVMutableComposition()
    let tracks = (0..<2).compactMap { _ in
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
    }
    try tracks[0].insertTimeRange(range(0, 2), of: red.tracks[0], at: .zero)
    try tracks[1].insertTimeRange(range(0, 2), of: blue.tracks[0], at: seconds(1))
    let video = AVMutableVideoComposition()
    video.renderSize = CGSize(width: 320, height: 180)
    video.frameDuration = CMTime(value: 1, timescale: 25)
    func instruction(_ range: CMTimeRange, _ tracks: [AVMutableCompositionTrack]) -> AVMutableVideoCompositionInstruction {
      let instruction = AVMutableVideoCompositionInstruction()
      instruction.timeRange = range
      instruction.layerInstructions = tracks.map { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
      return instruction
    }
    let fading = AVMutableVideoCompositionLayerInstruction(assetTrack: tracks[0])
    fading.setOpacityRamp(fromStartOpacity: 1, toEndOpacity: 0, timeRange: range(1, 2))
    let transition = instruction(range(1, 2), [])
    transition.layerInstructions = [fading, AVMutableVideoCompositionLayerInstruction(assetTrack: tracks[1])]
    video.instructions = [instruction(range(0, 1), [tracks[0]]), transition, instruction(range(2, 3), [tracks[1]])]
    return (composition, video)
  }

  private func export(
    _ asset: AVAsset, _ video: AVVideoComposition?, _ mix: AVAudioMix? = nil, to name: String
  ) async throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    session.outputURL = folder[name]
    session.outputFileType = .mov
    session.videoComposition = video
    session.audioMix = mix
    await session.export()
    return session
  }

  @Test func dissolve_fadesTheFirstLayer() async throws {
    let (composition, video) = try await dissolve()
    let session = try await export(composition, video, to: "out.mov")
    #expect(session.status == .completed, "\(String(describing: session.error))")
    #expect(try info(folder["out.mov"]).duration == .seconds(3))
    for (time, red, blue) in [(0.5, 255.0, 0.0), (1.48, 133, 122), (2.5, 0, 255)] {
      let color = meanColor(try await picture(folder["out.mov"], at: time))
      #expect(abs(color[0] - red) < 14 && color[1] < 14 && abs(color[2] - blue) < 14, "\(time) s: \(color)")
    }
  }

  /// What does not fit is −11841, and there is no file.
  @Test func videoComposition_isChecked() async throws {
    let (composition, video) = try await dissolve()
    let gap = try #require(video.mutableCopy() as? AVMutableVideoComposition)
    gap.instructions.remove(at: 1)
    let zero = AVMutableVideoComposition()
    zero.instructions = video.instructions
    let scaled = try #require(video.mutableCopy() as? AVMutableVideoComposition)
    scaled.renderScale = 0.5
    let endless = try #require(video.mutableCopy() as? AVMutableVideoComposition)
    endless.renderSize = CGSize(width: CGFloat.infinity, height: 180)
    for (index, wrong) in [gap, zero, scaled, endless].enumerated() {
      let session = try await export(composition, wrong, to: "out.mov")
      #expect(session.status == .failed && (session.error as? AVError)?.code == .invalidVideoComposition, "case \(index)")
    }
    #expect(!folder.names.contains("out.mov"))
  }

  /// An instruction that lasts longer than the asset is cut.
  @Test func longInstruction_endsWithTheAsset() async throws {
    let (composition, video) = try await dissolve()
    (video.instructions.last as? AVMutableVideoCompositionInstruction)?.timeRange = CMTimeRange(
      start: seconds(2), end: CMTime(value: .max, timescale: 1))
    let session = try await export(composition, video, to: "out.mov")
    #expect(session.status == .completed, "\(String(describing: session.error))")
    #expect(try info(folder["out.mov"]).duration == .seconds(3))
  }

  @Test func transformAndBackground_placeTheLayer() async throws {
    let asset = AVAsset(url: try await folder.movie("red.mp4"))
    let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: asset.tracks[0])
    layer.setTransform(CGAffineTransform(translationX: 160, y: 0).scaledBy(x: 0.5, y: 1), at: .zero)
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = range(0, 2)
    instruction.layerInstructions = [layer]
    instruction.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    let video = AVMutableVideoComposition(propertiesOf: asset)
    video.instructions = [instruction]
    _ = try await export(asset, video, to: "out.mov")
    let image = try await picture(folder["out.mov"], at: 1)
    let (left, right) = (CGRect(x: 8, y: 8, width: 140, height: 160), CGRect(x: 172, y: 8, width: 140, height: 160))
    let colors = try [left, right].map { meanColor(try #require(image.cropping(to: $0))) }
    #expect(colors[0][1] > 230 && colors[0][0] < 20 && colors[1][0] > 230 && colors[1][1] < 20, "\(colors)")
  }

  /// A ramp from 1 to 0 over two seconds: half as loud in the middle, as loud as before at its beginning.
  @Test func volumeRamp_isHeard() async throws {
    let asset = AVAsset(url: try await folder.movie("red.mp4"))
    let parameters = AVMutableAudioMixInputParameters(track: asset.tracks(withMediaType: .audio).first)
    parameters.setVolumeRamp(fromStartVolume: 1, toEndVolume: 0, timeRange: range(0, 2))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    _ = try await export(asset, nil, mix, to: "out.mov")
    let before = try Sound(folder["red.mp4"]).levels
    let after = try Sound(folder["out.mov"]).levels
    for (time, expected) in [(0.1, 0.95), (1.0, 0.5), (1.8, 0.1)] {
      let ratio = after[Int(time * 10)] / before[Int(time * 10)]
      #expect(abs(ratio - (expected - 0.025)) < 0.04, "\(time) s: \(ratio)")
    }
  }

  /// Programs block threads of the pool with semaphores; exports do not need them.
  @Test func blockedPool_doesNotStopExports() async throws {
    let url = try await folder.movie("red.mp4", seconds: 1)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<4 {
        let target = folder["out\(number).mov"]
        group.addTask {
          guard let session = AVAssetExportSession(asset: AVAsset(url: url), presetName: AVAssetExportPreset640x480) else {
            return false
          }
          session.outputURL = target
          session.outputFileType = .mov
          let done = DispatchSemaphore(value: 0)
          session.exportAsynchronously { done.signal() }
          return waitBlocking(done) && session.status == .completed
        }
      }
      for await succeeded in group { #expect(succeeded) }
    }
  }

  @Test func images_areExact_andBlockNothing() async throws {
    let (composition, video) = try await dissolve()
    let generator = AVAssetImageGenerator(asset: composition)
    generator.videoComposition = video
    (generator.requestedTimeToleranceBefore, generator.requestedTimeToleranceAfter) = (.zero, .zero)
    var actual = CMTime.invalid
    let image = try generator.copyCGImage(at: seconds(2.5), actualTime: &actual)
    #expect(actual == CMTime(value: 62, timescale: 25) && image.width == 320 && meanColor(image)[2] > 240)
    generator.maximumSize = CGSize(width: 100, height: 100)
    #expect(try generator.copyCGImage(at: .zero, actualTime: nil).width <= 100)
    let error = #expect(throws: AVError.self) { try generator.copyCGImage(at: seconds(3), actualTime: nil) }
    #expect(error?.code == .noImageAtTime)
    let results = Mutex<[AVAssetImageGenerator.Result]>([])
    await withCheckedContinuation { continuation in
      generator.generateCGImagesAsynchronously(forTimes: [0.5, 9, 1.5].map { NSValue(time: seconds($0)) }) {
        _, _, _, result, _ in
        let count = results.withLock { results in
          results.append(result)
          return results.count
        }
        if count == 3 { continuation.resume() }
      }
    }
    #expect(results.withLock { $0 } == [.succeeded, .failed, .succeeded])
  }
}

/// Waits on this thread, as programs do that know no tasks.
private func waitBlocking(_ semaphore: DispatchSemaphore) -> Bool { semaphore.wait(timeout: .now() + 120) == .success }
