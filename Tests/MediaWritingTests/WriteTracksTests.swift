import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Movies of any tracks: containers × audio tracks × with and without video × turned.
@Suite struct WriteTracksTests {
  struct Case: CustomTestStringConvertible {
    let container: MovieContainer
    let audioCount: Int
    let orientation: Orientation?
    var testDescription: String {
      let video = orientation.map { "video turned \($0.quarterTurns)\($0.isMirrored ? " mirrored" : "")" } ?? "no video"
      return "\(container.rawValue), \(audioCount) audio, \(video)"
    }
  }

  /// Containers of any tracks; those of one are in `WriteAudioTests`.
  static let containers: [MovieContainer] = [.mp4, .mov, .m4v, .mkv, .m4a, .mka]

  /// `make test` turns each container's movies of each number of tracks three ways, other ones in the next.
  static let cases: [Case] = containers.enumerated().flatMap { place, container in
    (0...2).flatMap { count -> [Case] in
      var cases = count > 0 ? [Case(container: container, audioCount: count, orientation: nil)] : []
      guard !container.videoCodecs.isEmpty else { return cases }
      let all = TableSelection.columns(Orientation.allCases, ofRow: 3 * place + count, each: 3)
      let turned = container == .mkv ? [.upright] : all
      cases += turned.map { Case(container: container, audioCount: count, orientation: $0) }
      return cases
    }
  }

  static let size = PixelSize(width: 96, height: 64)
  static let (rates, tones, languages) = ([48_000, 44_100], [440.0, 1000.0], ["de", "en-US"])

