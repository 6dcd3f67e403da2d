import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestMedia
import CompositorTestSupport
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// Keys of a clip that retime it: read, laid out and shown.
@Suite struct RetimedProjectTests {
  static func project(_ clip: String) -> String {
    """
    { version: 1, output: { size: "640x360", frameRate: 25 },
      assets: { clock: { generate: "clock", duration: "10s", frameRate: 25, tone: 440 } },
      tracks: [{ clips: [{ asset: "clock", \(clip) }] }] }
    """
  }

  static func edit(_ clip: String) throws -> Edit {
    try ProjectFile(project(clip), name: "p.json5").edit(catalog: MediaCatalog())
  }

  @Test func retimingKeys_become_theSegmentsRetiming() throws {
    let edit = try Self.edit(#"in: "1s", duration: "2s", speed: "1/2", reverse: true, pitch: "follow", frames: "blend""#)
    #expect(edit.composition.tracks.count == 2)
    for track in edit.composition.tracks {
      let segment = try #require(track.segments.first)
      #expect(segment.retiming == SegmentRetiming(isReversed: true, pitch: .varispeed, frames: .blend))
      #expect(segment.timeMapping.source == TimeRange(start: .seconds(1), duration: .seconds(1)))
      #expect(segment.mediaTime(at: .zero) == .seconds(2))
    }
    let plain = try #require(try Self.edit(#"duration: "2s""#).composition.tracks.first?.segments.first)
    #expect(plain.retiming == SegmentRetiming() && plain.retiming.pitch == .spectral)
  }

  @Test func ramp_withADuration_usesTheMediaThatItCovers() throws {
    let edit = try Self.edit(#"duration: "4s", speed: [{ at: "1s", value: 1 }, { at: "3s", value: 0.5 }]"#)
    let segment = try #require(edit.composition.tracks(.video).first?.segments.first)
    // 1 + 1.5 + 0.5 seconds of media.
    #expect(segment.timeMapping.target.duration == .seconds(4) && segment.timeMapping.source.duration == .seconds(3))
    #expect(abs(segment.mediaTime(at: .seconds(2)).seconds - (1 + 0.875)) < 1e-8)
    #expect(abs(segment.speed(at: .seconds(2)) - 0.75) < 1e-8)
  }

  @Test func ramp_withoutADuration_playsAllOfTheMedia() throws {
    let edit = try Self.edit(#"in: "7s", speed: [{ at: 0, value: 1 }, { at: "2s", value: 0.5 }]"#)
    let segment = try #require(edit.composition.tracks(.video).first?.segments.first)
    // 1.5 s of media in 2 s, the other 1.5 s in 3 s.
    #expect(abs(segment.timeMapping.target.duration.seconds - 5) < 0.001)
    #expect(abs(segment.timeMapping.source.end.seconds - 10) < 0.001)
  }

  @Test(arguments: [
    ("speed: 20000, duration: \"0.1s\"", "1/10000 to 10000"), ("speed: -1", "reverse: true"),
    ("speed: [{ at: 0, value: 0 }]", "cannot have speed 0"),
    ("speed: [{ at: 0, value: 1 }, { at: 0, value: 2 }]", "rising"), ("pitch: \"high\"", "pitch"),
    ("frames: \"more\"", "nearest"),
    ("speed: 0, duration: \"1s\", reverse: true", "direction"), ("speed: []", "keyframes"),
    ("speed: [{ at: 0, value: 20000 }]", "1/10000 to 10000"),
    ("speed: [{ at: 0, value: 4 }], duration: \"9s\"", "left"),
  ])
  func retiming_thatCannotBe_isAnErrorThatSaysWhy(_ clip: String, _ words: String) {
    let error = #expect(throws: (any Error).self, "\(clip)") { try Self.edit(clip) }
    #expect("\(String(describing: error))".contains(words), "\(clip): \(String(describing: error))")
  }

  @Test func codeMadeSpeeds_thatCannotBe_areErrors() {
    for change: @Sendable (inout TimelineClip) -> Void in [
      { $0.speed = .constant(Rational(20_000, 1)) }, { $0.speed = .constant(Rational(-1, 1)) },
      { $0.speed = .ramp([]) }, { $0.speed = .ramp([Keyframe(time: .zero, value: .nan)]) },
      { $0.speed = .ramp([Keyframe(time: .positiveInfinity, value: 1)]) },
      { $0.speed = .ramp([Keyframe(time: .invalid, value: 1)]) },
    ] {
      var timeline = Timeline(canvas: PixelSize(width: 64, height: 36), frameRate: 25)
      var clip = TimelineClip(.generated(.init(pattern: .clock, duration: .seconds(5))), duration: .seconds(1))
      change(&clip)
      timeline.tracks = [TimelineTrack(clips: [clip])]
      #expect(throws: CompositorError.self) { try timeline.edit(catalog: MediaCatalog()) }
    }
  }

  @Test func explanation_ofRetimedClips_saysHowTheyPlay() throws {
    let catalog = MediaCatalog()
    let edit = try Self.edit(
      #"duration: "4s", reverse: true, frames: "motion", speed: [{ at: "1s", value: 1 }, { at: "3s", value: 0.5 }]"#)
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    let tracks = try EditExplanation(valid).tracks
    #expect(
      tracks.map { $0.segments.first?.retiming } == [
        "0.5x to 1x, backward, frames motion", "0.5x to 1x, backward, pitch kept (spectral)",
      ])
  }

  /// Fourteen clips and one clip with a ramp in steps: the same media at every frame.
  @Test func slowMotionExample_showsTheSameFramesBothWays() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Examples/slow-motion.json5").path
    let edit = try ProjectFile(contentsOf: path).edit(catalog: MediaCatalog())
    let tracks = edit.composition.tracks(.video)
    #expect(tracks.count == 2 && tracks[1].segments.count == 14 && tracks[0].segments.count == 1)
    for frame in 0..<247 {
      let time = MediaTime(value: Int64(frame), timescale: 30)
      let both = try tracks.map { try #require($0.position(at: time)).time.seconds }
      #expect(abs(both[0] - both[1]) < 1e-6, "frame \(frame): \(both)")
    }
    let speeds = tracks[1].segments.map(\.timeMapping.rate)
    #expect(abs(speeds[6] - 0.125) < 1e-6 && speeds.first == 1 && speeds.last == 1)
  }

  /// Beeps and flashes every half second of the media, through a ramp, stay in sync.
  @Test(.enabled(if: hasFFmpeg), arguments: ["", "reverse: true,"]) func flashAndBeep_throughARamp_stayTogether(
    _ reverse: String
  ) async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("sync.mkv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=black:s=64x64:r=50:d=6,format=yuv420p,geq=lum='if(eq(mod(N,25),12),235,16)':cb=128:cr=128", "-f", "lavfi", "-i",
        "aevalsrc='if(between(mod(t,0.5),0.24,0.26),0.8*sin(2*PI*2000*t),0)':s=48000:d=6", "-c:v", "ffv1", "-c:a", "pcm_s16le",
        source,
      ])
    let text = """
      { version: 1, output: { frameRate: 100 }, assets: { a: { file: "\(source)" } },
        tracks: [{ clips: [{ asset: "a", duration: "4s", \(reverse) pitch: "follow",
          speed: [{ at: "0.5s", value: 1, easing: "ease-in-out" }, { at: "2.5s", value: 0.5 }, { at: "3s", value: 1 }] }] }] }
      """
    let catalog = MediaCatalog()
    let edit = try ProjectFile(text, name: "p.json5").edit(catalog: catalog)
    let valid = try CompositionValidator.validate(edit, catalog: catalog).get()
    var settings = ExportSettings(overwrites: true)
    settings.video.codec = .ffv1
    settings.audio = AudioEncodingSettings(codec: .pcmInt16)
    let path = folder.file("out.mkv")
    _ = try await Exporter.export(valid, to: path, settings: settings)
    let video = try runProgram(
      "ffmpeg", ["-v", "error", "-i", path, "-vf", "scale=1:1:flags=area", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
    let audio = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-ac", "1", "-f", "s16le", "-ar", "48000", "-"])
    let samples = audio.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    var flashes: [Double] = []
    for (index, value) in video.enumerated() where value > 128 {
      if let last = flashes.last, Double(index) / 100 - last < 0.2 { continue }
      flashes.append(Double(index) / 100)
    }
    var beeps: [Double] = []
    for (index, value) in samples.enumerated() where abs(Int(value)) > 4000 {
      if let last = beeps.last, Double(index) / 48_000 - last < 0.2 { continue }
      beeps.append(Double(index) / 48_000)
    }
    #expect(flashes.count >= 5 && flashes.count == beeps.count, "\(flashes) \(beeps)")
    for (flash, beep) in zip(flashes, beeps) { #expect(abs(flash - beep) < 0.0102, "\(flash) \(beep)") }
  }
}
