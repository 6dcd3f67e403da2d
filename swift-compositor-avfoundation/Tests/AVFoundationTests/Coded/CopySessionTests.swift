import AVFoundation
import Compositor
import Testing

/// Copied tracks beside encoded ones, and sessions that begin late or end early.
@Suite(.serialized) struct CopySessionTests {
  private let folder: TestFolder
  private let source: URL

  init() throws {
    folder = try TestFolder()
    source = folder["source.mov"]
    try encoded(source, video: h264, audio: ["-c:a", "aac"])
  }

  /// A copied video with encoded audio, and the reverse.
  @Test(arguments: [AVMediaType.video, .audio], [AVFileType.mov, .mp4])
  func copiedBesideEncoded(_ type: AVMediaType, _ file: AVFileType) async throws {
    let target = folder["mixed.\(file.suffixForTests)"]
    try await copy(source, to: target, file, encoding: [type])
    let (made, original) = (try packets(target), try packets(source))
    let (copied, encoded) = type == .video ? ("1", "0") : ("0", "1")
    #expect(made[copied] == original[copied] && made[encoded] != original[encoded])
    #expect(try frameCount(target) == 75)
    let found = try info(target)
    #expect(found.videoTracks.first?.timeRange == TimeRange(start: .zero, duration: .seconds(3)))
    #expect(abs((found.audioTracks.first?.timeRange.duration.seconds ?? 0) - 3) < 0.03)
    #expect(folder.names == [target.lastPathComponent, "source.mov"].sorted())
  }

  /// What is before the start and after the end is stored, and left out by edit lists.
  @Test(arguments: [AVFileType.mov, .mp4], [[], [AVMediaType.audio]])
  func session_hasEditLists(_ file: AVFileType, _ encoding: [AVMediaType]) async throws {
    let target = folder["part.\(file.suffixForTests)"]
    try await copy(source, to: target, file, encoding: Set(encoding), start: frames(20), end: frames(60))
    let (stored, original) = (try packets(target, stored: true)["0"] ?? [], try packets(source)["0"] ?? [])
    #expect(stored == original, "\(stored.count) of \(original.count)")
    let shown = try ffprobe(
      target, "-select_streams", "v:0", "-count_frames", "-show_entries", "stream=nb_read_frames,duration")
    #expect(shown == ["1.600000", "40"])
    let times = try ffprobe(target, "-select_streams", "v:0", "-show_entries", "frame=pts_time").compactMap(Double.init)
    #expect(times.first == 0 && times.last == 1.56)
    #expect(try info(target).duration == MediaTime(value: 8, timescale: 5))
  }

  /// A track that begins later has a pause first: an empty edit.
  @Test func lateSamples_areKeptInStep() async throws {
    let target = folder["late.mov"]
    let asset = AVAsset(url: source)
    let reader = try AVAssetReader(asset: asset)
    let track = try #require(asset.tracks(withMediaType: .video).first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    let writer = try AVAssetWriter(outputURL: target, fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
    writer.add(input)
    #expect(reader.startReading() && writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    while let sample = output.copyNextSampleBuffer() {
      var timing = try sample.sampleTimingInfos()
      timing[0].presentationTimeStamp = timing[0].presentationTimeStamp + frames(25)
      timing[0].decodeTimeStamp = .invalid
      #expect(input.append(try CMSampleBuffer(copying: sample, withNewTiming: timing)))
    }
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    #expect(try packets(target)["0"] == packets(source)["0"])
    #expect(try info(target).videoTracks.first?.timeRange == TimeRange(start: .seconds(1), duration: .seconds(3)))
    #expect(try ffprobe(target, "-select_streams", "v:0", "-show_entries", "stream=start_time") == ["1.000000"])
  }

  @Test func cancel_leavesNoFile() async throws {
    let asset = AVAsset(url: source)
    let reader = try AVAssetReader(asset: asset)
    let video = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .video).first), outputSettings: nil)
    let audio = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .audio).first), outputSettings: pcm16)
    reader.add(video)
    reader.add(audio)
    let writer = try AVAssetWriter(outputURL: folder["copy.mov"], fileType: .mov)
    let inputs = [
      AVAssetWriterInput(mediaType: .video, outputSettings: nil), AVAssetWriterInput(mediaType: .audio, outputSettings: aac),
    ]
    for input in inputs { writer.add(input) }
    #expect(reader.startReading() && writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for _ in 0..<10 {
      inputs[0].append(try #require(video.copyNextSampleBuffer()))
      inputs[1].append(try #require(audio.copyNextSampleBuffer()))
    }
    nonisolated(unsafe) let shared = writer
    await blocking { shared.cancelWriting() }
    #expect(writer.status == .cancelled && folder.names == ["source.mov"])
  }
}
