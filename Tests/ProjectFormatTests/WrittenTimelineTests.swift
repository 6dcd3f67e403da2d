import CompositorAPI
import CompositorMediaIO
import CompositorProjectFormat
import CompositorTimeline
import Foundation
import Testing

/// Timelines that are written as projects are read back equal, or are refused where a project cannot hold them.
@Suite struct WrittenTimelineTests {
  /// Whether a project's timeline is known without its media, and whether it holds media that only the project describes.
  private static func isWritable(_ project: ProjectFile) -> Bool {
    let hasTitleAssets = project.assets.values.contains { if case .custom = $0 { true } else { false } }
    return !hasTitleAssets && project.output.size != nil && project.output.frameRate != nil && project.output.preset == nil
  }

  private static func readBack(_ timeline: Timeline) throws -> Timeline {
    let folder = FileManager.default.temporaryDirectory.appending(path: "written-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "cut.json5").path
    try timeline.write(to: path)
    return try Timeline(contentsOf: path)
  }

  @Test func projects_ofTheRepository_areReadBackEqual() throws {
    var count = 0
    for url in try ProjectExamplesTests.everyProject() {
      guard Self.isWritable(try ProjectFile(contentsOf: url.path)) else { continue }
      let timeline = try Timeline(contentsOf: url.path)
      guard timeline.titles.allSatisfy({ $0.stretch == nil }) else { continue }
      let copy = try Self.readBack(timeline)
      #expect(copy == timeline, "\(url.path)")
      count += 1
    }
    #expect(count >= 12)
  }

  @Test(arguments: ["docs/project-file.md", "docs/titles-cookbook.md", "docs/recipes.md", "docs/audio.md", "docs/effects.md"])
  func projects_ofTheDocuments_areReadBackEqual(_ page: String) throws {
    for text in try ProjectExamplesTests.documented(page) {
      let project = try ProjectFile(text, name: page)
      guard Self.isWritable(project) else { continue }
      let timeline = try Timeline(of: project)
      guard timeline.titles.allSatisfy({ $0.stretch == nil }) else { continue }
      // Numbers that expressions compute are read as the short ones that they round to.
      let read = try Timeline(of: try ProjectFile(timeline.projectText()))
      #expect(TimelineDifference.path(from: timeline, to: read) == nil, "\(text)")
    }
  }

  /// Numbers and texts that have no short notation.
  @Test func values_withoutAShortNotation_areReadBackEqual() throws {
    var movie = Timeline(canvas: PixelSize(width: 640, height: 360), frameRate: Rational(30_000, 1001))
    movie.background = Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.5)
    movie.append(
      "a/b ${name} $${x}.mov", from: MediaTime(value: 1001, timescale: 90_000), for: .frames(7, at: Rational(24_000, 1001))
    ) {
      $0.opacity = .keyframes([
        Keyframe(time: .zero, value: 1.0 / 3, easing: .cubicBezier(x1: 0.1, y1: 0.2, x2: 0.3, y2: 1.4)),
        Keyframe(time: .seconds(0.033367), value: 0.30000000000000004),
      ])
      $0.speed = .ramp([Keyframe(time: .zero, value: 1.0 / 3), Keyframe(time: .seconds(1), value: 2.5)])
      $0.decoration = ClipDecoration()
      $0.motionBlur = MotionBlur(exposure: 1.0 / 60, samples: 8)
    }
    var spinning = Layer(text: "${not a variable}", size: 40)
    spinning.transform.rotationZ = .pi / 7
    spinning.opacity = 0.1 + 0.2
    spinning.timing.beginTime = 1.0 / 3
    spinning.animations = [
      .basic(.rotation, from: 0, to: .number(.pi / 3), timing: LayerTiming(beginTime: 0.1, duration: 1.0 / 24))
    ]
    movie.overlay(spinning, at: .frames(5, at: 30))
    let copy = try Self.readBack(movie)
    #expect(copy.tracks[0].clips[0].sourceStart == movie.tracks[0].clips[0].sourceStart)
    #expect(copy.tracks[0].clips[0].duration == movie.tracks[0].clips[0].duration)
    #expect(copy.tracks[0].clips[0].speed == movie.tracks[0].clips[0].speed)
    #expect(copy.background == movie.background)
    guard case .layer(let layer) = copy.titles[0].content, case .text(let text) = layer.content else {
      Issue.record("the layer is lost")
      return
    }
    #expect(text.runs.map(\.text) == ["${not a variable}"])
    #expect(abs(layer.transform.rotationZ - .pi / 7) < 1e-15 && layer.timing.beginTime == 1.0 / 3)
  }

