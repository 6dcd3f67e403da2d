import CompositorAPI
import CompositorAudio
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Reading composed frames and mixed audio at the caller's pace.
@Suite(.enabled(if: hasFFmpeg)) struct CompositionReaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rate: String
    let range: TimeRange?
    let sampleRate: Int
    var testDescription: String { "\(rate), \(range.map { "\($0)" } ?? "all"), \(sampleRate) Hz" }

    /// `make test` takes one sample rate for each range.
    static let all: [Case] = {
      let ranges = [
        nil, TimeRange(start: .seconds(0.31), duration: .seconds(0.5)), TimeRange(start: .seconds(0.5), end: .positiveInfinity),
      ]
      let rows = ["24", "25", "30000/1001", "vfr"].flatMap { rate in ranges.map { (rate, $0) } }
      return TableSelection.pairs(rows, [44_100, 48_000], each: 1).map { Case(rate: $0.0, range: $0.1, sampleRate: $1) }
    }()
  }

  /// FFV1 and PCM of floats hold exactly what an export makes; ffmpeg reads them.
  @Test(arguments: Case.all) func media_areThoseOfAnExport(_ test: Case) async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip(rate: test.rate, seconds: 1.2), followsTimes: test.rate == "vfr")
    let output = media.folder.file("out.mkv")
    let encoding = AudioEncodingSettings(codec: .pcmFloat32, sampleRate: test.sampleRate, channelCount: 2)
    _ = try await Exporter.export(
      composition, to: output,
      settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1), audio: encoding, timeRange: test.range))

    var settings = ReaderSettings()
    settings.timeRange = test.range
    settings.audio = ReaderAudioFormat(sampleRate: test.sampleRate, blockSampleCount: 700)
    let reader = try await CompositionReader(composition, settings: settings)
    var (found, position, audioEnd) = (MediaBytes(), MediaTime.zero, MediaTime.zero)
    for try await item in reader.media {
      switch item {
      case .frame(let frame):
        #expect(found.frames.isEmpty || frame.time == position, "frames follow one another")
        #expect(audioEnd <= frame.time + MediaTime(value: 1, timescale: Int32(test.sampleRate)) || found.frames.isEmpty)
        position = frame.time + frame.duration
        found.add(frame.frame)
      case .audio(let audio):
        #expect((1...700).contains(audio.sampleCount) && audio.channels.count == 2)
        #expect(audio.time < position, "audio comes after the frame it is heard with")
        audioEnd = audio.time + audio.duration
        found.add(audio)
      }
    }
    #expect(reader.status == .completed && reader.error == nil)
    #expect(found.frames.count == reader.frameCount && found.samples.count == 2 * Int(reader.sampleCount))
    #expect(position == reader.timeRange.end)
    let expected = try MediaBytes(of: output, frameByteCount: 64 * 48 * 3 / 2, hasAudio: true)
    #expect(expected.frames.count > 10 && expected.samples.contains { abs($0) > 0.1 })
    #expect(found.frames == expected.frames)
    #expect(found.samples == expected.samples)
  }

  @Test func readAudio_ofAnySizes_givesTheSameSamples() async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip(channels: 6))
    var settings = ReaderSettings()
    settings.audio.channelCount = 6
    let whole = try await CompositionReader(composition, settings: settings)
    var expected = MediaBytes()
    for try await audio in whole.audio { expected.add(audio) }
    let reader = try await CompositionReader(composition, settings: settings)
    let block = AudioBlock(channelCount: 6, capacity: 10_000)
    var (samples, sizes) = ([Float](), [1, 10_000, 0, 37, 4096, 4097])
    while true {
      let size = sizes.removeFirst()
      sizes.append(size)
      let count = try await reader.readAudio(size, into: block)
      for sample in 0..<count { for channel in 0..<6 { samples.append(block[channel, sample]) } }
      if count < size { break }
    }
    #expect(samples == expected.samples && samples.count == 6 * 96_000)
    #expect(try await reader.readAudio(100, into: block) == 0)
    // Frames are left.
    #expect(reader.status == .reading)
    let other = AudioBlock(channelCount: 2, capacity: 10)
    await #expect { _ = try await reader.readAudio(10, into: other) } throws: {
      ($0 as? CompositorError)?.code == .invalidValue
    }
    await #expect { _ = try await reader.readAudio(10_001, into: block) } throws: {
      ($0 as? CompositorError)?.code == .invalidValue
    }
    #expect(reader.status == .reading, "a call that makes no sense ends nothing")
  }

  @Test(arguments: [AudioDestination.float, .integer]) func audio_withLoudness_isThatOfAnExport(
    _ destination: AudioDestination
  ) async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip(seconds: 3), loudness: LoudnessTarget(integrated: -9))
    let output = media.folder.file("out.mkv")
    let codec: AudioEncodingSettings.Codec = destination == .float ? .pcmFloat32 : .pcmInt24
    _ = try await Exporter.export(
      composition, to: output,
      settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1), audio: AudioEncodingSettings(codec: codec)))
    var settings = ReaderSettings()
    settings.mediaTypes = [.audio]
    settings.audio.destination = destination
    let reader = try await CompositionReader(composition, settings: settings)
    var found = MediaBytes()
    for try await audio in reader.audio { found.add(audio) }
    let expected = try MediaBytes(of: output, frameByteCount: 64 * 48 * 3 / 2, hasAudio: true)
    #expect(expected.samples.contains { abs($0) > 0.25 }, "the target makes it louder")
    let step = Float(destination == .float ? 0 : 1.0 / 8_388_608)
    #expect(found.samples.count == expected.samples.count)
    #expect(zip(found.samples, expected.samples).allSatisfy { abs($0 - $1) <= step })
    #expect(reader.status == .completed)
  }

  @Test func decoders_ofWhatIsNotRead_areNotOpened() async throws {
    let media = try ReaderMedia()
    let (video, audio) = (try media.clip("v.mkv", channels: 0), media.folder.file("a.wav"))
    try runTool("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=2:r=48000", audio])
    let project = try ProjectFile(
      """
      { version: 1, assets: { v: "v.mkv", a: "a.wav" }, tracks: [{ clips: [{ asset: "v" }] }, { clips: [{ asset: "a" }] }] }
      """, directory: media.folder.path + "/")
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(try project.edit(catalog: catalog), catalog: catalog).get()
    for types in [Set<MediaType>([.video]), [.audio]] {
      var settings = ReaderSettings()
      settings.mediaTypes = types
      let reader = try await CompositionReader(composition, settings: settings)
      let isVideo = types == [.video]
      var count = 0
      while let item = try await reader.nextMedia() {
        if case .frame = item { #expect(isVideo) } else { #expect(!isVideo) }
        count += 1
        if count == 3 { #expect(ReaderMedia.descriptors(of: isVideo ? video : audio) > 0, "what is read is open") }
        #expect(ReaderMedia.descriptors(of: isVideo ? audio : video) == 0)
      }
      #expect(count > 3 && reader.status == .completed)
      #expect(ReaderMedia.descriptors(of: video) + ReaderMedia.descriptors(of: audio) == 0, "closed at the end")
      #expect((isVideo ? reader.sampleCount : Int64(reader.frameCount)) == 0)
    }
  }

  @Test func frames_thatNobodyTakes_holdRenderingBack() async throws {
    let media = try ReaderMedia()
    var settings = ReaderSettings()
    settings.render.framesInFlight = 3
    let reader = try await CompositionReader(try media.composition(try media.clip(seconds: 8)), settings: settings)
    _ = try await reader.nextFrame()
    try await Task.sleep(for: .milliseconds(400))
    let made = await reader.statistics()?.routes.values.reduce(0, +) ?? 0
    #expect((1...8).contains(made), "\(made) of 200")
    await reader.close()
    #expect(reader.status == .canceled)
  }

  @Test func reader_usedByManyTasks_givesEachFrameAndSampleOnce() async throws {
    let media = try ReaderMedia()
    let reader = try await CompositionReader(try media.composition(try media.clip()))
    let (indices, positions) = try await withThrowingTaskGroup(of: ([Int], [Int64]).self) { group in
      for task in 0..<8 {
        group.addTask {
          var (indices, positions) = ([Int](), [Int64]())
          if task % 2 == 0 {
            for try await frame in reader.frames { indices.append(frame.index) }
          } else {
            while let audio = try await reader.nextAudio(500 + task) {
              for sample in 0..<audio.sampleCount { positions.append(audio.position + Int64(sample)) }
            }
          }
          #expect(indices == indices.sorted() && positions == positions.sorted())
          return (indices, positions)
        }
      }
      return try await group.reduce(into: ([Int](), [Int64]())) { sum, part in
        sum.0 += part.0
        sum.1 += part.1
      }
    }
    #expect(indices.sorted() == Array(0..<50))
    #expect(positions.sorted() == Array(0..<96_000))
    #expect(reader.status == .completed)
  }

  @Test func readers_sideBySide_areIndependent() async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip())
    let (first, second) = (try await CompositionReader(composition), try await CompositionReader(composition))
    var (a, b) = (MediaBytes(), MediaBytes())
    while let frame = try await first.nextFrame() {
      a.add(frame.frame)
      if let audio = try await second.nextAudio(1920) { b.add(audio) }
      if let other = try await second.nextFrame() { b.add(other.frame) }
    }
    for try await audio in first.audio { a.add(audio) }
    #expect(a == b && a.frames.count == 50)
  }

  @Test func cancel_atAnyTime_endsSoonAndClosesDecoders() async throws {
    let media = try ReaderMedia()
    let path = try media.clip(seconds: 4)
    let composition = try media.composition(path)
    for frameCount in [0, 1, 30] {
      let reader = try await CompositionReader(composition)
      for _ in 0..<frameCount { _ = try await reader.nextMedia() }
      let start = ContinuousClock.now
      reader.cancel()
      #expect(reader.status == .canceled && reader.error?.code == .cancelled)
      await #expect { _ = try await reader.nextFrame() } throws: { ($0 as? CompositorError)?.code == .cancelled }
      await #expect { _ = try await reader.nextAudio() } throws: { ($0 as? CompositorError)?.code == .cancelled }
      #expect(try await ReaderMedia.soon { ReaderMedia.descriptors(of: path) == 0 })
      await reader.close()
      // Other tests may block the threads that this one goes on with.
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }

  @Test func task_thatIsCanceled_cancelsTheReader() async throws {
    let media = try ReaderMedia()
    let path = try media.clip(seconds: 4)
    let reader = try await CompositionReader(try media.composition(path))
    let task = Task {
      var count = 0
      do {
        while let _ = try await reader.nextMedia() {
          count += 1
          if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      } catch {
        return (count, (error as? CompositorError)?.code ?? .internalFault)
      }
      return (count, CompositorError.Code.internalFault)
    }
    let (count, code) = await task.value
    #expect(count < 10 && code == .cancelled && reader.status == .canceled)
    #expect(try await ReaderMedia.soon { ReaderMedia.descriptors(of: path) == 0 })
  }

  @Test func reader_thatIsDropped_closesItsDecoders() async throws {
    let media = try ReaderMedia()
    let path = try media.clip(seconds: 4)
    let composition = try media.composition(path)
    weak var left: CompositionReader?
    do {
      let reader = try await CompositionReader(composition)
      left = reader
      for _ in 0..<7 { _ = try await reader.nextMedia() }
      #expect(ReaderMedia.descriptors(of: path) > 0)
    }
    #expect(left == nil)
    #expect(try await ReaderMedia.soon { ReaderMedia.descriptors(of: path) == 0 })
  }

  @Test func frame_thatCannotBeMade_failsTheReaderAfterTheFramesBefore() async throws {
    let media = try ReaderMedia()
    let path = try media.clip()
    let catalog = MediaCatalog()
    var edit = try Edit(showing: .file(path: path), catalog: catalog)
    let track = try #require(edit.composition.tracks(.video).first?.trackID)
    for index in edit.videoComposition.instructions.indices {
      edit.videoComposition.instructions[index].layers = [LayerInstruction(trackID: track)]
      edit.videoComposition.instructions[index].compositor = "org.example.fails"
    }
    var registry = CompositorRegistry.builtIn
    try registry.register("org.example.fails") { request in
      guard request.time < .seconds(1), let source = request.sources.values.first else {
        throw CompositorError(.decodeFailed, "Enough.")
      }
      return source.frame
    }
    let composition = try CompositionValidator.validate(edit, catalog: catalog, registry: registry).get()
    let reader = try await CompositionReader(composition)
    var count = 0
    var thrown: CompositorError?
    do throws(CompositorError) {
      while let frame = try await reader.nextFrame() {
        #expect(frame.index == count)
        count += 1
        // A taker that is slow gets what was made before, too.
        usleep(10_000)
      }
    } catch {
      thrown = error
    }
    #expect(count == 25)
    #expect(reader.status == .failed && thrown?.code == .decodeFailed && reader.error?.avFoundationCode == -11_821)
    await #expect { _ = try await reader.nextFrame() } throws: { ($0 as? CompositorError)?.code == .decodeFailed }
    #expect(try await ReaderMedia.soon { ReaderMedia.descriptors(of: path) == 0 })
  }

  @Test func settings_thatCannotBeMeant_areErrors() async throws {
    let media = try ReaderMedia()
    let composition = try media.composition(try media.clip(channels: 0))
    func code(_ change: (inout ReaderSettings) -> Void) async -> CompositorError.Code? {
      var settings = ReaderSettings()
      change(&settings)
      do { _ = try await CompositionReader(composition, settings: settings) } catch { return error.code }
      return nil
    }
    #expect(await code { $0.audio.sampleRate = 0 } == .invalidValue)
    #expect(await code { $0.audio.channelCount = 9 } == .invalidValue)
    #expect(await code { $0.audio.blockSampleCount = -1 } == .invalidValue)
    #expect(await code { $0.mediaTypes = [] } == .trackNotFound)
    #expect(await code { $0.mediaTypes = [.audio] } == .trackNotFound)
    #expect(await code { $0.timeRange = TimeRange(start: .seconds(9), duration: .seconds(1)) } == .invalidValue)
    #expect(await code { $0.timeRange = TimeRange(start: .invalid, duration: .seconds(1)) } == .invalidValue)
    #expect(await code { $0.timeRange = TimeRange(start: .zero, duration: .seconds(-1)) } == .invalidValue)
    #expect(await code { _ in } == nil)
    let error = CompositorError(.trackNotFound, "")
    #expect(error.avFoundationCode == -11_869)
  }
}
