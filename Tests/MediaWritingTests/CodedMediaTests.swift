import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Coded samples that are read from files and written to others, compared with what ffprobe and ffmpeg find in both.
@Suite(.enabled(if: hasFFmpeg)) struct CodedMediaTests {
  /// A file and the containers that its samples are written to.
  struct Kind: CustomStringConvertible, Sendable {
    let file: String
    let coding: [String]
    var copies: [MovieContainer]
    var description: String { "\(file) \(coding.joined(separator: " "))" }
  }

  private static let x264 = ["-c:v", "libx264", "-g", "12", "-pix_fmt", "yuv420p"]

  static let kinds = [
    Kind(file: "a.mp4", coding: x264 + ["-bf", "3", "-c:a", "aac"], copies: [.mp4, .mov, .m4v, .mkv]),
    Kind(file: "b.mp4", coding: x264 + ["-bf", "0", "-c:a", "alac"], copies: [.mp4, .mov]),
    Kind(
      file: "c.mp4",
      coding: [
        "-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", "-pix_fmt", "yuv420p", "-c:a", "libmp3lame",
      ],
      copies: [.mp4, .mkv]),
    Kind(
      file: "d.mp4", coding: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"], copies: [.mp4, .webm, .mkv]),
    Kind(file: "a.mov", coding: ["-c:v", "prores_ks", "-c:a", "aac"], copies: [.mov, .mkv]),
    Kind(file: "b.mov", coding: ["-c:v", "mjpeg", "-c:a", "aac"], copies: [.mov, .mkv]),
    Kind(file: "a.mkv", coding: x264 + ["-bf", "3", "-c:a", "aac"], copies: [.mkv, .mp4, .mov]),
    Kind(file: "b.mkv", coding: ["-c:v", "ffv1", "-c:a", "flac"], copies: [.mkv]),
    Kind(file: "a.webm", coding: ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"], copies: [.webm, .mkv]),
    Kind(file: "a.m4a", coding: ["-vn", "-c:a", "aac"], copies: [.m4a, .mp4, .mka]),
    Kind(file: "a.flac", coding: ["-vn", "-c:a", "flac"], copies: [.flac, .mka]),
    Kind(file: "a.mp3", coding: ["-vn", "-c:a", "libmp3lame"], copies: [.mp3, .mp4]),
  ]

  private func make(_ kind: Kind, in folder: borrowing TemporaryFolder) throws -> String {
    let path = folder.file(kind.file)
    let inputs = ["-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=160x90", "-f", "lavfi", "-i", "sine=d=2:r=48000"]
    try runProgram("ffmpeg", ["-v", "error"] + inputs + kind.coding + [path])
    return path
  }

  private func open(_ container: MovieContainer, _ path: String, hasFastStart: Bool = true) throws -> CodedMediaWriter {
    var description = CodedMovieDescription(container: container)
    description.hasFastStart = hasFastStart
    return try CodedMediaWriter(description, path: path)
  }

  /// Copies the samples that are chosen.
  private func copy(
    _ reader: CodedMediaReader, with writer: CodedMediaWriter, from start: MediaTime = .zero, to end: MediaTime? = nil,
    where isCopied: (CodedSample) -> Bool = { _ in true }
  ) throws {
    let tracks = try Dictionary(
      uniqueKeysWithValues: reader.tracks.map { ($0, try writer.addTrack(copying: $0, of: reader)) })
    try writer.begin(at: start)
    while let sample = try reader.next() {
      if isCopied(sample) { try writer.append(sample, to: try #require(tracks[sample.track])) }
    }
    let byteCount = try writer.finish(at: end)
    #expect(try Data(contentsOf: URL(filePath: writer.path)).count == byteCount)
  }

  /// Lines of ffmpeg's `framemd5`: index of the track, decoding and presentation time, duration, size, digest.
  private func packets(_ path: String, _ options: [String] = []) throws -> [[String]] {
    let output = ["-map", "0", "-c", "copy", "-f", "framemd5", "-"]
    let data = try runProgram("ffmpeg", ["-v", "error"] + options + ["-i", path] + output)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func digests(_ packets: [[String]]) -> [String: [String]] {
    Dictionary(grouping: packets) { $0[0] }.mapValues { $0.map { "\($0[4]) \($0[5])" } }
  }

  /// Containers × codecs: every packet has the same bytes, in files of MPEG-4's family also the same times.
  @Test(arguments: kinds) func roundTrip_keepsEveryPacket(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = try make(kind, in: folder)
    let original = try packets(path)
    #expect(!original.isEmpty)
    for container in kind.copies {
      let copied = folder.file("copy.\(container.rawValue)")
      let reader = try CodedMediaReader(path: path)
      for track in reader.tracks {
        #expect(try CodedMediaWriter.canCopy(track, of: reader, to: container), "\(kind) to \(container)")
      }
      try copy(reader, with: try open(container, copied))
      let found = try packets(copied)
      #expect(digests(found) == digests(original), "\(kind) to \(container)")
      guard container.rawValue == URL(filePath: path).pathExtension, container.holdsFastStart else { continue }
      #expect(found.sorted { $0.joined() < $1.joined() } == original.sorted { $0.joined() < $1.joined() }, "\(kind)")
      let (before, after) = (try MediaProbe.probe(.file(path: path)), try MediaProbe.probe(.file(path: copied)))
      #expect(before.videoTracks.map(\.timeRange.start) == after.videoTracks.map(\.timeRange.start), "\(kind)")
      #expect(before.videoTracks.map(\.storage?.extraData) == after.videoTracks.map(\.storage?.extraData), "\(kind)")
      #expect(before.videoTracks.map(\.attributes) == after.videoTracks.map(\.attributes), "\(kind)")
    }
  }

  private struct Probed: Decodable {
    struct Packet: Decodable {
      let codec_type: String
      let pts_time, dts_time, duration_time: String?
      let size, flags: String
    }
    let packets: [Packet]

    init(_ path: String) throws {
      let data = try runProgram("ffprobe", ["-v", "error", "-show_packets", "-of", "json", path])
      self = try JSONDecoder().decode(Probed.self, from: data)
    }
  }

  @Test(arguments: kinds) func samples_areThoseOfFFprobe(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = try make(kind, in: folder)
    let (reader, probed) = (try CodedMediaReader(path: path), try Probed(path))
    var samples: [CodedSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    for type in MediaType.allTypes {
      let (own, theirs) = (
        samples.filter { $0.track.mediaType == type }, probed.packets.filter { $0.codec_type == type.rawValue }
      )
      #expect(own.map(\.byteCount) == theirs.compactMap { Int($0.size) }, "\(kind), \(type)")
      #expect(own.map(\.isKeyFrame) == theirs.map { type == .audio || $0.flags.contains("K") }, "\(kind), \(type)")
      #expect(own.allSatisfy { sample in sample.withUnsafeBytes { $0.count == sample.byteCount } })
      // Elsewhere, times count from the beginning of the file.
      guard ["mp4", "mov"].contains(reader.info.container) else { continue }
      for (sample, packet) in zip(own, theirs) {
        for (time, text) in [
          (sample.presentationTime, packet.pts_time), (sample.decodeTime, packet.dts_time),
          (sample.duration, packet.duration_time),
        ] {
          guard let text, let seconds = Double(text) else { continue }
          #expect(
            abs((time?.seconds ?? .infinity) - seconds) < 2e-6, "\(kind), \(type): \(sample.presentationTime?.seconds ?? .nan)")
        }
      }
    }
    try reader.rewind()
    #expect(try reader.next()?.byteCount == samples.first?.byteCount)
  }

  @Test func format_isThatOfTheFile() throws {
    let folder = try TemporaryFolder()
    let reader = try CodedMediaReader(path: try make(Self.kinds[0], in: folder))
    let (video, audio) = (try reader.format(of: .video(0)), try reader.format(of: .audio(0)))
    #expect(video.codec == "h264" && video.codecTag == "avc1" && video.size == PixelSize(width: 160, height: 90))
    #expect(video.extraData.first == 1 && video.extraData == reader.info.videoTracks[0].storage?.extraData)
    #expect(video.timescale == 12_800 && video.sampleRate == nil)
    #expect(audio.codec == "aac" && audio.sampleRate == 48_000 && audio.channelCount == 1 && audio.samplesPerPacket == 1024)
    #expect(audio.extraData.count >= 2 && audio.size == nil)
    let error = #expect(throws: CompositorError.self) { try reader.format(of: .video(1)) }
    #expect(error?.code == .trackNotFound)
  }

  @Test func seek_continuesWithAnEarlierKeyFrame() throws {
    let folder = try TemporaryFolder()
    let reader = try CodedMediaReader(path: try make(Self.kinds[0], in: folder), tracks: [.video(0)])
    try reader.seek(to: .seconds(1.3), of: .video(0))
    let sample = try #require(try reader.next())
    // Key frames are 12 frames apart.
    #expect(sample.isKeyFrame && sample.presentationTime == MediaTime(value: 24, timescale: 25))
    #expect(throws: CompositorError.self) { try reader.seek(to: .indefinite, of: .video(0)) }
  }

  /// {an index at the beginning, at the end} × {MP4, QuickTime} × {B-frames, none}.
  @Test(arguments: [true, false], [0, 1]) func session_isAnEditList(_ hasFastStart: Bool, _ kind: Int) throws {
    let folder = try TemporaryFolder()
    let path = try make(Self.kinds[kind], in: folder)
    let whole = try frames(path)
    for container in [MovieContainer.mp4, .mov] {
      let copied = folder.file("part.\(container.rawValue)")
      let writer = try open(container, copied, hasFastStart: hasFastStart)
      try copy(try CodedMediaReader(path: path), with: writer, from: .seconds(0.4), to: .seconds(1.2))
      let info = try MediaProbe.probe(.file(path: copied))
      #expect(info.videoTracks.map(\.timeRange) == [TimeRange(start: .zero, duration: .seconds(0.8))], "\(container)")
      // Players play all of the last packet of audio.
      let audio = try #require(info.audioTracks.first).timeRange
      #expect(audio.start == .zero && (0.8...0.8 + 4096.0 / 48_000).contains(audio.duration.seconds), "\(container)")
      #expect(info.headerDuration == .seconds(0.8))
      // All packets are there; twenty frames are shown.
      let all = ["-ignore_editlist", "1"]
      #expect(try digests(packets(copied, all)) == digests(packets(path, all)), "\(container)")
      #expect(try frames(copied).map(\.bytes) == whole[10..<30].map(\.bytes))
      #expect(try frames(copied).map(\.time) == (0..<20).map { MediaTime(value: $0, timescale: 25) })
      let names = boxes(try Data(contentsOf: URL(filePath: copied)))
      let (index, media) = (names.firstIndex(of: "moov"), names.firstIndex(of: "mdat"))
      #expect((try #require(index) < #require(media)) == hasFastStart, "\(names)")
    }
  }

  private func frames(_ path: String) throws -> [(time: MediaTime, bytes: [UInt8])] {
    let reader = try MediaOpener.openVideo(.file(path: path))
    var (frames, found) = (reader.frames(), [(time: MediaTime, bytes: [UInt8])]())
    while let frame = try frames.next() { found.append((frame.presentationTime, packedBytes(frame.frame))) }
    return found
  }

  /// Names of a file's boxes in order.
  private func boxes(_ data: Data) -> [String] {
    var (at, names) = (0, [String]())
    while at + 16 <= data.count {
      func number(_ offset: Int, _ width: Int) -> Int {
        data[at + offset..<at + offset + width].reduce(0) { $0 << 8 | Int($1) }
      }
      names.append(String(decoding: data[at + 4..<at + 8], as: UTF8.self))
      let size = number(0, 4) == 1 ? number(8, 8) : number(0, 4)
      guard size >= 8 else { break }
      at += size
    }
    return names
  }

  @Test func laterFirstSample_isPrecededByAPause() throws {
    let folder = try TemporaryFolder()
    let path = try make(Self.kinds[0], in: folder)
    let copied = folder.file("late.mp4")
    let begin = MediaTime(value: 24, timescale: 25)
    try copy(try CodedMediaReader(path: path), with: try open(.mp4, copied)) { sample in
      sample.track.mediaType == .audio || sample.presentationTime.map { $0 >= begin } == true
    }
    let info = try MediaProbe.probe(.file(path: copied))
    #expect(info.videoTracks.map(\.timeRange.start) == [begin] && info.audioTracks.map(\.timeRange.start) == [.zero])
    #expect(info.videoTracks.first?.edits.map { $0.mediaStart == nil } == [true, false])
  }

  @Test func movedSamples_areWhereTheirTimesSay() throws {
    let folder = try TemporaryFolder()
    let path = try make(Self.kinds[1], in: folder)
    let (reader, copied) = (try CodedMediaReader(path: path, tracks: [.video(0)]), folder.file("slow.mov"))
    let writer = try open(.mov, copied)
    let track = try writer.addTrack(
      copying: .video(0), of: reader, description: CodedTrackDescription(language: "de", title: "Slow"))
    try writer.begin()
    while var sample = try reader.next() {
      func slow(_ time: MediaTime?) -> MediaTime? { time?.multiplied(by: 2, over: 1) }
      (sample.presentationTime, sample.decodeTime) = (slow(sample.presentationTime), slow(sample.decodeTime))
      sample.duration = sample.duration.multiplied(by: 2, over: 1)
      try writer.append(sample, to: track)
    }
    try writer.finish()
    let info = try MediaProbe.probe(.file(path: copied))
    let video = try #require(info.videoTracks.first)
    #expect(video.timeRange == TimeRange(start: .zero, duration: .seconds(4)) && video.language == "de")
  }

  @Test func wrongOrder_isRefused_andLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    let path = try make(Self.kinds[0], in: folder)
    let (reader, copied) = (try CodedMediaReader(path: path), folder.file("copy.mp4"))
    do {
      let writer = try open(.mp4, copied)
      #expect(throws: CompositorError.self) { try writer.begin() }
      let track = try writer.addTrack(copying: .video(0), of: reader)
      #expect(throws: CompositorError.self) { try writer.addTrack(copying: .video(7), of: reader) }
      #expect(throws: CompositorError.self) { try writer.finish() }
      var samples: [CodedSample] = []
      while let sample = try reader.next() { if sample.track == .video(0) { samples.append(sample) } }
      #expect(throws: CompositorError.self) { try writer.append(samples[0], to: track) }
      #expect(throws: CompositorError.self) { try writer.begin(at: .positiveInfinity) }
      try writer.begin()
      #expect(throws: CompositorError.self) { try writer.addTrack(copying: .audio(0), of: reader) }
      try writer.append(samples[0], to: track)
      try writer.append(samples[1], to: track)
      let error = #expect(throws: CompositorError.self) { try writer.append(samples[0], to: track) }
      #expect(error?.code == .invalidValue && error?.location.file == copied)
      var timeless = samples[2]
      timeless.presentationTime = nil
      #expect(throws: CompositorError.self) { try writer.append(timeless, to: track) }
      #expect(throws: CompositorError.self) { try writer.finish(at: .zero) }
    }
    #expect(!FileManager.default.fileExists(atPath: copied))
  }

  @Test func whatAContainerCannotHold_isRefused() throws {
    let folder = try TemporaryFolder()
    let reader = try CodedMediaReader(path: try make(Self.kinds[0], in: folder))
    for container in [MovieContainer.gif, .webp, .y4m] {
      let error = #expect(throws: CompositorError.self) { try open(container, folder.file("copy.\(container.rawValue)")) }
      #expect(error?.code == .unsupportedOutput)
    }
    let webm = try open(.webm, folder.file("copy.webm"))
    #expect(throws: CompositorError.self) { try webm.addTrack(copying: .video(0), of: reader) }
    let mkv = try open(.mkv, folder.file("copy.mkv"))
    _ = try mkv.addTrack(copying: .video(0), of: reader)
    let error = #expect(throws: CompositorError.self) { try mkv.begin(at: .seconds(1)) }
    #expect(error?.code == .unsupportedOutput)
    #expect(throws: CompositorError.self) { try CodedMediaReader(path: folder.file("missing.mp4")) }
  }
}

extension MediaType {
  fileprivate static let allTypes: [MediaType] = [.video, .audio]
}
