import BuiltinCompositors
import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import CompositorTestMedia
import Testing

/// Timelines over media that is only described.
@Suite struct ProjectTimelineTests {
  static let canvas = PixelSize(width: 1280, height: 720)
  static func seconds(_ value: Int64, _ timescale: Int32 = 1) -> MediaTime { MediaTime(value: value, timescale: timescale) }

  static func media(_ seconds: Int64 = 5, size: PixelSize = canvas, sound: Bool = true) -> ClipMedia {
    ClipMedia(
      picture: .init(shape: SourcePlacement(size: size), end: MediaTime(value: seconds, timescale: 1)), hasAudio: sound,
      audioEnd: MediaTime(value: seconds, timescale: 1))
  }

  static func clip(_ name: String, transition: Transition? = nil) -> TimelineClip {
    TimelineClip(.file(path: name), transition: transition)
  }

  static func timeline(_ tracks: [TimelineTrack]) -> Timeline {
    var timeline = Timeline(canvas: canvas, frameRate: Rational(25, 1))
    timeline.tracks = tracks
    return timeline
  }

  /// Apple's sample loses one transition where it should lose two, and is wrong from the third clip on. Ours is checked
  /// against arithmetic for any number of clips.
  @Test(arguments: 1...5, [Transition.Kind.dissolve, .push(.left)])
  func instructions_clipsWithTransitions_areContiguousAndRight(_ count: Int, _ kind: Transition.Kind) throws {
    let transition = Transition(kind, duration: Self.seconds(2))
    let clips = (0..<count).map { Self.clip("\($0).mp4", transition: $0 == 0 ? nil : transition) }
    let edit = try Self.timeline([TimelineTrack(clips: clips)]).edit { _ in Self.media() }
    let instructions = edit.videoComposition.instructions

    #expect(edit.composition.duration == Self.seconds(Int64(5 * count - 2 * (count - 1))))
    #expect(instructions.count == 2 * count - 1)
    #expect(instructions.first?.timeRange.start == .zero)
    #expect(instructions.last?.timeRange.end == edit.composition.duration)
    for (first, second) in zip(instructions, instructions.dropFirst()) {
      #expect(first.timeRange.end == second.timeRange.start)
    }
    for (index, instruction) in instructions.enumerated() {
      // Clip k starts at 3k; even instructions show one clip, odd ones two.
      let start = index % 2 == 0 ? 3 * (index / 2) + (index == 0 ? 0 : 2) : 3 * (index / 2 + 1)
      #expect(instruction.timeRange.start == Self.seconds(Int64(start)))
      #expect(instruction.layers.count == (index % 2 == 0 ? 1 : 2))
    }
    let video = edit.composition.tracks(.video)
    #expect(video.count == min(2, count))
    #expect(edit.composition.tracks(.audio).count == min(2, count))
  }

  @Test func dissolve_sameArea_fadesTheNewPictureInOnTop() throws {
    let edit = try Self.timeline([
      TimelineTrack(clips: [
        Self.clip("a"), Self.clip("b", transition: Transition(.dissolve, duration: Self.seconds(2))),
      ])
    ]).edit { _ in Self.media() }
    let layers = edit.videoComposition.instructions[1].layers
    #expect(layers.map(\.trackID) == [2, 1])
    #expect(layers[0].opacity.value(at: Self.seconds(3)) == 0)
    #expect(layers[0].opacity.value(at: Self.seconds(4)) == 0.5)
    #expect(layers[0].opacity.ramps.count == 1)
    #expect(layers[1].opacity.isConstant)
    #expect(layers.allSatisfy { $0.transform.isConstant })
  }

