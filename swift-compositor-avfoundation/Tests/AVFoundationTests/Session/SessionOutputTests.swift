import AVFoundation
import Compositor
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// What presets write.
@Suite struct SessionOutputTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func export(
    _ asset: AVAsset, _ preset: String, to name: String, as type: AVFileType,
    _ change: (AVAssetExportSession) -> Void = { _ in }
  ) async throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    (session.outputURL, session.outputFileType) = (folder[name], type)
    change(session)
    await session.export()
    return session
  }

  /// Runs a program and returns what it prints.
  private func run(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test(
    arguments: [
      (AVAssetExportPresetLowQuality, AVFileType.mp4, "h264", "aac"), (AVAssetExportPresetMediumQuality, .mov, "h264", "aac"),
      (AVAssetExportPresetHEVCHighestQuality, .mp4, "hevc", "aac"), (AVAssetExportPresetHEVC1920x1080, .mov, "hevc", "aac"),
      (AVAssetExportPresetAppleProRes422LPCM, .mov, "prores", "pcm_s16le"),
      (AVAssetExportPresetAppleProRes4444LPCM, .mov, "prores", "pcm_s16le"),
      (AVAssetExportPresetPassthrough, .mov, "h264", "aac"),
    ] as [(String, AVFileType, String, String)])
  func preset_hasItsCodecs(preset: String, type: AVFileType, video: String, audio: String) async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 1))
    let session = try await export(asset, preset, to: "out", as: type)
    #expect(session.status == .completed, "\(String(describing: session.error))")
    let written = try info(folder["out"])
    #expect(written.videoTracks.map(\.codec) == [video] && written.audioTracks.map(\.codec) == [audio])
    #expect(written.duration == .seconds(1))
  }

  /// Packets are the same, and mix and video composition are ignored. The preset is in no list.
  @Test func passthrough_copiesAndIgnores() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4"))
    let silent = AVMutableAudioMixInputParameters(track: asset.tracks(withMediaType: .audio).first)
    silent.setVolume(0, at: .zero)
    let mix = AVMutableAudioMix()
    mix.inputParameters = [silent]
    let session = try await export(asset, AVAssetExportPresetPassthrough, to: "out.mp4", as: .mp4) { session in
      session.audioMix = mix
      session.videoComposition = AVMutableVideoComposition()
    }
    #expect(session.status == .completed, "\(String(describing: session.error))")
    func packets(_ name: String) throws -> [String] {
      try run("ffmpeg", "-v", "error", "-i", folder[name].path, "-c", "copy", "-map", "0", "-f", "framemd5", "-")
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last.map(String.init) }
    }
    let (before, after) = (try packets("a.mp4"), try packets("out.mp4"))
    #expect(before.count > 50 && Set(after) == Set(before))
    #expect(!AVAssetExportSession.exportPresets(compatibleWith: asset).contains(AVAssetExportPresetPassthrough))
    #expect(!AVAssetExportSession.allExportPresets().contains(AVAssetExportPresetPassthrough))
    #expect(AVAssetExportSession.exportPresets(compatibleWith: asset).contains(AVAssetExportPresetAppleM4A))
  }

  /// What a container cannot hold is encoded: uncompressed audio in MPEG-4.
  @Test func passthrough_encodesWhatCannotBeHeld() async throws {
    let plain = try await folder.movie("a.mp4", seconds: 1)
    _ = try run("ffmpeg", "-v", "error", "-i", plain.path, "-c:v", "copy", "-c:a", "pcm_s16le", folder["pcm.mov"].path)
    let asset = AVAsset(url: folder["pcm.mov"])
    for (name, type, codec) in [("out.mov", AVFileType.mov, "pcm_s16le"), ("out.m4v", .m4v, "aac")] {
      let session = try await export(asset, AVAssetExportPresetPassthrough, to: name, as: type)
      #expect(session.status == .completed, "\(String(describing: session.error))")
      let written = try info(folder[name])
      #expect(written.audioTracks.map(\.codec) == [codec] && written.videoTracks.map(\.codec) == ["h264"])
    }
  }

  /// Sizes are even, whatever the source's are.
  @Test func sizes_areEven() async throws {
    _ = try run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=161x91:r=5:d=1", "-c:v", "libx264", "-pix_fmt", "yuv444p",
      folder["odd.mov"].path)
    let session = try await export(AVAsset(url: folder["odd.mov"]), AVAssetExportPresetHighestQuality, to: "out.mp4", as: .mp4)
    #expect(session.status == .completed, "\(String(describing: session.error))")
    #expect(try info(folder["out.mp4"]).videoTracks.first?.size == PixelSize(width: 160, height: 90))
  }

  /// Audio alone has neither silence before it nor after it.
  @Test func audioAlone_isGapless() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 2, tone: 1000))
    let session = try await export(asset, AVAssetExportPresetAppleM4A, to: "out.m4a", as: .m4a)
    #expect(session.status == .completed)
    #expect(try info(folder["out.m4a"]).duration == .seconds(2))
    let sound = try Sound(folder["out.m4a"])
    #expect(sound.levels.count == 20 && sound.levels.allSatisfy { $0 > sound.levels[10] * 0.9 }, "\(sound.levels)")
  }

  /// An estimate needs a range that ends, and something to encode.
  @Test func length_isEstimated() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 2))
    func estimate(_ preset: String, _ range: CMTimeRange?) throws -> Int64 {
      let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
      session.outputFileType = .mov
      if let range { session.timeRange = range }
      return session.estimatedOutputFileLength
    }
    #expect(try estimate(AVAssetExportPresetHighestQuality, nil) == 0)
    #expect(try estimate(AVAssetExportPresetPassthrough, range(0, 2)) == 0)
    let (one, two) = (
      try estimate(AVAssetExportPresetHighestQuality, range(0, 1)), try estimate(AVAssetExportPresetHighestQuality, range(0, 2))
    )
    let low = try estimate(AVAssetExportPresetLowQuality, range(0, 2))
    #expect(one > 10_000 && two > one && low < two)
    #expect(try estimate(AVAssetExportPresetAppleM4A, range(0, 2)) == 32_000)
    #expect(try estimate(AVAssetExportPresetHighestQuality, range(0, 99)) == two)
  }

  /// Title and date of a file are kept; a composition has none.
  @Test(arguments: [AVAssetExportPresetHighestQuality, AVAssetExportPresetPassthrough])
  func metadata_isCarriedOver(preset: String) async throws {
    let plain = try await folder.movie("a.mp4", seconds: 1)
    _ = try run(
      "ffmpeg", "-v", "error", "-i", plain.path, "-c", "copy", "-metadata", "title=Stars", "-metadata", "artist=Nobody",
      folder["b.mp4"].path)
    let asset = AVAsset(url: folder["b.mp4"])
    for (name, type) in [("out.mov", AVFileType.mov), ("out.mp4", .mp4)] {
      let session = try await export(asset, preset, to: name, as: type)
      #expect(session.status == .completed, "\(String(describing: session.error))")
      let metadata = try info(folder[name]).metadata
      #expect(metadata["title"] == "Stars" && metadata["artist"] == "Nobody", "\(metadata)")
    }
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 1), of: asset, at: .zero)
    _ = try await export(composition, preset, to: "c.mov", as: .mov)
    #expect(try info(folder["c.mov"]).metadata["title"] == nil)
  }

  /// A file that would be too large is encoded again; one that fits is not changed.
  @Test func fileLength_isLimited() async throws {
    let noise = folder["noise.mp4"]
    _ = try run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4,noise=alls=12:allf=t", "-pix_fmt", "yuv420p",
      noise.path)
    let asset = AVAsset(url: noise)
    func size(_ name: String) throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: folder[name].path)[.size] as? Int)
    }
    _ = try await export(asset, AVAssetExportPresetHighestQuality, to: "all.mp4", as: .mp4)
    let all = try size("all.mp4")
    for limit in [all + 1000, all / 3] {
      let session = try await export(asset, AVAssetExportPresetHighestQuality, to: "\(limit).mp4", as: .mp4) {
        $0.fileLengthLimit = Int64(limit)
      }
      #expect(session.status == .completed, "\(String(describing: session.error))")
      #expect(try limit > all ? size("\(limit).mp4") == all : size("\(limit).mp4") <= limit * 11 / 10)
    }
    let small = try await export(asset, AVAssetExportPresetPassthrough, to: "p.mp4", as: .mp4) { $0.fileLengthLimit = 10_000 }
    #expect(small.status == .failed && (small.error as? AVError)?.code == .maximumFileSizeReached)
  }

  /// Pitch is kept at double speed, unless the session or the track wants otherwise.
  @Test func pitch_followsTheAlgorithm() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mp4", seconds: 4, tone: 1000))
    let composition = AVMutableComposition()
    try composition.insertTimeRange(range(0, 4), of: asset, at: .zero)
    composition.scaleTimeRange(range(0, 4), toDuration: seconds(2))
    let own = AVMutableAudioMixInputParameters(track: composition.tracks(withMediaType: .audio)[0])
    own.audioTimePitchAlgorithm = .spectral
    let mix = AVMutableAudioMix()
    mix.inputParameters = [own]
    let cases: [(String, AVAudioTimePitchAlgorithm, AVAudioMix?, Double)] = [
      ("a", .spectral, nil, 1000), ("b", .timeDomain, nil, 1000), ("c", .varispeed, nil, 2000), ("d", .varispeed, mix, 1000),
    ]
    for (name, algorithm, mix, frequency) in cases {
      _ = try await export(composition, AVAssetExportPresetAppleM4A, to: name, as: .m4a) { session in
        #expect(session.audioTimePitchAlgorithm == .spectral)
        session.audioTimePitchAlgorithm = algorithm
        session.audioMix = mix
      }
      let sound = try Sound(folder[name])
      #expect(sound.amplitude(of: frequency, at: 1) > 10 * sound.amplitude(of: 3000 - frequency, at: 1), "case \(name)")
    }
  }
}
