import CompositorAPI
import CompositorMedia
import CompositorMediaIO
import Foundation

/// Edits that diagrams are drawn of.
enum Edits {
  /// A composition whose tracks hold one clip after another, and its instructions.
  static func clips(_ count: Int, of duration: MediaTime, name: (Int) -> String = { "clip \($0).mov" }) throws -> Edit {
    var composition = Composition()
    let tracks = [composition.addTrack(.video), composition.addTrack(.video)]
    let audio = composition.addTrack(.audio)
    var segments: [[CompositionTrackSegment]] = [[], []]
    var sound: [CompositionTrackSegment] = []
    var instructions: [Instruction] = []
    var time = MediaTime.zero
    for index in 0..<count {
      let target = TimeRange(start: time, duration: duration)
      let clip = CompositionTrackSegment(
        source: .file(path: "/media/\(name(index))"),
        timeMapping: TimeMapping(source: TimeRange(start: .seconds(2), duration: duration), target: target))
      segments[index % 2].append(clip)
      segments[1 - index % 2].append(CompositionTrackSegment(empty: target))
      sound.append(clip)
      var instruction = Instruction(timeRange: target)
      if index % 3 == 0 {
        instruction.content = .passthrough(tracks[index % 2])
      } else {
        var layer = LayerInstruction(trackID: tracks[index % 2])
        try layer.opacity.setRamp(from: 1, to: 0.25, timeRange: target)
        instruction.layers = [layer]
      }
      instructions.append(instruction)
      time = target.end
    }
    for (track, segments) in zip(tracks, segments) { try composition.setSegments(segments, ofTrack: track) }
    try composition.setSegments(sound, ofTrack: audio)
    return Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: instructions, frameDuration: MediaTime(value: 1, timescale: 25),
        renderSize: PixelSize(width: 1280, height: 720)))
  }

  /// Three clips of 5 s with transitions of 2 s, whose second pass-through begins after one transition and does not end before the next: the
  /// fourth instruction starts at 6 s where the third ends at 8 s.
  static func faultyEditor() throws -> Edit {
    var composition = Composition()
    let tracks = [composition.addTrack(.video), composition.addTrack(.video)]
    func clip(_ name: String, at start: Int) -> CompositionTrackSegment {
      CompositionTrackSegment(
        source: .file(path: "/media/\(name)"),
        timeMapping: TimeMapping(
          source: TimeRange(start: .zero, duration: .seconds(5)),
          target: TimeRange(start: .seconds(start), duration: .seconds(5))))
    }
    func gap(_ start: Int, _ end: Int) -> CompositionTrackSegment {
      CompositionTrackSegment(empty: .seconds(start) ..< .seconds(end))
    }
    try composition.setSegments([clip("a.mov", at: 0), gap(5, 6), clip("c.mov", at: 6)], ofTrack: tracks[0])
    try composition.setSegments([gap(0, 3), clip("b.mov", at: 3)], ofTrack: tracks[1])
    func passThrough(_ track: Int, _ start: Int, _ end: Int) -> Instruction {
      Instruction(timeRange: .seconds(start) ..< .seconds(end), passthroughTrackID: tracks[track])
    }
    func transition(_ from: Int, _ start: Int, _ end: Int) throws -> Instruction {
      var front = LayerInstruction(trackID: tracks[from])
      try front.opacity.setRamp(from: 1, to: 0, timeRange: .seconds(start) ..< .seconds(end))
      return Instruction(
        timeRange: .seconds(start) ..< .seconds(end), layers: [front, LayerInstruction(trackID: tracks[1 - from])])
    }
    let instructions = [
      passThrough(0, 0, 3), try transition(0, 3, 5), passThrough(1, 5, 8), try transition(1, 6, 8), passThrough(0, 8, 11),
    ]
    return Edit(
      composition: composition,
      videoComposition: VideoComposition(
        instructions: instructions, frameDuration: MediaTime(value: 1, timescale: 30),
        renderSize: PixelSize(width: 1280, height: 720)))
  }

  /// A catalog that knows every source: an hour of video and audio.
  static var catalog: MediaCatalog {
    MediaCatalog { source in
      let range = TimeRange(start: .zero, duration: .seconds(36_000))
      return MediaInfo(
        source: source, container: "mov", duration: range.duration,
        videoTracks: [
          VideoTrackInfo(
            index: 0, codec: "h264", size: PixelSize(width: 1280, height: 720), format: .yuv420p, attributes: FrameAttributes(),
            nominalFrameRate: Rational(30, 1), timeRange: range)
        ],
        audioTracks: [AudioTrackInfo(index: 0, codec: "aac", sampleRate: 48_000, channelCount: 2, timeRange: range)])
    }
  }
}

/// The repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// Whether Chromium is there.
let hasChromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}
