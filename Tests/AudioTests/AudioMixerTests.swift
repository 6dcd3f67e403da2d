import CompositorMedia
import CompositorPlugins
import CompositorAPI
import CompositorAudio
import CompositorValidation
import Foundation
import CompositorHost
import CompositorExport
import CompositorTestMedia
import CompositorTestSupport
import CompositorMediaIO
import CompositorMediaWriting
import Testing

@Suite struct AudioMixerTests {
  private static let source = MediaSource.custom(name: "s")

  private func piece(_ start: MediaTime, _ end: MediaTime, at target: MediaTime) -> CompositionTrackSegment {
    let range = TimeRange(start: start, end: end)
    return CompositionTrackSegment(
      source: Self.source,
      timeMapping: TimeMapping(source: range, target: TimeRange(start: target, duration: range.duration)))
  }

  private func mixed(_ mixer: AudioMixer, _ count: Int, portion: Int) throws -> [[Float]] {
    let block = AudioBlock(channelCount: 2, capacity: portion)
    var channels: [[Float]] = [[], []]
    while channels[0].count < count {
      let step = min(portion, count - channels[0].count)
      try mixer.mix(step, into: block)
      for channel in 0..<2 { channels[channel] += UnsafeBufferPointer(start: block.channels[channel], count: step) }
    }
    return channels
  }

  @Test(arguments: [4096, 1000, 333]) func mix_twoTracksWithVolumes_isTheirSum(_ portion: Int) throws {
    let catalog = MediaCatalog()
    catalog.provide(MemorySound { Float($0 % 977) / 977 - 0.5 + Float($1) / 8 }, as: "s")
    var composition = Composition()
    let (a, b) = (composition.addTrack(.audio), composition.addTrack(.audio))
    let cut = MediaTime(value: 1001, timescale: 30000)
    try composition.setSegments([piece(.seconds(3), .seconds(5), at: .zero)], ofTrack: a)
    try composition.setSegments(
      [CompositionTrackSegment(empty: TimeRange(start: .zero, duration: cut)), piece(.zero, .seconds(1), at: cut)], ofTrack: b)
    // 1 at first, a jump to 0.5 at 1/3 s, down to 0.2 at 4/3 s, held.
    var parameters = AudioMixInputParameters(trackID: a)
    let ramp = TimeRange(start: MediaTime(value: 1, timescale: 3), duration: .seconds(1))
    try parameters.volume.setRamp(from: 0.5, to: 0.2, timeRange: ramp)
    let mixer = AudioMixer(composition, mix: AudioMix(inputParameters: [parameters]), sources: catalog)
    let found = try mixed(mixer, 100_000, portion: portion)

    func sound(_ n: Int64, _ channel: Int) -> Double { Double(Float(n % 977) / 977 - 0.5 + Float(channel) / 8) }
    for sample in 0..<Int64(100_000) {
      let time = MediaTime(value: sample, timescale: 48_000)
      let gain = parameters.volume.value(at: time)
      for channel in 0..<2 {
        var expected = sample < 96_000 ? gain * sound(sample + 144_000, channel) : 0
        // 1001/30000 s are 1601.6 samples: the piece begins at the nearest one.
        if (1602..<49_602).contains(sample) { expected += sound(sample - 1602, channel) }
        if abs(Double(found[channel][Int(sample)]) - expected) > 1e-6 {
          Issue.record("sample \(sample), channel \(channel): \(found[channel][Int(sample)]), not \(expected)")
          return
        }
      }
    }
  }

  @Test func mix_manyPieces_opensOneAtATime() throws {
    let (catalog, sound) = (MediaCatalog(), MemorySound { Float($0 % 100) / 100 + Float($1) })
    catalog.provide(sound, as: "s")
    var composition = Composition()
    let track = composition.addTrack(.audio)
    let tick = MediaTime(value: 1, timescale: 10)
    try composition.setSegments(
      (0..<200).map { index in
        let start = MediaTime(value: Int64(199 - index), timescale: 10)
        return piece(start, start + tick, at: MediaTime(value: Int64(index), timescale: 10))
      }, ofTrack: track)
    let mixer = AudioMixer(composition, sources: catalog)
    #expect(sound.openedCount == 0)
    let found = try mixed(mixer, 960_000, portion: 4096)
    #expect(sound.openedCount == 200 && sound.peakOpen == 1 && sound.openNow == 0)
    // The audio repeats with each piece.
    #expect((0..<960_000).allSatisfy { found[0][$0] == Float($0 % 100) / 100 })
    // A mix that starts later is the later part of the same mix, and opens nothing that is over.
    let later = AudioMixer(composition, sources: catalog, start: MediaTime(value: 155, timescale: 10))
    let end = try mixed(later, 4800, portion: 4800)
    #expect(end[0] == Array(found[0][744_000..<748_800]))
    #expect(sound.openedCount == 201)
  }

