import AVFoundation
import Compositor
import Testing

/// Samples that are read and written as they are stored.
@Suite(.serialized) struct CopyTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Codecs and the files that hold them.
  struct Case: CustomStringConvertible, Sendable {
    let name: String
    var video: [String]?
    var audio: [String]?
    var source = "mov"
    var types: [AVFileType] = [.mov, .mp4]
    var description: String { name }
  }

  static let cases = [
    Case(name: "H.264 with B-frames", video: h264),
    Case(name: "HEVC", video: hevc),
    Case(name: "AAC", audio: ["-c:a", "aac"], types: [.mov, .mp4, .m4a]),
    Case(name: "MP3", audio: ["-c:a", "libmp3lame"], source: "mp3", types: [.mov, .mp4]),
    Case(name: "ALAC", audio: ["-c:a", "alac"], types: [.mov, .mp4, .m4a]),
    Case(name: "PCM", audio: ["-c:a", "pcm_s16le"], types: [.mov]),
    Case(name: "H.264 and AAC", video: h264, audio: ["-c:a", "aac"]),
  ]

  @Test(arguments: cases) func everyPacket_isEqual(_ some: Case) async throws {
    let source = folder["source.\(some.source)"]
    try encoded(source, video: some.video, audio: some.audio)
    for type in some.types {
      let target = folder["copy.\(type.suffixForTests)"]
      try await copy(source, to: target, type)
      #expect(try packets(target) == packets(source), "\(type.rawValue)")
      let (made, original) = (try info(target), try info(source))
      #expect(made.videoTracks.map(\.timeRange) == original.videoTracks.map(\.timeRange))
      #expect(made.videoTracks.map(\.codec) == original.videoTracks.map(\.codec))
      #expect(made.audioTracks.map(\.codec) == original.audioTracks.map(\.codec))
    }
  }

  @Test func unknownFormats_onlyInQuickTimeFiles() async throws {
    let source = folder["source.mov"]
    try encoded(source, video: h264, audio: ["-c:a", "aac"])
    try await copy(source, to: folder["copy.mov"], .mov, hinting: false)
    #expect(try packets(folder["copy.mov"]) == packets(source))
    let writer = try AVAssetWriter(outputURL: folder["copy.mp4"], fileType: .mp4)
    #expect(!writer.canAdd(AVAssetWriterInput(mediaType: .video, outputSettings: nil)))
  }

  @Test func formatsThatTheFileCannotHold_areRefused() async throws {
    try encoded(folder["source.mov"], video: ["-c:v", "prores_ks"], audio: ["-c:a", "pcm_s24be"])
    let asset = AVAsset(url: folder["source.mov"])
    for (type, media) in [(AVFileType.m4a, AVMediaType.video), (.mp4, .video), (.mp3, .audio)] {
      let writer = try AVAssetWriter(outputURL: folder["copy.m4a"], fileType: type)
      let track = try #require(asset.tracks(withMediaType: media).first)
      let format = try #require(track.formatDescriptions.first as? CMFormatDescription)
      #expect(!writer.canAdd(AVAssetWriterInput(mediaType: media, outputSettings: nil, sourceFormatHint: format)))
    }
  }

  /// What a decoder needs, times and sync samples, as code that writes its own files uses them.
  @Test func samples_sayWhatDecodersNeed() async throws {
    try encoded(folder["source.mov"], video: h264, audio: ["-c:a", "aac"])
    let asset = AVAsset(url: folder["source.mov"])
    let reader = try AVAssetReader(asset: asset)
    let track = try #require(asset.tracks(withMediaType: .video).first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    var (keys, count, last) = (0, 0, CMTime.negativeInfinity)
    var times: [CMTime] = []
    while let sample = output.copyNextSampleBuffer() {
      let format = try #require(sample.formatDescription)
      #expect(format.mediaSubType == .h264 && format.dimensions.width == 160)
      let atoms = CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
      let avcC = try #require((atoms as? [String: Any])?["avcC"] as? Data)
      #expect(avcC.first == 1)
      #expect(sample.decodeTimeStamp > last && sample.presentationTimeStamp >= sample.decodeTimeStamp)
      last = sample.decodeTimeStamp
      times.append(sample.presentationTimeStamp)
      let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[CFString: Any]]
      if attachments?.first?[kCMSampleAttachmentKey_NotSync] as? Bool != true { keys += 1 }
      #expect(sample.duration == frames(1) && sample.totalSampleSize == sample.dataBuffer?.dataLength)
      count += 1
    }
    #expect(count == 75 && keys == 7 && times.sorted() == (0..<75).map(frames) && times != times.sorted())
    #expect(reader.status == .completed)
    let audio = try #require(asset.tracks(withMediaType: .audio).first?.formatDescriptions.first as? CMFormatDescription)
    #expect(audio.mediaSubType == .mpeg4AAC && audio.magicCookie?.isEmpty == false)
  }

  /// A range begins with the key frame that decoding needs; what is not in it is not displayed [m].
  @Test func range_beginsWithAKeyFrame() async throws {
    try encoded(folder["source.mov"], video: h264, audio: nil)
    let asset = AVAsset(url: folder["source.mov"])
    let reader = try AVAssetReader(asset: asset)
    reader.timeRange = CMTimeRange(start: frames(30), duration: frames(10))
    let output = AVAssetReaderTrackOutput(track: try #require(asset.tracks.first), outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    var (shown, hidden): ([CMTime], [CMTime]) = ([], [])
    while let sample = output.copyNextSampleBuffer() {
      let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[CFString: Any]]
      let isHidden = attachments?.first?[kCMSampleAttachmentKey_DoNotDisplay] as? Bool == true
      if isHidden { hidden.append(sample.presentationTimeStamp) } else { shown.append(sample.presentationTimeStamp) }
    }
    #expect(shown.sorted() == (30..<40).map(frames) && hidden.contains(frames(24)))
  }

  @Test func compositions_cannotBeReadAsTheyAreStored() async throws {
    try encoded(folder["source.mov"], video: h264, audio: nil)
    let source = try #require(AVAsset(url: folder["source.mov"]).tracks.first)
    let composition = AVMutableComposition()
    let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
    try track.insertTimeRange(source.timeRange, of: source, at: .zero)
    let reader = try AVAssetReader(asset: composition)
    reader.add(AVAssetReaderTrackOutput(track: track, outputSettings: nil))
    #expect(!reader.startReading() && (reader.error as? AVError)?.code == .operationNotSupportedForAsset)
  }

  @Test func changedBytes_areRefused() async throws {
    try encoded(folder["source.mov"], video: h264, audio: nil)
    let asset = AVAsset(url: folder["source.mov"])
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: try #require(asset.tracks.first), outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    let sample = try #require(output.copyNextSampleBuffer())
    let bytes: [UInt8] = [1, 2, 3, 4]
    try bytes.withUnsafeBytes { try #require(sample.dataBuffer).replaceDataBytes(with: $0) }
    let writer = try AVAssetWriter(outputURL: folder["copy.mov"], fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    #expect(!input.append(sample) && (writer.error as? AVError)?.code == .formatUnsupported)
    for _ in 0..<100 where folder.names != ["source.mov"] { try await Task.sleep(for: .milliseconds(10)) }
    #expect(folder.names == ["source.mov"])
  }

  @Test func transform_isThatOfTheInput() async throws {
    try encoded(folder["source.mov"], video: h264, audio: ["-c:a", "aac"])
    let turned = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 120, ty: 0)
    try await copy(folder["source.mov"], to: folder["turned.mov"], .mov, transform: turned)
    #expect(AVAsset(url: folder["turned.mov"]).tracks(withMediaType: .video).first?.preferredTransform == turned)
    #expect(try packets(folder["turned.mov"]) == packets(folder["source.mov"]))
    try await copy(folder["turned.mov"], to: folder["upright.mp4"], .mp4, transform: .identity)
    #expect(AVAsset(url: folder["upright.mp4"]).tracks(withMediaType: .video).first?.preferredTransform == .identity)
    try await copy(folder["turned.mov"], to: folder["mixed.mp4"], .mp4, encoding: [.audio])
    #expect(AVAsset(url: folder["mixed.mp4"]).tracks(withMediaType: .video).first?.preferredTransform == turned)
  }
}

extension AVFileType {
  /// The usual suffix.
  var suffixForTests: String { self == .mov ? "mov" : self == .mp4 ? "mp4" : "m4a" }
}
