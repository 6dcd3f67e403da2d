import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// Files of audio alone, as ffmpeg reads them.
@Suite struct WriteAudioTests {
  private typealias Codec = AudioEncodingSettings.Codec

  /// Tones that differ from channel to channel, with a pulse every 2000 samples that no other place resembles.
  private static func sound(_ sample: Int, _ channel: Int, rate: Int) -> Float {
    // A sweep, from 300 Hz up, in bursts: no two places are alike.
    let time = Double(sample) / Double(rate)
    let tone = sin(2 * .pi * (300 + 170 * Double(channel) + 2500 * time) * time)
    return Float((sample / 2000 + channel) % 3 == 0 ? 0.45 * tone : 0.15 * tone)
  }

  private func write(
    _ container: MovieContainer, _ settings: AudioEncodingSettings, count: Int, portion: Int = 1700, to path: String
  ) throws -> MovieSummary {
    let writer = try MovieWriter(
      MovieDescription(container: container, audioTracks: [AudioTrackDescription(encoding: settings)]), path: path)
    let block = AudioBlock(channelCount: settings.channelCount, capacity: portion)
    var position = 0
    while position < count {
      let part = min(portion, count - position)
      for channel in 0..<settings.channelCount {
        for sample in 0..<part {
          block[channel, sample] = Self.sound(position + sample, channel, rate: settings.sampleRate)
        }
      }
      try writer.append(block, count: part)
      position += part
    }
    return try writer.finish()
  }

  /// Containers and codecs that hold the exact number of samples for every reader, ffmpeg among them.
  static let exact: [(MovieContainer, AudioEncodingSettings.Codec)] = [
    (.wav, .pcmInt16), (.wav, .pcmInt24), (.wav, .pcmFloat32), (.flac, .flac), (.m4a, .alac), (.mov, .alac),
    (.mka, .flac), (.mka, .pcmInt24), (.mka, .opus), (.mp3, .mp3), (.opus, .opus), (.ogg, .opus),
    (.ogg, .flac),
  ]

  @Test(arguments: exact)
  func writeAudio_anyRateChannelsAndLength_decodesToAsManySamplesAtTheirPlaces(
    _ container: MovieContainer, _ codec: AudioEncodingSettings.Codec
  ) throws {
    let folder = try TemporaryFolder()
    var files: [(path: String, settings: AudioEncodingSettings, count: Int)] = []
    for rate in [44_100, 48_000, 24_000] where codec != .opus || rate != 44_100 {
      for channels in [1, 2, 6] where codec != .mp3 || channels <= 2 {
        for count in [1, rate / 10, 7801] {
          // ffmpeg's edit lists of one sample of ALAC lose it.
          if codec == .alac, count == 1 { continue }
          // LAME fills two packets up, and it cuts one.
          if codec == .mp3, count == 1 { continue }
          // It does not skip the start of a packet of Matroska whose end it cuts.
          if container == .mka, codec == .opus, count == 1 { continue }
          let settings = AudioEncodingSettings(codec: codec, sampleRate: rate, channelCount: channels)
          let path = folder.file("\(rate)-\(channels)-\(count).\(container.rawValue)")
          let summary = try write(container, settings, count: count, to: path)
          #expect(summary.audioSampleCount == Int64(count) && summary.frameCount == 0)
          files.append((path, settings, count))
        }
      }
    }
    // All by one run of ffmpeg.
    var arguments = ["-v", "error"]
    for file in files { arguments += ["-i", file.path] }
    for (index, file) in files.enumerated() {
      arguments += ["-map", "\(index):a", "-c:a", "pcm_f32le", "-f", "f32le", file.path + ".raw"]
    }
    try runProgram("ffmpeg", arguments)
    for file in files {
      let data = try Data(contentsOf: URL(fileURLWithPath: file.path + ".raw"))
      let decoded = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let (rate, channels) = (file.settings.sampleRate, file.settings.channelCount)
      let place = "\(codec.rawValue) in .\(container.rawValue), \(rate) Hz, \(channels) channels, \(file.count) samples"
      try compare(decoded, count: file.count, file.settings, place)
    }
  }