  /// A narrow picture that fades in over a wide one would leave the wide one's sides standing until the last frame.
  @Test func dissolve_toNarrowerPicture_fadesTheOldOneOutOnTop() throws {
    let edit = try Self.timeline([
      TimelineTrack(clips: [
        Self.clip("wide"), Self.clip("narrow", transition: Transition(.dissolve, duration: Self.seconds(2))),
      ])
    ]).edit { clip in
      Self.media(size: clip.source == .file(path: "narrow") ? PixelSize(width: 640, height: 480) : Self.canvas)
    }
    let layers = edit.videoComposition.instructions[1].layers
    #expect(layers.map(\.trackID) == [1, 2])
    #expect(layers[0].opacity.value(at: Self.seconds(4)) == 0.5)
    #expect(layers[0].opacity.ramps[0].start == 1)
    #expect(layers[1].opacity.isConstant)
  }

  @Test(arguments: Transition.Direction.allCases)
  func push_everyDirection_movesBothPicturesTogether(_ direction: Transition.Direction) throws {
    let edit = try Self.timeline([
      TimelineTrack(clips: [
        Self.clip("a"), Self.clip("b", transition: Transition(.push(direction), duration: Self.seconds(2))),
      ])
    ]).edit { _ in Self.media() }
    let layers = edit.videoComposition.instructions[1].layers
    let (new, old) = (layers[0].transform, layers[1].transform)
    for step in 0...8 {
      let time = Self.seconds(12 + Int64(step), 4)
      let (a, b) = (old.value(at: time), new.value(at: time))
      let distance = max(abs(a.tx - b.tx), abs(a.ty - b.ty))
      #expect(distance == (abs(a.tx - b.tx) > 0 ? 1280 : 720))
    }
    #expect(old.value(at: Self.seconds(3)) == .identity)
    #expect(new.value(at: Self.seconds(5)) == .identity)
  }

  @Test func pictureInPicture_laterTrack_liesOnTopAndMoves() throws {
    var inset = Self.clip("pip")
    inset.start = Self.seconds(1)
    inset.duration = Self.seconds(2)
    inset.placement = .keyframes([
      Keyframe(time: .zero, value: ClipPlacement(x: 200, y: 100, scale: 0.25)),
      Keyframe(time: Self.seconds(2), value: ClipPlacement(x: 1000, y: 100, scale: 0.25)),
    ])
    let edit = try Self.timeline([TimelineTrack(clips: [Self.clip("main")]), TimelineTrack(clips: [inset])])
      .edit { _ in Self.media() }
    let instructions = edit.videoComposition.instructions
    #expect(instructions.map(\.layers.count) == [1, 2, 1])
    let layer = instructions[1].layers[0]
    #expect(layer.trackID == 2)
    #expect(layer.transform.value(at: Self.seconds(1)).apply(to: Point(x: 640, y: 360)) == Point(x: 200, y: 100))
    #expect(layer.transform.value(at: Self.seconds(2)).apply(to: Point(x: 640, y: 360)) == Point(x: 600, y: 100))
    #expect(layer.transform.ramps.count == 1)
  }

  @Test func rotation_ramp_keepsThePicturesSize() throws {
    var clip = Self.clip("a")
    clip.placement = .keyframes([
      Keyframe(time: .zero, value: ClipPlacement()),
      Keyframe(time: Self.seconds(4), value: ClipPlacement(rotationDegrees: 180)),
    ])
    let edit = try Self.timeline([TimelineTrack(clips: [clip])]).edit { _ in Self.media() }
    let transform = edit.videoComposition.instructions[0].layers[0].transform
    for frame in 0..<100 {
      let matrix = transform.value(at: Self.seconds(Int64(frame), 25))
      #expect(abs(matrix.determinant - 1) < 1e-4)
      let angle = Double(frame) / 100 * .pi
      let exact = AffineMatrix.rotation(radians: angle)
      #expect(abs(matrix.a - exact.a) < 1e-4 && abs(matrix.b - exact.b) < 1e-4)
    }
  }

