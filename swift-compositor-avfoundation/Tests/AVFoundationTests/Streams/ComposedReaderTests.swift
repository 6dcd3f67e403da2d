import AVFoundation
import Compositor
import Synchronization
import Testing

@Suite struct ComposedReaderTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func time(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

  /// One second of a movie, then another, with a second of nothing between.
  private func composition() async throws -> AVMutableComposition {
    let composition = AVMutableComposition()
    for (name, start) in [("a.mp4", 0), ("b.mp4", 2)] {
      let color = start == 0 ? Color(red: 1, green: 0, blue: 0) : Color(red: 0, green: 1, blue: 0)
      let asset = AVAsset(url: try await folder.movie(name, seconds: 1, color: color))
      for type in [AVMediaType.video, .audio] {
        let track =
          composition.tracks(withMediaType: type).first
          ?? composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid)
        try track?.insertTimeRange(
          CMTimeRange(start: .zero, duration: time(1)), of: try #require(asset.tracks(withMediaType: type).first),
          at: time(Int64(start)))
      }
    }
    return composition
  }

  @Test func trackOfAComposition_hasNoSamplesInGaps() async throws {
    let composition = try await composition()
    let reader = try AVAssetReader(asset: composition)
    let output = AVAssetReaderTrackOutput(
      track: try #require(composition.tracks(withMediaType: .video).first), outputSettings: bgra)
    reader.add(output)
    #expect(reader.startReading())
    var greens: [Int] = []
    let read = try readAll(output) { greens.append(gray(of: try #require($0.imageBuffer))) }
    #expect(read.times.count == 50 && read.times[24].seconds == 0.96 && read.times[25].seconds == 2)
    #expect(greens.prefix(25).allSatisfy { $0 < 12 } && greens.suffix(25).allSatisfy { $0 > 240 })
  }

  @Test func mix_hasItsVolumes() async throws {
    let composition = try await composition()
    let track = try #require(composition.tracks(withMediaType: .audio).first)
    let parameters = AVMutableAudioMixInputParameters(track: track)
    parameters.setVolume(0, at: time(2))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    let reader = try AVAssetReader(asset: composition)
    let output = AVAssetReaderAudioMixOutput(audioTracks: [track], audioSettings: nil)
    output.audioMix = mix
    #expect(reader.canAdd(output))
    reader.add(output)
    #expect(reader.startReading())
    var samples: [Float] = []
    let read = try readAll(output) { sample in
      let stream = sample.formatDescription?.audioStreamBasicDescription
      #expect(stream?.mFormatFlags == kAudioFormatFlagsNativeFloatPacked && stream?.mBitsPerChannel == 32)
      try sample.withAudioBufferList { list, _ in
        let bytes = UnsafeRawBufferPointer(start: list[0].mData, count: Int(list[0].mDataByteSize))
        samples += bytes.bindMemory(to: Float.self)
      }
    }
    #expect(read.sampleCount == 3 * 48_000)
    let second = samples.count / 3
    let peaks = (0..<3).map { part in samples[(part * second + 4800)..<((part + 1) * second - 4800)].map(abs).max() ?? 9 }
    #expect(peaks[0] > 0.05 && peaks[1] < 0.001 && peaks[2] < 0.001, "\(peaks)")
  }

  @Test func videoComposition_isRendered_fromABlockedThread() async throws {
    let composition = try await composition()
    let video = AVMutableVideoComposition()
    video.renderSize = CGSize(width: 160, height: 120)
    video.frameDuration = CMTime(value: 1, timescale: 10)
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(start: .zero, duration: time(3))
    let track = try #require(composition.tracks(withMediaType: .video).first)
    instruction.layerInstructions = [AVMutableVideoCompositionLayerInstruction(assetTrack: track)]
    video.instructions = [instruction]
    let reader = try AVAssetReader(asset: composition)
    let output = AVAssetReaderVideoCompositionOutput(videoTracks: [track], videoSettings: bgra)
    output.videoComposition = video
    reader.add(output)
    #expect(reader.startReading())
    let greens = Mutex<[Int]>([])
    nonisolated(unsafe) let shared = output
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = readAll(shared) { sample in
        guard let buffer = sample.imageBuffer, CVPixelBufferGetWidth(buffer) == 160 else { return }
        greens.withLock { $0.append(gray(of: buffer)) }
      }
      done.signal()
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        done.wait()
        continuation.resume()
      }
    }
    let values = greens.withLock { $0 }
    #expect(values.count == 30 && values[5] < 12 && values[25] > 240, "\(values)")
    #expect(reader.status == .completed)
  }

  @Test func tracksOfOtherAssets_areRefused() async throws {
    let composition = try await composition()
    let other = AVMutableComposition()
    let track = try #require(other.addMutableTrack(withMediaType: .video, preferredTrackID: 77))
    let reader = try AVAssetReader(asset: composition)
    #expect(!reader.canAdd(AVAssetReaderTrackOutput(track: track, outputSettings: bgra)))
  }
}