  /// Pieces that play one stream on are one: it is opened once, and heard as if there were no cut.
  @Test func mix_piecesOfOneStream_keepOneReader() throws {
    let (catalog, sound) = (MediaCatalog(), MemorySound { Float($0 % 977) / 977 + Float($1) })
    catalog.provide(sound, as: "s")
    var composition = Composition()
    let track = composition.addTrack(.audio)
    let tick = MediaTime(value: 1001, timescale: 30_000)
    try composition.setSegments(
      (0..<50).map { piece(tick * $0, tick * ($0 + 1), at: tick * $0) }, ofTrack: track)
    let found = try mixed(AudioMixer(composition, sources: catalog), 80_000, portion: 4096)
    #expect((0..<80_000).allSatisfy { found[0][$0] == Float($0 % 977) / 977 })
    #expect(sound.openedCount == 1)
  }

  @Test func mix_disabledTrackAndStillTime_areSilent() throws {
    let catalog = MediaCatalog()
    catalog.provide(MemorySound { _, _ in 1 }, as: "s")
    var composition = Composition()
    let track = composition.addTrack(.audio)
    let still = TimeMapping(source: TimeRange(start: .seconds(1), duration: .zero), target: .seconds(0, 1))
    try composition.setSegments([CompositionTrackSegment(source: Self.source, timeMapping: still)], ofTrack: track)
    let found = try mixed(AudioMixer(composition, sources: catalog), 1000, portion: 1000)
    #expect(found[0].allSatisfy { $0 == 0 })
  }

  @Test(.enabled(if: hasFFmpeg)) func export_clicks_areWhereThePicturesAre() async throws {
    let folder = try TemporaryFolder()
    let input = folder.file("clicks.mov")
    let tick = MediaTime(value: 1001, timescale: 30000)
    let writer = try MovieWriter(
      MovieDescription(
        container: .mov,
        video: VideoTrackDescription(
          size: PixelSize(width: 64, height: 48), format: .yuv420p, timing: .constant(frameDuration: tick),
          encoding: VideoEncodingSettings(codec: .ffv1)), audio: AudioEncodingSettings(codec: .pcmFloat32)), path: input)
    let block = AudioBlock(channelCount: 2, capacity: 4096)
    var position: Int64 = 0
    for index in 0..<90 {
      var frame = MutableFrame(format: .yuv420p, size: PixelSize(width: 64, height: 48))
      frame.fill(codes: [Double(20 + index), 128, 128, 255])
      try writer.append(frame.freeze(), at: tick * index, duration: tick)
      while writer.missingAudioSampleCount > 0 {
        let count = Int(min(4096, writer.missingAudioSampleCount))
        for sample in 0..<count { block[0, sample] = (position + Int64(sample)) % 5000 == 0 ? 0.75 : 0 }
        try writer.append(block, count: count)
        position += Int64(count)
      }
    }
    _ = try writer.finish()
    let catalog = MediaCatalog()
    let edit = try Edit(showing: .file(path: input), catalog: catalog)
    let validated = try CompositionValidator.validate(edit, catalog: catalog, registry: .builtIn).get()
    let settings = ExportSettings(
      video: VideoEncodingSettings(codec: .ffv1), audio: AudioEncodingSettings(codec: .pcmFloat32))
    let result = try await Exporter.export(validated, to: folder.file("out.mov"), settings: settings)
    #expect(result.frameCount == 90)
    let reader = try MediaOpener.openAudio(.file(path: folder.file("out.mov")))
    let whole = AudioBlock(channelCount: 2, capacity: 150_000)
    try reader.read(frameCount: 150_000, at: 0, into: whole.channels)
    let clicks = (0..<150_000).filter { whole[0, $0] != 0 }
    // 90 · 1001/30000 s · 48000 = 144144 samples.
    #expect(clicks == Array(stride(from: 0, to: 144_144, by: 5000)))
    let listed = try runTool(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "a", "-show_entries", "stream=start_pts,duration_ts", "-of", "csv=p=0",
        folder.file("out.mov"),
      ])
    #expect(listed.trimmingCharacters(in: .whitespacesAndNewlines) == "0,144144")
  }
}