  @Test(arguments: [
    // Quarter turns of a 320×240 picture with pixels twice as wide as high: 640×240 on screen, 240×640 upright.
    (AffineMatrix(a: 0, b: 1, c: -1, d: 0, tx: 240, ty: 0), PixelSize(width: 320, height: 240)),
    (AffineMatrix(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 640), PixelSize(width: 320, height: 240)),
    (AffineMatrix(a: -1, b: 0, c: 0, d: 1, tx: 0, ty: 0), PixelSize(width: 120, height: 640)),
  ])
  func geometry_orientedMedia_isUprightAndFitted(_ orientation: AffineMatrix, _ size: PixelSize) throws {
    let shape = SourcePlacement(size: size, pixelAspectRatio: Rational(2, 1), preferredTransform: orientation)
    let picture = ClipMedia.Picture(shape: shape, end: Self.seconds(1))
    let geometry = PictureGeometry(picture, fit: .fit, canvas: Self.canvas)
    #expect(geometry.uprightSize == Size(width: 240, height: 640))
    let box = geometry.matrix(ClipPlacement()).boundingBox(of: Rect(origin: .zero, size: shape.displaySize))
    #expect(abs(box.minX - 505) < 1e-9 && abs(box.size.width - 270) < 1e-9)
    #expect(abs(box.minY) < 1e-9 && abs(box.size.height - 720) < 1e-9)
    let crop = geometry.storedCrop(Rect(x: 0, y: 0, width: 240, height: 320))
    let shown = geometry.upright.boundingBox(of: crop)
    #expect(shown == Rect(x: 0, y: 0, width: 240, height: 320))
  }

  @Test func fades_overlappingKeyframes_areExactAtEveryFrame() throws {
    var old = Self.clip("a")
    old.opacity = .keyframes([Keyframe(time: .zero, value: 1), Keyframe(time: Self.seconds(5), value: 0.5)])
    var new = Self.clip("b", transition: Transition(.dissolve, duration: Self.seconds(2)))
    new.opacity = .keyframes([Keyframe(time: .zero, value: 0.25), Keyframe(time: Self.seconds(2), value: 1)])
    let edit = try Self.timeline([TimelineTrack(clips: [old, new])]).edit { _ in Self.media() }
    let layer = try #require(edit.videoComposition.instructions[1].layers.first { $0.trackID == 2 })
    for frame in 75..<125 {
      let t = (Double(frame) / 25 - 3) / 2
      #expect(abs(layer.opacity.value(at: Self.seconds(Int64(frame), 25)) - t * (0.25 + 0.75 * t)) < 1e-12)
    }
  }

  @Test func naturalDuration_partOfAFrame_startsTheNextClipOnTheNextFrame() throws {
    var timeline = Self.timeline([TimelineTrack(clips: [Self.clip("a"), Self.clip("b")])])
    timeline.frameRate = Rational(30000, 1001)
    let edit = try timeline.edit { _ in
      ClipMedia(picture: .init(shape: SourcePlacement(size: Self.canvas), end: Self.seconds(964, 100)))
    }
    // 9.64 s are 288.9 frames and 19.28 s 577.8: boundaries are rounded up, and roundings do not add up.
    #expect(edit.composition.duration == Self.seconds(578 * 1001, 30000))
    #expect(edit.videoComposition.instructions[1].timeRange.start == Self.seconds(289 * 1001, 30000))
    #expect(edit.composition.tracks(.video)[0].segments[1].timeMapping.source.start == .zero)
  }

  @Test func naturalDuration_millisecondTimestamps_doNotLoseTheLastFrame() throws {
    var timeline = Self.timeline([TimelineTrack(clips: [Self.clip("a")])])
    timeline.frameRate = Rational(24000, 1001)
    let edit = try timeline.edit { _ in
      ClipMedia(picture: .init(shape: SourcePlacement(size: Self.canvas), end: Self.seconds(500, 1000)))
    }
    #expect(edit.composition.duration == Self.seconds(12 * 1001, 24000))
  }

