import CompositorAPI
import CompositorHost
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// What a composition takes from its media: timing, size, formats; and that a consumer has it as it was.
@Suite struct CompositionMediaTests {
  /// A catalog of video tracks without files, and a composition of one track for each.
  func made(
    _ tracks: [(name: String, rate: Rational, size: PixelSize, turned: Bool)]
  ) throws -> (composition: Composition, catalog: MediaCatalog) {
    let catalog = MediaCatalog()
    var composition = Composition()
    for (name, rate, size, turned) in tracks {
      var info = VideoTrackInfo(
        index: 0, codec: "h264", size: size, format: .yuv420p, attributes: FrameAttributes(), nominalFrameRate: rate,
        timeRange: .seconds(0, 10))
      if turned { info.preferredTransform = AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: Double(size.height), ty: 0) }
      let source = MediaSource.custom(name: name)
      catalog.provide(MediaInfo(source: source, container: "memory", duration: .seconds(10), videoTracks: [info]))
      let track = composition.addTrack(.video)
      try composition.insert(SourceRange(source, timeRange: .seconds(1, 4)), at: .invalid, inTrack: track)
    }
    return (composition, catalog)
  }

  @Test func properties_ofTracks_giveSizeAndRate() throws {
    let (hd, tall) = (PixelSize(width: 1920, height: 1080), PixelSize(width: 1080, height: 1920))
    let cases: [([(name: String, rate: Rational, size: PixelSize, turned: Bool)], MediaTime, PixelSize)] = [
      ([("a", 25, hd, false)], MediaTime(value: 1, timescale: 25), hd),
      ([("a", Rational(30000, 1001), hd, true)], MediaTime(value: 1001, timescale: 30000), tall),
      ([("a", 24, hd, false), ("b", 60, hd, false), ("c", 25, hd, false)], MediaTime(value: 1, timescale: 60), hd),
      ([("a", Rational(0, 1), hd, false)], MediaTime(value: 1, timescale: 30), hd),
      (
        [("a", Rational(0, 1), hd, false), ("b", 24, hd, true)], MediaTime(value: 1, timescale: 24),
        PixelSize(width: 1920, height: 1920)
      ),
    ]
    for (tracks, frameDuration, size) in cases {
      var (composition, catalog) = try made(tracks)
      let video = try VideoComposition(propertiesOf: composition, catalog: catalog)
      #expect(video.frameDuration == frameDuration && video.renderSize == size, "\(tracks)")
      #expect(video.sourceTrackIDForFrameTiming == nil)
      #expect(video.instructions.map(\.timeRange) == [.seconds(0, 3)])
      #expect(video.instructions[0].layers.map(\.trackID) == composition.tracks.map(\.trackID), "front to back")
      for (layer, track) in zip(video.instructions[0].layers, tracks) {
        #expect((layer.transform.value(at: .seconds(1)) == .identity) != track.turned)
      }
      composition.naturalSize = Size(width: 640, height: .nan)
      #expect(try VideoComposition(propertiesOf: composition, catalog: catalog).renderSize == PixelSize(width: 640, height: 1))
      // Played at another speed, its frames come at no rate of their own.
      guard tracks.count == 1, tracks[0].rate.isPositive else { continue }
      try composition.scale(.seconds(1, 2), to: .seconds(3))
      #expect(try VideoComposition(propertiesOf: composition, catalog: catalog).sourceTrackIDForFrameTiming == 1)
    }
    let error = #expect(throws: CompositorError.self) {
      try VideoComposition(propertiesOf: Composition(), catalog: MediaCatalog())
    }
    #expect(error?.code == .trackNotFound)
  }

  @Test(.enabled(if: hasFFmpeg)) func properties_ofAVariableRate_keepItsTimesInTheFile() async throws {
    let folder = try TemporaryFolder()
    for (name, select) in [("vfr", "not(mod(n,3))+between(n,20,40)+eq(n,89)"), ("cfr", "1")] {
      let (input, output) = (folder.file("\(name).mp4"), folder.file("\(name)-out.mp4"))
      try runTool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x54:rate=30:duration=3", "-vf", "select='\(select)'",
          "-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p", input,
        ])
      let catalog = MediaCatalog()
      var edit = try Edit(showing: .file(path: input), catalog: catalog)
      edit.videoComposition = try VideoComposition(propertiesOf: edit.composition, catalog: catalog)
      #expect((edit.videoComposition.sourceTrackIDForFrameTiming != nil) == (name == "vfr"))
      #expect(edit.videoComposition.renderSize == PixelSize(width: 96, height: 54))
      _ = try await Exporter.export(try CompositionValidator.validate(edit, catalog: catalog).get(), to: output)
      func times(_ path: String) throws -> [Double] {
        let entries = ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path]
        return try runTool("ffprobe", entries).split(separator: "\n").compactMap { Double($0.prefix { $0 != "," }) }
      }
      let (expected, found) = (try times(input), try times(output))
      #expect(found.count == expected.count && found.count > 40)
      #expect(zip(found, expected).allSatisfy { abs($0 - found[0] - $1 + expected[0]) < 1e-5 }, "\(name)")
    }
  }

  @Test func compatibleTrack_isTheFirstOfTheSameFormat() throws {
    let (hd, sd) = (PixelSize(width: 1920, height: 1080), PixelSize(width: 720, height: 576))
    var (composition, catalog) = try made([
      ("a", 25, hd, false), ("b", 25, sd, false), ("c", 25, sd, true), ("d", 50, hd, false),
    ])
    func found(_ name: String) throws -> TrackID? {
      try composition.compatibleTrackID(for: .custom(name: name), mediaType: .video, catalog: catalog)
    }
    #expect(try ["a", "b", "c", "d"].map(found) == [1, 2, 3, 1], "the rate does not matter")
    try composition.insert(SourceRange(.custom(name: "b"), timeRange: .seconds(0, 1)), at: .invalid, inTrack: 1)
    #expect(try found("a") == 4, "a track of mixed formats fits none")
    try composition.removeTrack(3)
    #expect(try found("c") == nil)
    let empty = composition.addTrack(.video)
    try composition.insertEmpty(.seconds(0, 1), inTrack: empty)
    #expect(try found("c") == empty && found("b") == 2)
    let error = #expect(throws: CompositorError.self) {
      try composition.compatibleTrackID(for: .custom(name: "a"), mediaType: .audio, catalog: catalog)
    }
    #expect(error?.code == .trackNotFound)
  }

  /// The edit is taken apart while it is exported: the file is that of the edit as it was.
  @Test(.enabled(if: hasFFmpeg)) func export_whileItsEditChanges_isOfTheEditAsItWas() async throws {
    let folder = try TemporaryFolder()
    var test = TestEdit()
    test.catalog.provide(MemoryMedia(frameCount: 9000, decodingMicroseconds: 500), as: "a")
    let track = try test.addTrack([("a", .seconds(0, 4), .seconds(0, 4))])
    test.instructions = [Instruction(timeRange: .seconds(0, 4), layers: [LayerInstruction(trackID: track)])]
    let settings = ExportSettings(video: VideoEncodingSettings(codec: .ffv1))
    _ = try await Exporter.export(test.validated(), to: folder.file("before.mkv"), settings: settings)
    var edit = test.edit
    let composition = try CompositionValidator.validate(edit, catalog: test.catalog).get()
    let path = folder.file("during.mkv")
    async let result = Exporter.export(composition, to: path, settings: settings)
    for second in 0..<3 {
      try edit.composition.remove(.seconds(0, 1), inTrack: track)
      try edit.videoComposition.instructions[0].layers[0].opacity.set(0, at: .seconds(Int64(second)))
      await Task.yield()
    }
    try edit.composition.removeTrack(track)
    edit.videoComposition.instructions = []
    #expect(try await result.frameCount == 120)
    func pictures(_ name: String) throws -> String {
      try runTool("ffmpeg", ["-v", "error", "-i", folder.file(name), "-f", "framemd5", "-"])
    }
    #expect(try pictures("during.mkv") == pictures("before.mkv"))
    #expect(composition.edit.composition.track(track) != nil && edit.composition.tracks.isEmpty)
  }
}
