import CompositorAPI
import Foundation
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Testing

@Suite struct WriteSoundTests {
  private func description(
    _ container: MovieContainer, _ audio: AudioEncodingSettings, frameDuration: MediaTime
  ) -> MovieDescription {
    MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: PixelSize(width: 64, height: 48), format: .yuv420p, timing: .constant(frameDuration: frameDuration),
        encoding: VideoEncodingSettings(speed: .ultrafast)), audio: audio)
  }

  @Test(arguments: [
    (MovieContainer.mov, AudioEncodingSettings.Codec.pcmInt16), (.mov, .pcmInt24), (.mov, .pcmFloat32),
    (.mkv, .pcmInt16), (.mkv, .pcmInt24), (.mkv, .pcmFloat32),
  ])
  func writePCM_decodes_sampleForSample(_ container: MovieContainer, _ codec: AudioEncodingSettings.Codec) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pcm.\(container.rawValue)")
    let frameDuration = MediaTime(value: 1001, timescale: 24000)
    // A click every 1000 samples, on one side negative; beyond full scale too.
    func sound(_ sample: Int64, _ channel: Int) -> Float {
      guard sample % 1000 == 7 else { return 0 }
      return (channel == 0 ? 1 : -1) * Float(sample / 1000 % 13) / 10
    }
    let settings = AudioEncodingSettings(codec: codec, sampleRate: 44_100)
    let summary = try writeMovie(
      description(container, settings, frameDuration: frameDuration), to: path, frameCount: 50, frameDuration: frameDuration,
      sound: sound)
    // 50 · 1001/24000 s · 44100 = 91966.875
    #expect(summary.audioSampleCount == 91_967)
    let decoded = try decodedSamples(path)
    try #require(decoded.count == 91_967 * 2)
    let (steps, limit): (Float, ClosedRange<Float>) =
      switch codec {
      case .pcmInt16: (32_768, -1...(32_767 / 32_768))
      case .pcmInt24: (8_388_608, -1...(8_388_607 / 8_388_608))
      default: (0, -2...2)
      }
    for sample in 0..<91_967 {
      for channel in 0..<2 {
        let given = sound(Int64(sample), channel)
        let rounded = steps > 0 ? (given * steps).rounded(.toNearestOrEven) / steps : given
        let expected = min(max(rounded, limit.lowerBound), limit.upperBound)
        if decoded[sample * 2 + channel] != expected {
          Issue.record("sample \(sample), channel \(channel): \(decoded[sample * 2 + channel]), not \(expected)")
          return
        }
      }
    }
  }

  @Test(arguments: [MovieContainer.mp4, .mov, .m4v, .mkv])
  func writeAAC_sine_keepsFrequencyLevelAndPlace(_ container: MovieContainer) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sine.\(container.rawValue)")
    let frameDuration = MediaTime(value: 1, timescale: 25)
    try writeMovie(
      description(container, AudioEncodingSettings(), frameDuration: frameDuration), to: path, frameCount: 50
    ) { sample, _ in Float(0.5 * sin(2 * .pi * 1000 * Double(sample) / 48_000)) }
    let reader = try MediaOpener.openAudio(.file(path: path))
    let block = AudioBlock(channelCount: 2, capacity: 48_000)
    try reader.read(frameCount: 48_000, at: 24_000, into: block.channels)
    // Projection on the sine and the cosine that were written: level and shift in time.
    var (real, imaginary) = (0.0, 0.0)
    for index in 0..<48_000 {
      let angle = 2 * Double.pi * 1000 * Double(24_000 + index) / 48_000
      real += Double(block[0, index]) * sin(angle) / 24_000
      imaginary += Double(block[0, index]) * cos(angle) / 24_000
    }
    #expect(abs((real * real + imaginary * imaginary).squareRoot() - 0.5) < 0.005)
    let shift = atan2(imaginary, real) / (2 * .pi) * 48
    #expect(abs(shift) < 0.05, "\(shift) samples")
    let audio = try WriteProbe(path).stream("audio")
    #expect(audio.codec_name == "aac" && audio.sample_rate == "48000" && audio.channels == 2)
    if container != .mkv { #expect(audio.duration_ts == 96_000 && audio.start_pts == 0) }
  }

  @Test func writeAAC_noise_isInSyncAfterPriming() throws {
    let folder = try TemporaryFolder()
    for container in [MovieContainer.mp4, .mkv] {
      let path = folder.file("noise.\(container.rawValue)")
      try writeMovie(
        description(container, AudioEncodingSettings(), frameDuration: MediaTime(value: 1, timescale: 25)), to: path,
        frameCount: 25, sound: Self.noise)
      let block = AudioBlock(channelCount: 2, capacity: 48_000)
      try MediaOpener.openAudio(.file(path: path)).read(frameCount: 48_000, at: 0, into: block.channels)
      let best = try Self.lag(Array(UnsafeBufferPointer(start: block.channels[0], count: 48_000)))
      #expect(best == 0, "\(container.rawValue): \(best) samples late")
    }
  }

  /// Noise of all frequencies between -0.25 and 0.25, without a mean or a period.
  private static func noise(_ sample: Int64, _ channel: Int) -> Float {
    var bits = UInt64(bitPattern: sample) &* 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ bits >> 29) &* 0xbf58_476d_1ce4_e5b9
    return Float(bits >> 40) / Float(1 << 25) - 0.25
  }

  /// Where samples read from a file are most like the noise that was written, in samples after where they should be.
  private static func lag(_ samples: [Float]) throws -> Int {
    let written = (0..<3000).map { noise(Int64(10_000 + $0), 0) }
    let range = -1500...1500
    let correlations = range.map { lag in
      var sum: Float = 0
      for index in 0..<3000 { sum += written[index] * samples[10_000 + lag + index] }
      return sum
    }
    return try #require(correlations.indices.max { correlations[$0] < correlations[$1] }) + range.lowerBound
  }

  /// The times of the first packets of both tracks in milliseconds, as ffprobe reads them.
  private static func firstTimes(_ path: String) throws -> [String: Double] {
    let lines = try runProgram(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=codec_type,pts_time", "-of", "csv=p=0", "-read_intervals", "%+1", path])
    var times: [String: Double] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ",")
      guard fields.count >= 2, let time = Double(fields[1]), times[String(fields[0])] == nil else { continue }
      times[String(fields[0])] = time * 1000
    }
    return times
  }

  @Test(arguments: [(MovieContainer.mkv, VideoEncodingSettings.Codec.h264), (.webm, .vp9)])
  func writeOpus_besideVideo_beginsByItsDelayBeforeIt(
    _ container: MovieContainer, _ codec: VideoEncodingSettings.Codec
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("noise.\(container.rawValue)")
    let tick = MediaTime(value: 1, timescale: 25)
    let movie = MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: PixelSize(width: 64, height: 48), format: .yuv420p, timing: .constant(frameDuration: tick),
        encoding: VideoEncodingSettings(codec: codec, speed: .ultrafast)),
      audio: AudioEncodingSettings(codec: .opus))
    try writeMovie(movie, to: path, frameCount: 25, sound: Self.noise)
    // What libopus looks ahead at 48 kHz.
    let padding = 312
    let times = try Self.firstTimes(path)
    #expect(times["video"] == 0)
    // Times in Matroska are rounded to milliseconds.
    #expect(abs(try #require(times["audio"]) + Double(padding) / 48) <= 1, "\(times)")
    let block = AudioBlock(channelCount: 1, capacity: 48_000)
    let reader = try MediaOpener.openAudio(
      .file(path: path), options: AudioReaderOptions(sampleRate: 48_000, channelCount: 1))
    try reader.read(frameCount: 48_000, at: 0, into: block.channels)
    let ours = Array(UnsafeBufferPointer(start: block.channels[0], count: 48_000))
    #expect(try Self.lag(ours) == 0)
    // The first sample that ffmpeg decodes is at 0 of the video's clock: earlier samples are cut off, missing ones are silence.
    let data = try runProgram(
      "ffmpeg",
      ["-v", "error", "-copyts", "-i", path, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1"]
        + ["-f", "f32le", "-"])
    let theirs = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    try #require(theirs.count > 20_000)
    #expect(abs(try Self.lag(theirs)) <= 48)
  }

  @Test func write_soundPushedInOtherPortions_givesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let tick = MediaTime(value: 1, timescale: 25)
    func write(_ name: String, portion: Int, framesFirst: Bool) throws -> Data {
      let movie = description(.mp4, AudioEncodingSettings(), frameDuration: tick)
      let writer = try MovieWriter(movie, path: folder.file(name))
      let block = AudioBlock(channelCount: 2, capacity: portion)
      var position: Int64 = 0
      func push() throws {
        while writer.missingAudioSampleCount > 0 {
          let count = Int(min(Int64(portion), writer.missingAudioSampleCount))
          for sample in 0..<count { block[0, sample] = Float((position + Int64(sample)) % 100) / 200 }
          try writer.append(block, count: count)
          position += Int64(count)
        }
      }
      for index in 0..<60 {
        let time = MediaTime(value: Int64(index), timescale: 25)
        try writer.append(patternFrame(.yuv420p, PixelSize(width: 64, height: 48), index: index), at: time, duration: tick)
        if !framesFirst { try push() }
      }
      try push()
      _ = try writer.finish()
      return try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }
    let reference = try write("a.mp4", portion: 4096, framesFirst: false)
    #expect(try write("b.mp4", portion: 37, framesFirst: false) == reference)
    #expect(try write("c.mp4", portion: 1024, framesFirst: true) == reference)
  }
}
