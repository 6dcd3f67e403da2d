import AVFoundation
import Compositor
import Testing

/// What tracks and sessions say about themselves, in files of several tracks.
@Suite(.serialized) struct TrackFactTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func title(_ text: String) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = .commonIdentifierTitle
    item.value = NSString(string: text)
    return item
  }

  /// Two videos and two audio tracks, of which the last is not enabled.
  private func movie(_ name: String) throws -> URL {
    try ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=48000:duration=2", "-map", "0", "-map", "0", "-map", "1", "-map", "1", "-pix_fmt",
        "yuv420p", "-c:v:0", "libx264", "-c:v:1", "libx265", "-x265-params", "log-level=none", "-tag:v:1", "hvc1", "-c:a:0",
        "aac", "-b:a:0", "96k", "-c:a:1", "alac", "-disposition:a:1", "0", "-video_track_timescale", "12800",
      ] + [folder[name].path])
    return folder[name]
  }

  @Test(arguments: ["mov", "mkv"]) func tracks_haveFormatsAndRates(_ suffix: String) throws {
    let tracks = AVAsset(url: try movie("several.\(suffix)")).tracks
    let types = tracks.compactMap { ($0.formatDescriptions.first as? CMFormatDescription)?.mediaSubType }
    #expect(types == [.h264, .hevc, .mpeg4AAC, .appleLossless])
    #expect(tracks.map(\.nominalFrameRate) == [25, 25, 0, 0] && tracks.map(\.trackID) == [1, 2, 3, 4])
    for (index, track) in tracks.enumerated() {
      let sizes = try ffprobe(folder["several.\(suffix)"], "-select_streams", "\(index)", "-show_entries", "packet=size")
      let rate = Double(sizes.compactMap { Int($0) }.reduce(0, +)) * 4
      #expect(abs(Double(track.estimatedDataRate) / rate - 1) < 0.05, "track \(index)")
    }
    if suffix == "mov" {
      let stated = try ffprobe(folder["several.mov"], "-show_entries", "stream_disposition=default").map { $0 == "1" }
      #expect(tracks.map(\.isEnabled) == stated && stated.last == false)
      #expect(tracks[0].naturalTimeScale == 12_800 && tracks[2].naturalTimeScale == 48_000)
    }
  }

  /// Code of four characters that files state.
  @Test func proRes_hasTheCodeOfItsProfile() throws {
    try encoded(folder["a.mov"], video: ["-c:v", "prores_ks", "-profile:v", "3"], audio: nil)
    let format = AVAsset(url: folder["a.mov"]).tracks.first?.formatDescriptions.first as? CMFormatDescription
    #expect(format?.mediaSubType == .proRes422HQ)
  }

  @Test func titlesOfTracks_areWrittenAndRead() async throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    input.metadata = [title("Camera 2")]
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for index in 0..<5 { #expect(input.append(try sample(try picture(index), at: frames(index)))) }
    await writer.finishWriting()
    let track = try #require(AVAsset(url: folder["a.mov"]).tracks.first)
    #expect(track.metadata.map(\.stringValue) == ["Camera 2"] && track.commonMetadata.first?.commonKey == .commonKeyTitle)
    #expect(try await track.load(.metadata).count == 1)
  }

  /// Without items of its own a session keeps those of the asset; a list replaces them.
  @Test func metadataOfASession_replacesThatOfTheAsset() async throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    writer.add(input)
    let maker = AVMutableMetadataItem()
    maker.identifier = .commonIdentifierMake
    maker.value = NSString(string: "Maker")
    writer.metadata = [title("First"), maker]
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for index in 0..<5 { #expect(input.append(try sample(try picture(index), at: frames(index)))) }
    await writer.finishWriting()
    for (name, items) in [("kept.mov", nil), ("new.mov", [title("Second")]), ("none.mov", [])] as [(String, [AVMetadataItem]?)]
    {
      let session = try #require(
        AVAssetExportSession(asset: AVAsset(url: folder["a.mov"]), presetName: AVAssetExportPresetPassthrough))
      #expect(session.metadata == nil)
      session.metadata = items
      try await session.export(to: folder[name], as: .mov)
    }
    func words(_ name: String) -> [String] { AVAsset(url: folder[name]).commonMetadata.compactMap(\.stringValue).sorted() }
    #expect(words("kept.mov") == ["First", "Maker"] && words("new.mov") == ["Second"] && words("none.mov").isEmpty)
  }
}