  static func description(_ item: Case) throws -> MovieDescription {
    let video = item.orientation.map { orientation in
      VideoTrackDescription(
        size: size, format: .yuv420p, timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)),
        encoding: VideoEncodingSettings(speed: .ultrafast),
        preferredTransform: orientation.transform(of: Size(width: 96, height: 64)), language: "fr")
    }
    // Opus has no 44.1 kHz.
    let codec = try #require(item.container.audioCodecs.last { $0 != .opus && $0 != .mp3 })
    let tracks = (0..<item.audioCount).map { index in
      AudioTrackDescription(
        encoding: AudioEncodingSettings(codec: codec, sampleRate: rates[index], channelCount: 1 + index),
        language: languages[index], title: "Track \(index + 1)", isDefault: index == 1)
    }
    return MovieDescription(container: item.container, video: video, audioTracks: tracks, metadata: ["title": "Tracks"])
  }

  @Test(arguments: cases)
  func write_anyTracks_isWhatProbesAndDecodersSay(_ item: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("movie.\(item.container.rawValue)")
    let summary = try write(try Self.description(item), to: path)
    let counts = Self.rates.prefix(item.audioCount).map { Int64($0 * 2) }
    #expect(summary.frameCount == (item.orientation == nil ? 0 : 50) && summary.audioSampleCounts == counts)
    #expect(summary.duration == MediaTime(value: 2, timescale: 1))

    try checkStreams(path, item)
    try checkOwnProbe(path, item)
    for index in 0..<item.audioCount { try checkAudio(path, index) }
    if let orientation = item.orientation { try checkTurn(path, orientation) }
  }

  /// ffprobe's view.
  private func checkStreams(_ path: String, _ item: Case) throws {
    let probe = try TrackProbe(path)
    let kinds = (item.orientation == nil ? [] : ["video"]) + [String](repeating: "audio", count: item.audioCount)
    #expect(probe.streams.map(\.codec_type) == kinds)
    #expect(probe.format.tags?.first { $0.key.lowercased() == "title" }?.value == "Tracks")
    let isISO = item.container != .mkv && item.container != .mka
    for stream in probe.streams where isISO { #expect(stream.start_pts == 0) }
    if let video = probe.streams.first(where: { $0.codec_type == "video" }) {
      #expect(video.nb_read_frames == "50" && video.disposition["default"] == 1)
      #expect(video.tags?["language"] == (item.container == .mkv ? "fre" : "fra"))
    }
    for (index, stream) in probe.streams.filter({ $0.codec_type == "audio" }).enumerated() {
      let german = isISO && item.container != .mov ? "deu" : "ger"
      #expect(stream.tags?["language"] == [german, "eng"][index])
      #expect(stream.sample_rate == "\(Self.rates[index])" && stream.channels == 1 + index)
      #expect(stream.disposition["default"] == (index == item.audioCount - 1 ? 1 : 0))
      #expect(stream.tags?[isISO ? "handler_name" : "title"] == "Track \(index + 1)")
      if isISO { #expect(stream.duration_ts == Self.rates[index] * 2) }
    }
  }

  /// This package's view.
  private func checkOwnProbe(_ path: String, _ item: Case) throws {
    let info = try MediaProbe.probe(.file(path: path))
    #expect(info.videoTracks.count == (item.orientation == nil ? 0 : 1) && info.audioTracks.count == item.audioCount)
    #expect(info.warnings.isEmpty && info.otherTracks.isEmpty)
    if let video = info.videoTracks.first {
      #expect(video.timeRange == TimeRange(start: .zero, end: MediaTime(value: 2, timescale: 1)) && video.language == "fr")
      #expect(video.preferredTransform == item.orientation?.transform(of: Size(width: 96, height: 64)))
    }
    for (index, track) in info.audioTracks.enumerated() {
      #expect(track.language == ["de", "en"][index] && track.timeRange.start == .zero)
      #expect(abs(track.timeRange.end.seconds - 2) < 0.03)
      if item.container == .mkv || item.container == .mka { #expect(track.title == "Track \(index + 1)") }
    }
  }

  /// Each track has its own tone, at its place and with its level.
  private func checkAudio(_ path: String, _ index: Int) throws {
    let rate = Self.rates[index]
    let reader = try MediaOpener.openAudio(
      .file(path: path), trackIndex: index, options: AudioReaderOptions(sampleRate: rate, channelCount: 1))
    let block = AudioBlock(channelCount: 1, capacity: rate)
    try reader.read(frameCount: rate, at: Int64(rate / 2), into: block.channels)
    for (other, tone) in Self.tones.enumerated() {
      var (real, imaginary) = (0.0, 0.0)
      for sample in 0..<rate {
        let angle = 2 * Double.pi * tone * (Double(sample) / Double(rate) + 0.5)
        real += Double(block[0, sample]) * sin(angle)
        imaginary += Double(block[0, sample]) * cos(angle)
      }
      let (level, phase) = (2 * (real * real + imaginary * imaginary).squareRoot() / Double(rate), atan2(imaginary, real))
      // Two equal channels mixed by halves keep their level.
      let expected = other == index ? 0.5 : 0
      #expect(abs(level - expected) < 0.02, "track \(index), \(tone) Hz: \(level)")
      if other == index { #expect(abs(phase) < 0.05, "track \(index): \(phase) radians") }
    }
    let decoded = try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:\(index)", "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    let count = decoded.count / 4 / (1 + index)
    #expect((rate * 2...rate * 2 + 2 * 1024).contains(count), "\(count) samples")
  }

  /// The bright quarter, top left as stored, is where ffmpeg shows it, and where the orientation puts it.
  private func checkTurn(_ path: String, _ orientation: Orientation) throws {
    let shown = orientation.apply(to: Size(width: 96, height: 64))
    let (width, height) = (Int(shown.width), Int(shown.height))
    let decoded = Array(
      try runProgram(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"]))
    try #require(decoded.count == width * height)
    let bright = orientation.transform(of: Size(width: 96, height: 64)).apply(to: Point(x: 24, y: 16))
    for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)].map({ ($0.0 * width / 4, $0.1 * height / 4) }) {
      let isBright = abs(bright.x - Double(x)) < 2 && abs(bright.y - Double(y)) < 2
      #expect(isBright ? decoded[y * width + x] > 200 : decoded[y * width + x] < 50, "\(orientation) at \(x), \(y)")
    }
  }

  /// Two seconds of a bright quarter and of a tone per track, track after track in portions.
  private func write(_ description: MovieDescription, to path: String) throws -> MovieSummary {
    let writer = try MovieWriter(description, path: path)
    let frame = Self.quarterFrame()
    var positions = [Int64](repeating: 0, count: description.audioTracks.count)
    for index in 0..<50 {
      if description.video != nil {
        let tick = MediaTime(value: 1, timescale: 25)
        try writer.append(frame, at: MediaTime(value: Int64(index), timescale: 25), duration: tick)
      }
      for (track, audio) in description.audioTracks.enumerated() {
        let rate = audio.encoding.sampleRate
        let count = rate / 25
        if description.video != nil { #expect(writer.missingAudioSampleCount(track: track) == Int64(count)) }
        let block = AudioBlock(channelCount: audio.encoding.channelCount, capacity: count)
        for sample in 0..<count {
          let time = Double(positions[track] + Int64(sample)) / Double(rate)
          for channel in 0..<block.channelCount {
            block[channel, sample] = Float(0.5 * sin(2 * .pi * Self.tones[track] * time))
          }
        }
        try writer.append(block, count: count, track: track)
        positions[track] += Int64(count)
      }
    }
    return try writer.finish()
  }

  private static func quarterFrame() -> Frame {
    var frame = MutableFrame(format: .yuv420p, size: size)
    frame.withUnsafeMutablePlanes { planes in
      for plane in 0..<planes.count {
        for y in 0..<planes[plane].height {
          for x in 0..<planes[plane].width {
            let luma: UInt8 = x < size.width / 2 && y < size.height / 2 ? 235 : 16
            planes[plane].base.storeBytes(
              of: plane == 0 ? luma : 128, toByteOffset: y * planes[plane].stride + x, as: UInt8.self)
          }
        }
      }
    }
    return frame.freeze()
  }

  @Test(arguments: [MovieContainer.mp4, .mov, .mkv])
  func write_threeAudioTracks_areInterleavedWithinASecond(_ container: MovieContainer) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("long.\(container.rawValue)")
    let video = VideoTrackDescription(
      size: PixelSize(width: 64, height: 48), format: .yuv420p,
      timing: .constant(frameDuration: MediaTime(value: 1, timescale: 25)), encoding: VideoEncodingSettings(speed: .ultrafast))
    let writer = try MovieWriter(
      MovieDescription(container: container, video: video, audioTracks: .init(repeating: .init(), count: 3)), path: path)
    let block = AudioBlock(channelCount: 2, capacity: 1920)
    for index in 0..<500 {
      try writer.append(
        patternFrame(.yuv420p, video.size, index: index), at: MediaTime(value: Int64(index), timescale: 25),
        duration: MediaTime(value: 1, timescale: 25))
      for track in 0..<3 { try writer.append(block, count: 1920, track: track) }
    }
    _ = try writer.finish()
    let listed = try runProgram(
      "ffprobe", ["-v", "error", "-show_entries", "packet=stream_index,dts_time,pos", "-of", "csv=p=0", path])
    let packets = String(decoding: listed, as: UTF8.self).split(separator: "\n").compactMap { line -> (Int, Double, Int)? in
      let parts = line.split(separator: ",")
      guard parts.count >= 3, let stream = Int(parts[0]), let time = Double(parts[1]), let place = Int(parts[2]) else {
        return nil
      }
      return (stream, time, place)
    }.sorted { $0.2 < $1.2 }
    #expect(Set(packets.map(\.0)) == [0, 1, 2, 3] && packets.count > 3 * 900)
    var latest = -1.0
    for (stream, time, _) in packets {
      #expect(time > latest - 1, "stream \(stream) at \(time) stands behind \(latest)")
      latest = max(latest, time)
    }
  }

  @Test func writeMatroska_AACTracksWithTitlesOfAnyLength_keepTitlesAndPlace() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("titles.mka")
    let titles: [String?] = [
      nil, "D", nil, .init(repeating: "e", count: 118), .init(repeating: "f", count: 119), "ü",
      .init(repeating: "g", count: 1000),
    ]
    let tracks = titles.map { AudioTrackDescription(title: $0, metadata: ["COMMENT": "dubbed"]) }
    let writer = try MovieWriter(MovieDescription(container: .mka, audioTracks: tracks), path: path)
    let block = AudioBlock(channelCount: 2, capacity: 48_000)
    func click(_ sample: Int) -> Float { sample % 6000 == 3000 ? 0.9 : 0 }
    for channel in 0..<2 { for sample in 0..<48_000 { block[channel, sample] = click(sample) } }
    for index in tracks.indices { try writer.append(block, count: 48_000, track: index) }
    #expect(try writer.finish().duration == MediaTime(value: 1, timescale: 1))
    let probe = try TrackProbe(path)
    #expect(probe.streams.map { $0.tags?["title"] } == titles)
    // Older versions of ffprobe do not print the padding.
    #expect(probe.streams.map { $0.initial_padding ?? 1024 } == [Int](repeating: 1024, count: tracks.count))
    #expect(probe.streams.map { $0.tags?["COMMENT"] } == [String?](repeating: "dubbed", count: tracks.count))
    for index in tracks.indices {
      let found = AudioBlock(channelCount: 2, capacity: 48_000)
      try MediaOpener.openAudio(.file(path: path), trackIndex: index).read(frameCount: 48_000, at: 0, into: found.channels)
      let loudest = (6000..<12_000).max { abs(found[0, $0]) < abs(found[0, $1]) }
      #expect(loudest == 9000, "track \(index)")
    }
  }
}

/// What ffprobe says about the tracks of a file.
struct TrackProbe: Decodable {
  struct Stream: Decodable {
    let codec_type: String
    let start_pts: Int?
    let duration_ts: Int?
    let nb_read_frames: String?
    let sample_rate: String?
    let channels: Int?
    let initial_padding: Int?
    let disposition: [String: Int]
    let tags: [String: String]?
  }
  struct Format: Decodable { let tags: [String: String]? }
  let streams: [Stream]
  let format: Format

  init(_ path: String) throws {
    let data = try runProgram(
      "ffprobe", ["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path])
    self = try JSONDecoder().decode(TrackProbe.self, from: data)
  }
}