  /// What is in a timeline, and the place at which it is refused.
  @Test func timelines_thatNoProjectHolds_areRefusedAtTheirPlace() throws {
    func place(_ change: (inout Timeline) -> Void) -> String? {
      var movie = Timeline(canvas: PixelSize(width: 64, height: 36), frameRate: 25)
      movie.append("a.mov", for: .seconds(2))
      change(&movie)
      do throws(CompositorError) {
        _ = try movie.projectText()
        return nil
      } catch {
        return error.code == .invalidValue ? error.location.path : "\(error)"
      }
    }
    #expect(place { _ in } == nil)
    #expect(place { $0.append(.custom(name: "camera"), for: .seconds(1)) } == "assets.camera")
    #expect(place { $0.captions = [TimelineCaptions([])] } == "captions[0].content")
    #expect(place { $0.ends = .shortest } == "ends")
    #expect(place { $0.output.pixelAspectRatio = Rational(4, 3) } == "output.pixelAspectRatio")
    #expect(place { $0.tracks[0].clips[0].volume = .constant(20) } == "tracks[0].clips[0].volume")
    #expect(place { $0.tracks[0].clips[0].start = MediaTime(value: -1, timescale: 2) } == "tracks[0].clips[0].at")
    #expect(place { $0.frameRate = Rational(2997, 100) } == "frameRate")
    #expect(place { $0.tracks = [] } == "tracks")
    #expect(
      place { $0.tracks[0].clips[0].effects = [TimelineEffectUse("org.example.x", parameters: ["data": .data([1])])] }
        == "tracks[0].clips[0].effects[0].data")
    let stretched = place { movie in
      movie.titles = [TimelineTitle(.title("a"))]
      movie.titles[0].stretch = TimeStretch(start: 1, end: 1, duration: 4)
    }
    #expect(stretched == "titles[0].stretch")
  }

  @Test func paths_inAnotherFolder_areOfTheSameFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "paths-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var movie = Timeline(canvas: PixelSize(width: 64, height: 36), frameRate: 25)
    movie.append(.file(path: folder.appending(path: "media/inside.mov").path), for: .seconds(1))
    movie.append("outside.mov", for: .seconds(1))
    let path = folder.appending(path: "cut.json5").path
    try movie.write(to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("\"media/inside.mov\""))
    let outside = MediaSource.file(path: "\(FileManager.default.currentDirectoryPath)/outside.mov")
    #expect(try Timeline(contentsOf: path).tracks[0].clips.map(\.source) == [movie.tracks[0].clips[0].source, outside])
    #expect(throws: CompositorError.self) { try movie.write(to: path) }
    movie.tracks[0].clips.removeLast()
    try movie.write(to: path, overwriting: true)
    #expect(try Timeline(contentsOf: path) == movie)
  }

  /// Names that a project would read as those of other files are written whole.
  @Test(arguments: ["take:1.mp4", "/clip.mp4", "a/b:c.mov", "ab:c/d.mov", "12:30.mov"])
  func paths_thatLookLikeOthers_areOfTheSameFiles(_ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "paths-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var movie = Timeline(canvas: PixelSize(width: 64, height: 36), frameRate: 25)
    movie.append(.file(path: folder.path + "/" + name), for: .seconds(1))
    let path = folder.appending(path: "cut.json5").path
    try movie.write(to: path)
    let read = try Timeline(contentsOf: path).tracks[0].clips[0].source
    #expect(read == .file(path: folder.path + "/" + name), "\(read)")
    // Writing over it is possible again, and over what can't be read it is refused with the reason.
    try movie.write(to: path, overwriting: true)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = #expect(throws: CompositorError.self) { try movie.write(to: path, overwriting: true) }
    #expect(error?.code != .outputExists, "\(String(describing: error))")
  }

  @Test func timeline_isCodable() throws {
    var movie = Timeline(canvas: PixelSize(width: 640, height: 360), frameRate: Rational(24_000, 1001))
    movie.append("a.mov", from: .seconds(2), for: .seconds(5))
    movie.append("b.mov", for: MediaTime(value: 1, timescale: 3), transition: .push(.up, .frames(3, at: 24), easing: .easeIn))
    movie.overlay(.lowerThird("Ada Lovelace", role: "Mathematician"), at: .seconds(0.5), for: .seconds(4))
    let data = try JSONEncoder().encode(movie)
    #expect(try JSONDecoder().decode(Timeline.self, from: data) == movie)
  }

  @Test func shapeWithoutFill_isEncodedAsSuch() throws {
    var shape = ShapeContent(ShapePath(), fill: nil)
    shape.strokeColor = .white
    #expect(try JSONDecoder().decode(ShapeContent.self, from: JSONEncoder().encode(shape)) == shape)
  }
}
