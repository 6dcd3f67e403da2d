import AVFoundation
import Compositor
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// What video compositions take from their assets, and what mixes do to tracks.
@Suite struct PropertyRuleTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func track(_ composition: AVMutableComposition, _ type: AVMediaType = .video) throws -> AVMutableCompositionTrack {
    try #require(composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid))
  }

  @Test func size_isTheCompositionsOwn() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", tone: nil))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 2), of: asset, at: .zero)
    #expect(composition.naturalSize == CGSize(width: 320, height: 180))
    composition.naturalSize = CGSize(width: 200, height: 100)
    let video = AVVideoComposition(propertiesOf: composition)
    #expect(composition.naturalSize == CGSize(width: 200, height: 100) && video.renderSize == composition.naturalSize)
  }

  /// A track without media states no rate: 1/30 s. An asset without video has no instructions.
  @Test func unknownRate_is30() async throws {
    let composition = AVMutableComposition()
    _ = try track(composition)
    #expect(AVVideoComposition(propertiesOf: composition).frameDuration == CMTime(value: 1, timescale: 30))
    let empty = AVVideoComposition(propertiesOf: AVMutableComposition())
    #expect(empty.frameDuration == .zero && empty.renderSize == .zero && empty.instructions.isEmpty)
    let plain = AVMutableVideoComposition()
    #expect(plain.frameDuration == .zero && plain.renderSize == .zero && plain.renderScale == 1 && plain.instructions.isEmpty)
  }

  /// What is neither range nor layer comes from the prototype.
  @Test func prototype_givesTheRest() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", tone: nil))
    let prototype = AVMutableVideoCompositionInstruction()
    prototype.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    prototype.enablePostProcessing = false
    let video = try await AVMutableVideoComposition.videoComposition(
      withPropertiesOf: asset, prototypeInstruction: prototype)
    let made = try #require(video.instructions.first as? AVVideoCompositionInstruction)
    #expect(made.timeRange == range(0, 2) && made.layerInstructions.count == 1)
    #expect(made.backgroundColor == prototype.backgroundColor && !made.enablePostProcessing)
  }

  /// Frames are those of the timing track; in a gap there is one for each frame duration at most.
  @Test func timingTrack_givesTheFrames() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 1, rate: 25, tone: nil))
    let composition = AVMutableComposition()
    let track = try track(composition)
    try track.insertTimeRange(range(0, 1), of: asset.tracks[0], at: .zero)
    try track.insertTimeRange(range(0, 1), of: asset.tracks[0], at: seconds(2))
    let video = AVMutableVideoComposition(propertiesOf: composition)
    #expect(video.sourceTrackIDForFrameTiming == track.trackID)
    video.frameDuration = CMTime(value: 1, timescale: 10)
    let session = try #require(AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality))
    session.videoComposition = video
    try await session.export(to: folder["out.mov"], as: .mov)
    let times = try frameTimes(folder["out.mov"])
    #expect(times.filter { $0 < 1 - 1e-6 }.count == 25 && times.filter { $0 >= 2 - 1e-6 }.count == 25, "\(times)")
    #expect((1...10).contains(times.filter { $0 >= 1 - 1e-6 && $0 < 2 - 1e-6 }.count))
    #expect(try info(folder["out.mov"]).duration == .seconds(3))
  }

  private func frameTimes(_ url: URL) throws -> [Double] {
    try probe("-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", url.path)
      .split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
  }

  /// What another program finds in a file.
  private func probe(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffprobe", "-v", "error"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// 1 from the start, and from 0.5 to 0.2 between 4 s and 9 s: 1 until 4 s, 0.2 at 9 s, and after it. Another track stays as it is.
  @Test func volume_isThatOfTheExample() async throws {
    let assets = [
      AVAsset(url: try await folder.movie("a.mp4", seconds: 11, rate: 5, tone: 1000)),
      AVAsset(url: try await folder.movie("b.mp4", seconds: 11, rate: 5, tone: 400)),
    ]
    let composition = AVMutableComposition()
    for asset in assets {
      try track(composition, .audio).insertTimeRange(range(0, 11), of: asset.tracks(withMediaType: .audio)[0], at: .zero)
    }
    let parameters = AVMutableAudioMixInputParameters(track: composition.tracks[0])
    parameters.setVolume(1, at: .zero)
    parameters.setVolumeRamp(
      fromStartVolume: 0.5, toEndVolume: 0.2, timeRange: CMTimeRange(start: seconds(4), duration: seconds(5)))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    let session = try #require(AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleM4A))
    session.audioMix = mix
    try await session.export(to: folder["out.m4a"], as: .m4a)
    let (before, after) = (try Sound(folder["a.mp4"]), try Sound(folder["out.m4a"]))
    let other = try Sound(folder["b.mp4"])
    for (time, volume) in [(1, 1.0), (3.9, 1), (4.1, 0.494), (6.5, 0.35), (8.9, 0.206), (10.5, 0.2)] {
      let ratio = after.amplitude(of: 1000, at: time) / before.amplitude(of: 1000, at: time)
      #expect(abs(ratio - volume) < 0.02, "\(time) s: \(ratio)")
      #expect(abs(after.amplitude(of: 400, at: time) / other.amplitude(of: 400, at: time) - 1) < 0.02)
    }
  }

  /// A data rate is that of the packets of a track.
  @Test func dataRate_isThatOfThePackets() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 4))
    let rates = asset.tracks.map(\.estimatedDataRate)
    for (rate, stream) in zip(rates, ["v", "a"]) {
      let text = try probe(
        "-select_streams", stream, "-show_entries", "stream=bit_rate", "-of", "csv=p=0", folder["a.mp4"].path)
      let stated = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(abs(Double(rate) / stated - 1) < 0.03, "\(stream): \(rate), \(stated)")
    }
    #expect(try await asset.tracks[1].load(.estimatedDataRate) == rates[1])
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 2), of: asset, at: .zero)
    #expect(composition.tracks.map(\.estimatedDataRate) == rates)
    #expect(AVAsset(url: folder["none.mp4"]).tracks.isEmpty)
  }

  @Test func timeScale_isKept() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", tone: nil))
    let composition = AVMutableComposition()
    let track = try track(composition)
    #expect(track.naturalTimeScale == 600)
    try track.insertTimeRange(range(0, 1), of: asset.tracks[0], at: .zero)
    #expect(track.naturalTimeScale == asset.tracks[0].naturalTimeScale)
    track.naturalTimeScale = 90_000
    #expect(track.naturalTimeScale == 90_000 && composition.tracks[0].naturalTimeScale == 90_000)
  }
}