  /// Opus is decoded at 48 kHz whatever it was made of.
  private func compare(_ decoded: [Float], count: Int, _ settings: AudioEncodingSettings, _ place: String) throws {
    let (codec, channels) = (settings.codec, settings.channelCount)
    let factor = codec == .opus ? 48_000 / settings.sampleRate : 1
    #expect(decoded.count == count * factor * channels, "\(place): \(decoded.count / channels)")
    guard count > 6000, decoded.count == count * factor * channels else { return }
    for channel in 0..<channels {
      // A low-frequency channel is filtered, and so is a channel that lossy encoders couple.
      if channels == 6, !codec.isLossless, channel != 0 { continue }
      let heard = (0..<count).map { decoded[$0 * factor * channels + channel] }
      let given = (0..<count).map { Self.sound($0, channel, rate: settings.sampleRate) }
      if codec.isLossless {
        let steps: Float = codec == .pcmInt16 ? 32_768 : codec == .pcmFloat32 ? 0 : 8_388_608
        let expected = steps == 0 ? given : given.map { ($0 * steps).rounded(.toNearestOrEven) / steps }
        #expect(heard == expected, "\(place), channel \(channel)")
      } else {
        let lag = bestLag(heard, given)
        #expect(lag == 0, "\(place), channel \(channel): \(lag)")
        let (a, b) = (level(heard), level(given))
        #expect(abs(20 * log10(a / b)) < 0.5, "\(place), channel \(channel): \(a) for \(b)")
      }
    }
  }

