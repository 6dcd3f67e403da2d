import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// Several pieces in one movie, their audio, and what cannot be copied.
@Suite(.enabled(if: hasFFmpeg)) struct CopyingJoinTests {
  private let folder: TemporaryFolder
  private let options = [
    "-c:v", "libx264", "-x264-params", "keyint=30:min-keyint=30:scenecut=0:bframes=3:threads=1", "-c:a", "aac", "-b:a", "192k",
  ]
  /// A tone that rises: each moment of it is another.
  private let tone = "0.4*sin(2*PI*(200+150*t)*t)"

  init() throws { folder = try TemporaryFolder() }

  private func movie(_ name: String, first: Int = 0, rate: String = "25", options: [String]? = nil) throws -> String {
    let path = folder.file(name)
    try NumberedMovie.make(path, count: 150, first: first, rate: rate, options: options ?? self.options, audio: tone)
    return path
  }

  @Test(arguments: [PassthroughMode.editList, .smart]) func join_ofTenCuts_isExact(_ mode: PassthroughMode) async throws {
    let (a, b) = (try movie("a.mp4"), try movie("b.mp4", first: 200))
    let parts = (0..<10).map { (path: $0 % 2 == 0 ? a : b, frames: ($0 * 9 + 5)..<($0 * 9 + 5 + 37 + $0)) }
    let wanted = parts.flatMap { part in part.frames.map { $0 + (part.path == a ? 0 : 200) } }
    let output = folder.file("all.mp4")
    let result = try await CopyingSupport.export(
      try CopyingSupport.composition(parts, rate: Rational(25, 1)), to: output, mode)
    #expect(try NumberedMovie.numbers(output) == wanted)
    let report = try #require(result.passthrough)
    #expect(report.pieceCount == 10)
    if mode == .smart {
      // Two groups of 30 frames a cut.
      #expect(report.encodedStretchCount <= 20)
      #expect(report.encodedFrameCount < 10 * 60)
      #expect(report.copiedFrameCount > 0)
      #expect(report.audio == .encoded)
    } else {
      #expect(report.encodedFrameCount == 0)
      // Copied packets of ten pieces would be up to ten packets late in ffmpeg.
      #expect(report.audio == .encoded)
    }
    #expect(abs(try DecodedAudio(output).samples.count - wanted.count * 48_000 / 25) <= 1024)
    let times = try CopyingSupport.frames(output).times
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 25) < 1e-4) }
  }

  @Test func encodedFrames_areAlmostTheSources() async throws {
    let path = folder.file("pictures.mp4")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-g", "50",
        "-pix_fmt",
        "yuv420p", path,
      ])
    let output = folder.file("cut.mkv")
    _ = try await CopyingSupport.export(
      try CopyingSupport.composition([(path, 10..<90)], rate: Rational(25, 1)), to: output, .smart)
    let text = try runTool(
      "ffmpeg",
      [
        "-nostdin", "-i", output, "-i", path, "-lavfi",
        "[1:v]trim=start_frame=10:end_frame=90,setpts=PTS-STARTPTS[b];[0:v]setpts=PTS-STARTPTS[a];[a][b]psnr=stats_file=-",
        "-f", "null", "-",
      ])
    let values = text.split(separator: "\n").compactMap { line -> Double? in
      line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }.flatMap { Double($0.dropFirst(9)) }
    }
    #expect(values.count == 80)
    #expect((values.min() ?? 0) > 40)
  }

  @Test func editList_withAudio_isExactToTheSample() async throws {
    let path = try movie("a.mp4")
    let output = folder.file("cut.mp4")
    _ = try await CopyingSupport.export(
      try CopyingSupport.composition([(path, 33..<120)], rate: Rational(25, 1)), to: output, .automatic)
    let (whole, found) = (try DecodedAudio(path).samples, try DecodedAudio(output).samples)
    let (start, count) = (33 * 48_000 / 25, 87 * 48_000 / 25)
    // Decoders that do not cut the last packet give the rest of it too.
    #expect((count..<count + 1024).contains(found.count))
    #expect(Array(found.prefix(count)) == Array(whole[start..<start + count]))
  }

  @Test func join_ofDifferentFiles_saysWhatDiffers() async throws {
    let a = try movie("a.mp4")
    let cases: [(String, [String], String, String)] = [
      ("size.mp4", ["-vf", "scale=320:64"] + options, "25", "size"),
      ("rate.mp4", options, "50", "frame rate"),
      ("profile.mp4", options + ["-profile:v", "main"], "25", "profile"),
      ("codec.mp4", ["-c:v", "mpeg4"], "25", "codec"),
    ]
    for (name, options, rate, word) in cases {
      let b = try movie(name, rate: rate, options: options)
      let composition = try CopyingSupport.composition([(a, 0..<30), (b, 0..<30)], rate: Rational(25, 1))
      await #expect {
        _ = try await CopyingSupport.export(composition, to: folder.file("out.mp4"), .automatic)
      } throws: { error in
        guard let error = error as? CompositorError else { return false }
        return error.code == .unsupportedOutput && error.message.contains(word) && error.recoverySuggestion != nil
      }
    }
    #expect(try !folder.names.contains { $0.hasPrefix("out") || $0.hasPrefix(".") })
  }

  @Test func obstacles_areNamed() async throws {
    let path = try movie("a.mp4")
    let plain = try CopyingSupport.composition([(path, 0..<100)], rate: Rational(25, 1))
    func refuses(_ word: String, container: String = "mp4", _ change: (inout Edit) throws -> Void) async throws {
      var edit = plain.edit
      try change(&edit)
      let composition = try CompositionValidator.validate(edit, catalog: plain.catalog).get()
      await #expect {
        _ = try await CopyingSupport.export(composition, to: folder.file("out.\(container)"), .editList)
      } throws: { error in
        guard let error = error as? CompositorError else { return false }
        return error.code == .unsupportedOutput && error.message.contains(word) && error.recoverySuggestion != nil
      }
    }
    try await refuses("edit lists", container: "mkv") { _ in }
    try await refuses("color") { $0.output.color = .bt2100HLG }
    try await refuses("frame rate of 10") { $0.videoComposition.frameDuration = MediaTime(value: 1, timescale: 10) }
    try await refuses("32x32") { $0.output.size = PixelSize(width: 32, height: 32) }
    try await refuses("canvas") { $0.videoComposition.renderSize = PixelSize(width: 320, height: 64) }
    try await refuses("volume") { edit in
      let track = edit.composition.tracks(.audio)[0].trackID
      var parameters = AudioMixInputParameters(trackID: track)
      try parameters.volume.set(0.5, at: .zero)
      edit.audioMix.inputParameters = [parameters]
    }
    try await refuses("transparent") { edit in
      var layer = LayerInstruction(trackID: edit.composition.tracks(.video)[0].trackID)
      try layer.opacity.set(0.5, at: .zero)
      edit.videoComposition.instructions[0].layers = [layer]
    }
    try await refuses("speed") { edit in
      let track = edit.composition.tracks(.video)[0]
      var segment = track.segments[0]
      segment.timeMapping.source.duration = MediaTime(value: 2, timescale: 1)
      try edit.composition.setSegments([segment], ofTrack: track.trackID)
    }
    #expect(try folder.names == ["a.mp4"])
  }

  @Test func output_keepsRotationAndLanguageAndNoEntryUnlessAsked() async throws {
    let (flat, path) = (try movie("a.mp4"), folder.file("turned.mov"))
    var settings = ExportSettings(
      metadata: ["title": "Walk", "date": "2024-05-06T07:08:09Z", "location": "+48.2082+016.3738/"])
    settings.orientation = Orientation(quarterTurns: 1)
    _ = try await Exporter.export(
      try CopyingSupport.composition([(flat, 0..<140)], rate: Rational(25, 1)), to: path, settings: settings)
    let output = folder.file("cut.mov")
    _ = try await CopyingSupport.export(
      try CopyingSupport.composition([(path, 33..<120)], rate: Rational(25, 1)), to: output, .automatic)
    func facts(_ path: String, _ entries: String) throws -> String {
      try runTool("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "compact", path])
    }
    let tracks = "stream=codec_name,width,height,sample_aspect_ratio:stream_tags=language:stream_side_data=rotation"
    #expect(try facts(output, tracks) == facts(path, tracks))
    let entries =
      "format_tags=title,creation_time,date,location,com.apple.quicktime.location.ISO6709:stream_tags=creation_time,title"
    let (own, found) = (try facts(path, entries), try facts(output, entries))
    #expect(own.contains("Walk") && own.contains("creation_time") && own.contains("48.2082"), "\(own)")
    for word in ["Walk", "2024", "48.2082"] { #expect(!found.contains(word), "\(found)") }
    let asked = folder.file("asked.mov")
    var kept = ExportSettings(metadata: ["title": "Run", "date": "2024-05-06T07:08:09Z"])
    kept.passthrough = .automatic
    _ = try await Exporter.export(
      try CopyingSupport.composition([(path, 33..<120)], rate: Rational(25, 1)), to: asked, settings: kept)
    let written = try facts(asked, entries)
    #expect(written.contains("Run") && written.contains("creation_time=2024-05-06T07:08:09") && !written.contains("48.2082"))
  }

  @Test(arguments: ["mp4", "mov", "mkv"]) func output_hasTheChaptersAndTheCoverAskedFor(_ container: String) async throws {
    let composition = try CopyingSupport.composition([(try movie("a.mp4"), 0..<140)], rate: Rational(25, 1))
    let output = folder.file("cut.\(container)")
    var settings = ExportSettings(timeRange: TimeRange(start: .seconds(1), end: .seconds(4)), metadata: ["title": "Walk"])
    settings.passthrough = .automatic
    settings.chapters = [Chapter(start: .zero, title: "One"), Chapter(start: .seconds(3), title: "Two")]
    if container != "mov" { settings.cover = .frame(at: .seconds(2)) }
    _ = try await Exporter.export(composition, to: output, settings: settings)
    let facts = try runTool(
      "ffprobe",
      [
        "-v", "error", "-show_chapters", "-show_entries",
        "chapter=start_time,end_time:chapter_tags=title:format_tags=title:"
          + "stream_disposition=attached_pic", "-of", "compact=p=0:nk=1", output,
      ])
    #expect(facts.contains("0.000000|2.000000|One") && facts.contains("2.000000|3.000000|Two") && facts.contains("Walk"))
    #expect(facts.split(separator: "\n").contains("1") == (container != "mov"), "\(facts)")
    #expect(try CopyingSupport.frames(output).hashes.count == 75)
  }

  @Test func whatCopiesCannotDo_isRefused() async throws {
    let composition = try CopyingSupport.composition([(try movie("a.mp4"), 0..<100)], rate: Rational(25, 1))
    let changes: [(String, (inout ExportSettings) -> Void)] = [
      ("size", { $0.size = PixelSize(width: 32, height: 32) }), ("rate", { $0.frameRate = Rational(10, 1) }),
      ("rotate", { $0.orientation = Orientation(quarterTurns: 1) }), ("index", { $0.fastStart = false }),
    ]
    for (word, change) in changes {
      var settings = ExportSettings()
      settings.passthrough = .automatic
      change(&settings)
      do {
        _ = try await Exporter.export(composition, to: folder.file("out.mp4"), settings: settings)
        Issue.record("\(word) was copied")
      } catch {
        #expect(error.code == .unsupportedOutput && error.message.contains(word), "\(error)")
      }
    }
  }
}
