import Compositor
import CompositorTestSupport
import Foundation
import Testing

/// The editor of `Examples/Editor` on movies whose frames carry their numbers and whose audio is a tone of each clip's own.
@Suite(.enabled(if: hasFFmpeg)) struct SimpleEditTests {
  /// Clips of 16 to 21 frames at 25 frames a second, mixed for 5 of them; in all no more frames than a number has bits for.
  private struct Material {
    static let mixed = 5
    static let amplitude = 0.4
    let paths: [String]
    let lengths: [Int]
    /// The number of each clip's first frame, and of each clip's first frame in the movie.
    let (firsts, starts): ([Int], [Int])
    var frameCount: Int { starts.last.map { $0 + (lengths.last ?? 0) } ?? 0 }

    init(_ count: Int, in folder: borrowing TemporaryFolder) throws {
      lengths = (0..<count).map { 16 + $0 * 7 % 6 }
      var (paths, firsts, starts) = ([String](), [Int](), [Int]())
      for (index, length) in lengths.enumerated() {
        let path = folder.file("clip\(index).mp4")
        let first = index * 20
        starts.append(index == 0 ? 0 : starts[index - 1] + lengths[index - 1] - Self.mixed)
        try NumberedMovie.make(
          path, count: length, first: first, rate: "25",
          options: ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "6", "-c:a", "aac", "-b:a", "160k"],
          audio: "\(Self.amplitude)*sin(2*PI*\(Int(Self.tone(index)))*t)")
        paths.append(path)
        firsts.append(first)
      }
      (self.paths, self.firsts, self.starts) = (paths, firsts, starts)
    }

    /// The tones of neighbors are far enough apart to be measured one beside the other.
    static func tone(_ index: Int) -> Double { 500 + 500 * Double(index % 5) }

    /// The brightness of ten bars in a frame of the movie, by what each clip says alone.
    func bars(inFrame frame: Int) -> [Double] {
      let shown = starts.indices.filter { (starts[$0]..<starts[$0] + lengths[$0]).contains(frame) }
      let single = shown.map { index in
        (0..<10).map { (firsts[index] + frame - starts[index]) >> $0 & 1 == 1 ? 235.0 : 16.0 }
      }
      guard single.count == 2 else { return single.first ?? [] }
      let share = Double(frame - starts[shown[1]]) / Double(Self.mixed)
      return zip(single[0], single[1]).map { $0 + ($1 - $0) * share }
    }
  }

  /// The brightness of the bars in each frame, as ffmpeg decodes them.
  private static func bars(_ path: String) throws -> [[Double]] {
    let (width, height) = (NumberedMovie.width, NumberedMovie.height)
    let data = try runProgram(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-map", "0:v:0", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
    return stride(from: 0, to: data.count - width * height * 3 / 2 + 1, by: width * height * 3 / 2).map { start in
      (0..<10).map { Double(data[data.startIndex + start + width * (height / 2) + $0 * 16 + 8]) }
    }
  }

  /// `make test` edits twenty clips at most.
  @Test(arguments: [1, 2, 3, 7, TableSelection.isWhole ? 50 : 20])
  func edit_ofAnyNumberOfClips_isValidAndRightAtEachBoundary(_ count: Int) async throws {
    let folder = try TemporaryFolder()
    let material = try Material(count, in: folder)
    let simple = try SimpleEdit(material.paths.map { .file(path: $0) }, transition: .frames(Material.mixed, at: 25))
    let edit = try simple.edit()
    #expect(await edit.validate().isEmpty)
    #expect(edit.videoComposition.instructions.count == 2 * count - 1)
    let path = folder.file("movie.mkv")
    let result = try await edit.export(
      to: path,
      settings: ExportSettings(video: VideoEncodingSettings(codec: .ffv1), audio: AudioEncodingSettings(codec: .pcmFloat32)))
    #expect(result.frameCount == material.frameCount)

    let found = try Self.bars(path)
    try #require(found.count == material.frameCount)
    for frame in found.indices {
      let expected = material.bars(inFrame: frame)
      let difference = zip(found[frame], expected).map { abs($0 - $1) }.max() ?? 255
      #expect(difference < 4, "frame \(frame): \(found[frame]) instead of \(expected)")
    }

    let audio = try DecodedAudio(path)
    // AAC is not the same at its beginning: what a ramp is compared with is the clip itself, as it is heard alone.
    let sources = try material.paths.map { try DecodedAudio($0) }
    let (window, length) = (0.02, Double(Material.mixed) / 25)
    for (index, start) in material.starts.enumerated().dropFirst() {
      let boundary = Double(start) / 25
      for share in [-0.1, 0.1, 0.25, 0.5, 0.75, 0.9, 1.1] {
        let time = boundary + share * length - window / 2
        let gains = [1 - share, share].map { min(max($0, 0), 1) }
        for (clip, gain) in zip([index - 1, index], gains) {
          let level = audio.amplitude(of: Material.tone(clip), at: time, over: window)
          let alone = sources[clip].amplitude(
            of: Material.tone(clip), at: max(0, time - Double(material.starts[clip]) / 25), over: window)
          // What is silent is silent; anything else is within 0.3 dB.
          #expect(
            gain == 0 ? level < 0.004 : alone > 0.3 && abs(20 * log10(level / (gain * alone))) < 0.3,
            "clip \(clip) at \(share) of transition \(index - 1): \(level) instead of \(gain) of \(alone)")
        }
      }
    }
  }

  // MARK: refused and odd clips

  private static func clock(_ seconds: Double, tone: Double? = 440, _ width: Int = 160, _ height: Int = 90) -> MediaSource {
    .generated(
      GeneratedSource(
        pattern: .clock, size: PixelSize(width: width, height: height), frameRate: 25, duration: .seconds(seconds),
        toneFrequency: tone))
  }

  @Test(arguments: [
    ([5.0, 1.92, 5.0], 1, "two transitions", 0.96), ([0.88, 5.0], 0, "its transition of", 0.88),
    ([5.0, 5.0, 0.5], 2, "its transition of", 0.48),
  ])
  func clip_shorterThanItsTransitions_isRefusedByName(_ lengths: [Double], _ index: Int, _ words: String, _ most: Double) {
    let error = #expect(throws: CompositorError.self) {
      _ = try SimpleEdit(lengths.map { Self.clock($0) }, transition: .seconds(1))
    }
    #expect(
      error?.code == .invalidValue && error?.message.contains("Clip \(index) ") == true
        && error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(error?.recoverySuggestion?.contains("at most \(most) s") == true)
  }

  @Test func clip_exactlyAsLongAsItsTransitions_isNeverAlone() async throws {
    let simple = try SimpleEdit([5, 2, 5].map { Self.clock($0) }, transition: .seconds(1))
    #expect(simple.passThroughRanges[1].isEmpty)
    let edit = try simple.edit()
    #expect(edit.videoComposition.instructions.count == 4)
    #expect(await edit.validate().isEmpty)
  }

  @Test(arguments: [0.01, 0, -1, .nan])
  func transition_ofLessThanAFrame_isAHardCut(_ seconds: Double) async throws {
    let edit = try SimpleEdit([Self.clock(1), Self.clock(1)], transition: .seconds(seconds)).edit()
    #expect(edit.videoComposition.instructions.count == 2 && edit.composition.duration == .seconds(2))
    #expect(await edit.validate().isEmpty)
  }

  @Test func noClip_isRefused() {
    let error = #expect(throws: CompositorError.self) { _ = try SimpleEdit([], transition: .seconds(1)) }
    #expect(error?.code == .invalidValue)
  }

  /// Silent clips, other sizes, other rates and a movie that lies on its side, in one edit.
  @Test func clips_ofOtherKinds_goTogether() async throws {
    let folder = try TemporaryFolder()
    func make(_ name: String, _ options: [String]) throws -> MediaSource {
      try runProgram("ffmpeg", ["-v", "error", "-nostdin", "-f", "lavfi"] + options + [folder.file(name)])
      return .file(path: folder.file(name))
    }
    let tone = ["-f", "lavfi", "-i", "sine=440:d=2"]
    let small = try make("small.mp4", ["-i", "testsrc2=s=96x96:r=30000/1001:d=2"] + tone)
    let fast = try make("fast.mkv", ["-i", "testsrc2=s=320x180:r=50:d=1.5"])
    let turned = folder.file("turned.mp4")
    let upright = try make("upright.mp4", ["-i", "testsrc2=s=180x320:r=25:d=2"] + tone)
    try runProgram(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-display_rotation", "90", "-i", upright.description, "-c", "copy", turned], mayFail: true)
    let side: MediaSource =
      FileManager.default.fileExists(atPath: turned) ? .file(path: turned) : Self.clock(2, tone: nil, 90, 160)
    let simple = try SimpleEdit([Self.clock(2), small, fast, Self.clock(1, tone: nil), side], transition: .seconds(0.4))
    let edit = try simple.edit()
    // 29.97 and 50 frames a second in a movie of 25: the frames that are not shown of both are counted, and nothing else is said.
    #expect(await edit.validate().map(\.code) == [.mixedFrameRates, .mixedFrameRates])
    let result = try await edit.export(
      to: folder.file("o.mp4"), settings: ExportSettings(video: VideoEncodingSettings(speed: .ultrafast)))
    #expect(result.duration == edit.composition.duration)
    #expect(simple.canvas == PixelSize(width: 160, height: 90))
  }

  /// Cameras', encoders' and phones' own files: of other sizes, rates, codecs and shapes, some silent, one of variable rate, one a photo.
  private static let realFiles = [
    "carphone_pristine.mp4", "bear-vp9-odd-dimensions.webm", "sample_rotate_and_reflect.mp4", "Landscape_1.jpg", "sar_2x1.mp4",
    "sample.mkv", "VideoTrack_25_VFR_1sec.mov",
  ]

  private static func realEdit(_ count: Int) throws -> SimpleEdit {
    let folder = try #require(mediaFolder)
    let sources = (0..<count).map { MediaSource.file(path: folder.appending(path: realFiles[$0 % realFiles.count]).path) }
    return try SimpleEdit(sources, transition: .seconds(0.4))
  }

  @Test(.enabled(if: mediaFolder != nil), arguments: [1, 2, 3, 7, 50])
  func realClips_ofAnyNumber_areValid(_ count: Int) async throws {
    // The first three have 29.97 frames a second, the fifth has 25, which is said once of each track that has both; nothing else is.
    let codes = await (try Self.realEdit(count).edit()).validate().map(\.code)
    #expect(codes == Array(repeating: .mixedFrameRates, count: count < 5 ? 0 : count == 7 ? 1 : 2))
  }

  @Test(.enabled(if: mediaFolder != nil)) func realClips_areRenderedWhole() async throws {
    let folder = try TemporaryFolder()
    let simple = try Self.realEdit(7)
    let path = folder.file("real.mp4")
    try await simple.edit().export(to: path, settings: ExportSettings(video: VideoEncodingSettings(speed: .ultrafast)))
    // What the lengths say, less six transitions: frames of the first clip's rate.
    let transition = try #require(simple.timing.index(at: simple.transition))
    let lengths = simple.clips.compactMap { simple.timing.index(at: $0.mediaRange.duration) }
    let counted = try runTool(
      "ffprobe",
      [
        "-v", "error", "-count_packets", "-select_streams", "v", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0",
        path,
      ])
    #expect(Int(counted.filter(\.isNumber)) == lengths.reduce(0, +) - 6 * transition)
  }

  // MARK: the arithmetic that is only right for two clips

  /// Apple's sample takes one transition off each clip's pass-through range, also off those that have two neighbors.
  private static func seedArithmetic(_ count: Int) throws -> Edit {
    let simple = try SimpleEdit((0..<count).map { _ in clock(5) }, transition: .seconds(2))
    var edit = try simple.edit()
    for (index, clip) in simple.clips.enumerated() {
      var range = clip.timeRange
      if index > 0 { range.start += simple.transition }
      range.duration -= simple.transition
      edit.videoComposition.instructions[2 * index].timeRange = range
    }
    return edit
  }

  @Test func seedArithmetic_ofTwoClips_isValid() async throws {
    #expect(try await Self.seedArithmetic(2).validate().isEmpty)
  }

  @Test func seedArithmetic_ofThreeClips_namesTheFourthInstructionAndBothTimes() async throws {
    let edit = try Self.seedArithmetic(3)
    let instructions = edit.videoComposition.instructions
    #expect(
      instructions[2].timeRange == .seconds(5) ..< .seconds(8) && instructions[3].timeRange == .seconds(6) ..< .seconds(8))
    let diagnostics = await edit.validate()
    let overlap = try #require(diagnostics.first { $0.severity == .error })
    #expect(overlap.instruction == 3, "\(overlap)")
    #expect(overlap.expectedTime == .seconds(8) && overlap.foundTime == .seconds(6), "\(overlap)")
    #expect(diagnostics.count { $0.severity == .error } == 1, "\(diagnostics)")
  }
}