  private func level(_ samples: [Float]) -> Double {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  /// How many samples later `heard` is than `given`.
  private func bestLag(_ heard: [Float], _ given: [Float]) -> Int {
    let (first, count) = (2000, 3500)
    return heard.withUnsafeBufferPointer { heard in
      given.withUnsafeBufferPointer { given in
        var (best, most) = (0, -Float.infinity)
        for lag in -1500...1500 {
          var sum: Float = 0
          var index = first
          while index < first + count {
            sum += heard[index + lag] * given[index]
            index += 2
          }
          if sum > most { (best, most) = (lag, sum) }
        }
        return best
      }
    }
  }

  /// ffmpeg before version 7 reads the whole last packet of AAC in MP4; the edit list says where it ends, and our reader keeps to it.
  @Test(arguments: [1, 4410, 44_107])
  func writeM4A_aac_statesTheExactLengthAndStart(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.m4a")
    let settings = AudioEncodingSettings(sampleRate: 44_100)
    _ = try write(.m4a, settings, count: count, to: path)
    let stream = try WriteProbe(path).stream("audio")
    #expect(stream.codec_name == "aac" && stream.duration_ts == count && stream.start_pts == 0)
    let decoded = try decodedSamples(path)
    #expect(decoded.count / 2 >= count && decoded.count / 2 < count + 1024)
    if count > 40_000 { try compare(Array(decoded.prefix(count * 2)), count: count, settings, "aac in .m4a") }
  }

  @Test func writeFLAC_depth_isTheOneAskedFor() throws {
    let folder = try TemporaryFolder()
    for (container, codec) in [(MovieContainer.flac, Codec.flac), (.m4a, .alac)] {
      for depth in [16, 24, nil] {
        let path = folder.file("\(depth ?? 0).\(container.rawValue)")
        _ = try write(container, AudioEncodingSettings(codec: codec, bitDepth: depth), count: 9000, to: path)
        let bits = try runProgram(
          "ffprobe", ["-v", "error", "-show_entries", "stream=bits_per_raw_sample", "-of", "csv=p=0", path])
        #expect(String(decoding: bits, as: UTF8.self).hasPrefix("\(depth ?? 24)"))
        let steps: Float = depth == 16 ? 32_768 : 8_388_608
        let decoded = try decodedSamples(path)
        try #require(decoded.count == 18_000)
        let expected = (0..<9000).map { (Self.sound($0, 0, rate: 48_000) * steps).rounded(.toNearestOrEven) / steps }
        #expect((0..<9000).map { decoded[$0 * 2] } == expected)
      }
    }
  }

  @Test func writeAudio_noCodecChosen_takesTheFilesOwn() throws {
    let folder = try TemporaryFolder()
    let usual = [
      ("m4a", "aac"), ("wav", "pcm_s16le"), ("flac", "flac"), ("mp3", "mp3"), ("opus", "opus"), ("ogg", "opus"), ("mka", "aac"),
    ]
    for (suffix, name) in usual {
      let path = folder.file("a.\(suffix)")
      _ = try write(try MovieContainer(path: path), AudioEncodingSettings(), count: 5000, to: path)
      #expect(try WriteProbe(path).stream("audio").codec_name == name)
    }
  }

  @Test func writeAudio_whatTheFileCannotHold_isRefusedWithWhatItCan() throws {
    let cases: [(MovieContainer, AudioEncodingSettings, String)] = [
      (.opus, AudioEncodingSettings(sampleRate: 44_100), "48000, 24000, 16000, 12000 or 8000"),
      (.mp3, AudioEncodingSettings(channelCount: 6), "1 or 2 channels"),
      (.opus, AudioEncodingSettings(channelCount: 4), "1, 2, 3, 5, 6"),
      (.wav, AudioEncodingSettings(codec: .flac), "pcm-s16, pcm-s24 or pcm-f32"),
      (.flac, AudioEncodingSettings(bitDepth: 20), "16 or 24"), (.mp3, AudioEncodingSettings(bitDepth: 16), "flac or alac"),
      (.mp3, AudioEncodingSettings(sampleRate: 96_000), "48000, 44100"),
    ]
    for (container, settings, advice) in cases {
      let error = #expect(throws: CompositorError.self) {
        try MovieDescription(container: container, audioTracks: [AudioTrackDescription(encoding: settings)]).validate()
      }
      #expect(error?.code == .unsupportedOutput && error?.recoverySuggestion?.contains(advice) == true, "\(error as Any)")
    }
    let two = [AudioTrackDescription(), AudioTrackDescription()]
    #expect(throws: CompositorError.self) { try MovieDescription(container: .wav, audioTracks: two).validate() }
    let named = [AudioTrackDescription(title: "Comments")]
    #expect(throws: CompositorError.self) { try MovieDescription(container: .mp3, audioTracks: named).validate() }
  }

  @Test(arguments: ["wav", "flac", "mp3", "opus", "ogg", "m4a", "mka"])
  func writeAudio_title_isReadBack(_ suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.\(suffix)")
    let writer = try MovieWriter(
      MovieDescription(
        container: try MovieContainer(path: path), audioTracks: [AudioTrackDescription()],
        metadata: ["title": "Ein Lied", "artist": "Ada"]), path: path)
    try writer.append(AudioBlock(channelCount: 2, capacity: 3000), count: 3000)
    _ = try writer.finish()
    let entries = try runProgram(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "default=nw=1", path])
    let text = String(decoding: entries, as: UTF8.self).lowercased()
    #expect(text.contains("title=ein lied") && text.contains("artist=ada"), "\(text)")
  }

  @Test func writeAudio_otherPortions_giveTheSameBytes() throws {
    let folder = try TemporaryFolder()
    for (container, codec) in Self.exact {
      let settings = AudioEncodingSettings(codec: codec)
      let (a, b) = (folder.file("a.\(container.rawValue)"), folder.file("b.\(container.rawValue)"))
      _ = try write(container, settings, count: 12_345, portion: 4096, to: a)
      _ = try write(container, settings, count: 12_345, portion: 37, to: b)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: a)) == Data(contentsOf: URL(fileURLWithPath: b)), "\(container), \(codec)")
    }
  }
}