  @Test func effect_insideAClip_splitsItsInstruction() throws {
    var timeline = Self.timeline([TimelineTrack(clips: [Self.clip("a")])])
    timeline.effects = [
      TimelineEffect(
        timeRange: TimeRange(start: Self.seconds(1), duration: Self.seconds(2)), compositor: "org.example.glow",
        parameters: ["amount": .number(0.5)])
    ]
    let instructions = try timeline.edit { _ in Self.media() }.videoComposition.instructions
    #expect(instructions.map(\.compositor) == [.layer, "org.example.glow", .layer])
    #expect(instructions[1].timeRange == TimeRange(start: Self.seconds(1), duration: Self.seconds(2)))
    #expect(instructions[1].parameters == ["amount": .number(0.5)])
  }

  @Test func customTransition_underAnotherTrack_isRefusedWithItsPlace() throws {
    let transition = Transition(.compositor("org.example.wipe", [:]), duration: Self.seconds(1))
    let lower = TimelineTrack(clips: [Self.clip("a"), Self.clip("b", transition: transition)])
    let alone = try Self.timeline([lower]).edit { _ in Self.media() }.videoComposition.instructions[1]
    #expect(alone.compositor == "org.example.wipe")
    #expect(alone.requiredTrackIDs == [1, 2])
    let error = try #require(throws: CompositorError.self) {
      _ = try Self.timeline([lower, TimelineTrack(clips: [Self.clip("c")])]).edit { _ in Self.media() }
    }
    #expect(error.location.path == "tracks[0].clips[1]")
  }

  @Test(arguments: [
    ("short", "less than both"), ("first", "needs a clip before it"),
    ("endless", "has no end of its own"), ("overlap", "before the clip before it ends"), ("beyond", "s left"),
    ("over", "of its media, which ends at"), ("early", "With its transition the clip must start at"),
  ])
  func place_impossibleClip_isRefusedWithItsPlace(_ kind: String, _ reason: String) throws {
    let dissolve = Transition(.dissolve, duration: Self.seconds(3))
    var clips = [Self.clip("a"), Self.clip("b"), Self.clip("c")]
    switch kind {
    case "short": (clips[1].transition, clips[2].transition) = (dissolve, dissolve)
    case "first": clips[0].transition = dissolve
    case "endless": break
    case "overlap": clips[1].start = Self.seconds(4)
    case "early": (clips[1].start, clips[1].transition) = (Self.seconds(1), Transition(.dissolve, duration: Self.seconds(1)))
    case "beyond": clips[1].duration = Self.seconds(6)
    default: clips[1].sourceStart = Self.seconds(7)
    }
    let error = try #require(throws: CompositorError.self) {
      _ = try Self.timeline([TimelineTrack(clips: clips)]).edit { _ in
        kind == "endless" ? ClipMedia(picture: .init(shape: SourcePlacement(size: Self.canvas), end: nil)) : Self.media()
      }
    }
    #expect(error.location.path?.hasPrefix("tracks[0].clips[") == true)
    #expect(error.message.contains(reason), "\(error.message)")
  }

  /// Whatever a timeline is made of, its instructions meet, cover it, and pass the validator's own rules of time.
  @Test func instructions_randomTimelines_alwaysMeet() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let tracks = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        TimelineTrack(
          clips: (0..<Int.random(in: 1...6, using: &generator)).map { index in
            var clip = Self.clip("\(index)")
            clip.duration = Self.seconds(Int64.random(in: 60...120, using: &generator), 30)
            if index > 0, Bool.random(using: &generator) {
              clip.transition = Transition(
                Bool.random(using: &generator) ? .dissolve : .push(.up),
                duration: Self.seconds(Int64.random(in: 1...24, using: &generator), 25))
            }
            return clip
          })
      }
      let edit = try Self.timeline(tracks).edit { _ in Self.media() }
      let instructions = edit.videoComposition.instructions
      #expect(instructions.first?.timeRange.start == .zero)
      #expect(instructions.last?.timeRange.end == edit.composition.duration)
      for (first, second) in zip(instructions, instructions.dropFirst()) {
        #expect(first.timeRange.end == second.timeRange.start)
        #expect(first.timeRange.duration > .zero)
      }
    }
  }
}
