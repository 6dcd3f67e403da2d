import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// How containers store their tracks, compared with ffprobe.
@Suite(.enabled(if: hasFFmpeg)) struct TrackStorageTests {
  private struct Probed: Decodable {
    struct Stream: Decodable {
      struct Disposition: Decodable { let `default`: Int }
      let index: Int
      let codec_type: String
      let codec_tag_string: String
      let id: String?
      let time_base: String
      let extradata_size: Int?
      let extradata_hash: String?
      let disposition: Disposition
    }
    struct Packet: Decodable {
      let stream_index: Int
      let pts_time: String?
      let size: String
      let flags: String
    }
    let streams: [Stream]
    let packets: [Packet]

    init(_ path: String) throws {
      let data = try runProgram(
        "ffprobe", ["-v", "error", "-show_streams", "-show_packets", "-show_data_hash", "CRC32", "-of", "json", path])
      self = try JSONDecoder().decode(Probed.self, from: data)
    }
  }

  /// A kind of file: its name, and how ffmpeg codes video and audio in it.
  struct Kind: CustomStringConvertible, Sendable {
    let file: String
    let coding: [String]
    var description: String { file + " " + coding.joined(separator: " ") }
  }

  static let kinds = [
    Kind(file: "a.mp4", coding: ["-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac"]),
    Kind(file: "b.mp4", coding: ["-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", "-c:a", "libmp3lame"]),
    Kind(file: "a.mov", coding: ["-c:v", "prores_ks", "-c:a", "pcm_s16le"]),
    Kind(file: "b.mov", coding: ["-c:v", "mjpeg", "-c:a", "aac", "-video_track_timescale", "30000"]),
    Kind(file: "a.mkv", coding: ["-c:v", "libx264", "-c:a", "libopus"]),
    Kind(file: "a.webm", coding: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"]),
    Kind(file: "a.ts", coding: ["-c:v", "libx264", "-c:a", "aac"]),
    Kind(file: "a.avi", coding: ["-c:v", "mpeg4", "-c:a", "libmp3lame"]),
    Kind(file: "f.mp4", coding: ["-c:v", "libx264", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
  ]

  private func make(_ kind: Kind, in folder: borrowing TemporaryFolder, maps: [String] = []) throws -> String {
    let path = folder.file(kind.file)
    let inputs = ["-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=160x90", "-f", "lavfi", "-i", "sine=d=2:r=48000"]
    try runProgram("ffmpeg", ["-v", "error"] + inputs + maps + kind.coding + [path])
    return path
  }

  /// The storage of all tracks in the order of the container.
  private func storages(_ info: MediaInfo) -> [TrackStorage] {
    let all = info.videoTracks.map(\.storage) + info.audioTracks.map(\.storage) + info.otherTracks.map(\.storage)
    return all.compactMap(\.self).sorted { $0.streamIndex < $1.streamIndex }
  }

  private func crc32(_ bytes: [UInt8]) -> String {
    let value = bytes.reduce(UInt32.max) { value, byte in
      (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    let digits = String(~value, radix: 16)
    return "CRC32:" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// {MP4, QuickTime, Matroska, WebM, transport stream, AVI, fragments} × codecs.
  @Test(arguments: kinds) func numbersTagsTimesAndBytes_areThoseOfFFprobe(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = try make(kind, in: folder)
    let (info, probed) = (try MediaProbe.probe(.file(path: path)), try Probed(path))
    let found = storages(info)
    #expect(found.map(\.streamIndex) == probed.streams.map(\.index))
    for (storage, stream) in zip(found, probed.streams) {
      let what: Comment = "\(kind), stream \(stream.index): \(storage)"
      #expect(storage.trackID == stream.id.flatMap { Int($0.dropFirst(2), radix: 16) }, what)
      #expect(storage.codecTag == (stream.codec_tag_string.contains("[") ? nil : stream.codec_tag_string), what)
      let parts = stream.time_base.split(separator: "/")
      #expect(storage.timescale.map(String.init) == (parts[0] == "1" ? String(parts[1]) : nil), what)
      #expect(storage.extraData.count == stream.extradata_size ?? 0, what)
      if let hash = stream.extradata_hash { #expect(crc32(storage.extraData) == hash, what) }
      let isOfBoxes = ["mov", "mp4"].contains(info.container)
      #expect(storage.isEnabled == (isOfBoxes ? stream.disposition.default == 1 : nil), what)
    }
    #expect(try JSONDecoder().decode(MediaInfo.self, from: try JSONEncoder().encode(info)) == info)
  }

  @Test(arguments: kinds) func dataRatesAndFrameDurations_areThoseOfThePackets(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let path = try make(kind, in: folder)
    let (info, probed) = (try MediaProbe.probe(.file(path: path)), try Probed(path))
    let ranges = info.videoTracks.map { ($0.storage, $0.timeRange) } + info.audioTracks.map { ($0.storage, $0.timeRange) }
    for case (let storage?, let range) in ranges {
      let played = probed.packets.filter { $0.stream_index == storage.streamIndex && !$0.flags.contains("D") }
      let bits = 8 * played.reduce(0.0) { $0 + (Double($1.size) ?? 0) }
      let rate = try #require(storage.dataRate)
      // Packets of audio that is parsed may be counted at both sides of an edit.
      #expect(abs(rate * range.duration.seconds - bits) <= 0.02 * bits, "\(kind), \(storage.streamIndex): \(rate)")
    }
    #expect(info.videoTracks.first?.minimumFrameDuration == MediaTime(value: 1, timescale: 25), "\(kind)")
  }

  @Test func minimumFrameDuration_ofVariableRate_isTheShortestStep() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v.mp4")
    // Frames at 0, 1, 3, 6, 10, … twenty-fifths of a second.
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=1:r=25:s=160x90", "-vf", "setpts=N*(N+1)/2/25/TB", "-fps_mode", "vfr",
        "-enc_time_base", "1/600", "-c:v", "libx264", "-bf", "2", "-video_track_timescale", "600", path,
      ])
    let track = try #require(try MediaProbe.probe(.file(path: path)).videoTracks.first)
    #expect(track.minimumFrameDuration == MediaTime(value: 1, timescale: 25))
    #expect(track.storage?.timescale == 600)
  }

  @Test func secondAudioTrackThatIsNotDefault_isDisabled() throws {
    let folder = try TemporaryFolder()
    let kind = Kind(file: "d.mp4", coding: ["-c:v", "libx264", "-c:a", "aac", "-disposition:a:1", "0"])
    let path = try make(kind, in: folder, maps: ["-map", "1:a", "-map", "0:v", "-map", "1:a"])
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.audioTracks.map(\.storage?.streamIndex) == [0, 2] && info.videoTracks.map(\.storage?.streamIndex) == [1])
    #expect(info.audioTracks.map(\.storage?.isEnabled) == [true, false])
  }

  @Test func headerDuration_isThatOfTheMovieHeader() throws {
    let folder = try TemporaryFolder()
    let whole = try MediaProbe.probe(.file(path: try make(Self.kinds[0], in: folder)))
    #expect(whole.headerDuration == .seconds(2))
    #expect(try MediaProbe.probe(.file(path: try make(Self.kinds[8], in: folder))).headerDuration == .zero)
    #expect(try MediaProbe.probe(.file(path: try make(Self.kinds[4], in: folder))).headerDuration == nil)
  }

  @Test func keySpaces_areKnownForKeysOfQuickTimeMetadata() throws {
    let folder = try TemporaryFolder()
    let keys = ["com.apple.quicktime.make=Example", "title=Magic"].flatMap { ["-metadata", $0] }
    let kind = Kind(file: "m.mov", coding: ["-c:v", "mpeg4", "-c:a", "aac", "-movflags", "use_metadata_tags"] + keys)
    let info = try MediaProbe.probe(.file(path: try make(kind, in: folder)))
    #expect(info.metadata["com.apple.quicktime.make"] == "Example")
    #expect(info.metadataKeySpaces == ["com.apple.quicktime.make": .quickTimeMetadata])
  }

  @Test func mediaWithoutAContainer_hasNoStorage() throws {
    let info = try MediaProbe.probe(
      .generated(GeneratedSource(pattern: .bars, size: PixelSize(width: 16, height: 16), frameRate: 25, duration: .seconds(1))))
    #expect(info.videoTracks.allSatisfy { $0.storage == nil && $0.minimumFrameDuration == nil } && !info.videoTracks.isEmpty)
  }
}
