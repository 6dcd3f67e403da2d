import CompositorTestSupport
import Foundation
import Testing

/// Movies whose frames come a little late, and movies of different rates one after another: each frame is shown.
@Suite(.enabled(if: hasFFmpeg)) struct UnsteadyMovieTests {
  private static let count = 100

  /// {which frames are late: one, every twelfth, every second} × {MP4 at 90 kHz and 600 Hz, Matroska, WebM}.
  static let lates = ["eq(N,20)", "eq(mod(N,12),11)", "mod(N,2)"]
  static let containers: [(name: String, options: [String])] = [
    ("late.mp4", ["-video_track_timescale", "90000"]), ("late.mov", ["-video_track_timescale", "600"]), ("late.mkv", []),
    ("late.webm", ["-c:v", "libvpx", "-b:v", "2M", "-auto-alt-ref", "0"]),
  ]

  @Test(arguments: lates, containers.indices) func lateFrames_areShown(_ late: String, _ index: Int) throws {
    let folder = try TemporaryFolder()
    let container = Self.containers[index]
    let path = folder.file(container.name)
    let filter = "settb=1/90000,setpts='(N/30+0.005*\(late))/TB'"
    try NumberedMovie.make(
      path, count: Self.count, rate: "30",
      options: ["-vf", filter, "-fps_mode", "passthrough", "-enc_time_base", "1/90000"] + container.options)
    let output = folder.file("o.mkv")
    for command in [["render", path], ["join", path, path]] {
      let result = try ToolRun.compositor(command + ["-o", output, "--codec", "ffv1", "--progress", "none", "--overwrite"])
      try #require(result.status == 0, "\(result.errors)")
      let once = Array(0..<Self.count)
      #expect(try NumberedMovie.numbers(output) == (command.count == 2 ? once : once + once), "\(result.errors)")
    }
  }

  /// {five rates} × {1 ms late, 3 ms late from 8 ms on}: each frame once, alone and in a second copy, whose phase is another.
  @Test(arguments: [("24000/1001", "3753.75"), ("25", "3600"), ("30000/1001", "3003"), ("50", "1800"), ("60", "1500")])
  func waveringFrames_ofEachRate_areShownInEveryCopy(_ rate: String, _ step: String) throws {
    let folder = try TemporaryFolder()
    let (path, output, once) = (folder.file("phone.mp4"), folder.file("o.mkv"), Array(0..<90))
    for (jitter, first) in [(91, 0), (271, 720)] {
      try NumberedMovie.make(
        path, count: 90, rate: rate,
        options: [
          "-vf", "settb=1/90000,setpts='floor(N*\(step))+mod(N*7919,\(jitter))+\(first)'", "-fps_mode", "passthrough",
          "-enc_time_base", "1/90000", "-bf", "0", "-video_track_timescale", "90000",
        ])
      for (input, copies) in [(["render", path], 1), (["join", path, path], 2)] {
        let result = try ToolRun.compositor(input + ["-o", output, "--codec", "ffv1", "--progress", "none", "--overwrite"])
        try #require(result.status == 0, "\(result.errors)")
        let expected = (0..<copies).flatMap { _ in once }
        #expect(try NumberedMovie.numbers(output) == expected, "\(input[0]) at \(rate), \(jitter) late: \(result.errors)")
      }
    }
  }

  /// {1, 4, 6 ms late} × {first frame at 0, 8 ms} of a phone's clock, alone, joined twice, in a loop, and cut at a frame: each frame is
  /// shown once in each copy.
  @Test(arguments: [91, 361, 541], [0, 720]) func waveringFrames_areShownInEveryCopy(_ jitter: Int, _ first: Int) throws {
    let folder = try TemporaryFolder()
    let (path, output, project) = (folder.file("phone.mp4"), folder.file("o.mkv"), folder.file("p.json5"))
    let filter = "settb=1/90000,setpts='\(first)+N*3000+mod(N*6271,\(jitter))'"
    try NumberedMovie.make(
      path, count: 90, rate: "30",
      options: [
        "-vf", filter, "-fps_mode", "passthrough", "-enc_time_base", "1/90000", "-bf", "0", "-video_track_timescale", "90000",
      ])
    let (once, clip) = (Array(0..<90), "{asset: 'a', in: '1s', duration: '1s'}")
    try "{version: 1, assets: {a: 'phone.mp4'}, output: {frameRate: 30}, tracks: [{clips: [{asset: 'a', loop: 3}, \(clip)]}]}"
      .write(toFile: project, atomically: true, encoding: .utf8)
    for (input, copies) in [(["render", path], 1), (["join", path, path], 2), (["render", project], 3)] {
      let result = try ToolRun.compositor(input + ["-o", output, "--codec", "ffv1", "--progress", "none", "--overwrite"])
      try #require(result.status == 0, "\(result.errors)")
      let numbers = try NumberedMovie.numbers(output)
      let expected = (0..<copies).flatMap { _ in once }
      #expect(Array(numbers.prefix(90 * copies)) == expected, "\(input[0]) of \(copies): \(result.errors)")
      guard copies == 3 else { continue }
      let cut = numbers.dropFirst(270)
      #expect(cut.count == 30 && zip(cut, cut.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(cut)")
    }
  }

  /// A movie at 30 frames a second before some at 30000/1001: their starts move to the output's frames, and the last frame of each is
  /// shown all the same.
  @Test func slowerMovies_afterAFasterOne_endWithTheirLastFrames() throws {
    let folder = try TemporaryFolder()
    let (fast, slow, output) = (folder.file("fast.mkv"), folder.file("slow.mov"), folder.file("o.mkv"))
    try NumberedMovie.make(fast, count: 90, rate: "30", options: [])
    try NumberedMovie.make(slow, count: 60, rate: "30000/1001", options: [])
    let result = try ToolRun.compositor(
      ["join", fast, slow, slow, slow, "-o", output, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let numbers = try NumberedMovie.numbers(output)
    for number in 0..<60 {
      #expect(numbers.dropFirst(90).count { $0 == number } >= 3, "frame \(number): \(numbers)")
    }
  }

  /// Frames that the output cannot show are counted by `join` as by `render`.
  @Test func framesThatAreNotShown_areNotedByJoin() throws {
    let folder = try TemporaryFolder()
    let (path, output) = (folder.file("late.mp4"), folder.file("o.mkv"))
    // Pairs of frames 3 ms apart, the pairs at a clock that wavers by up to 10 ms.
    let pair = "floor(N/2)/15+0.013*mod(floor(N/2)*7,5)/5"
    try NumberedMovie.make(
      path, count: 60, rate: "30",
      options: [
        "-vf", "settb=1/90000,setpts='(\(pair)+0.003*mod(N,2))/TB'", "-fps_mode", "passthrough", "-enc_time_base", "1/90000",
        "-video_track_timescale", "90000",
      ])
    let result = try ToolRun.compositor(["join", path, path, "-o", output, "--codec", "ffv1", "--progress", "none"])
    try #require(result.status == 0, "\(result.errors)")
    let missing = 60 - Set(try NumberedMovie.numbers(output)).count
    #expect(missing > 0 && result.errors.contains(" \(missing) of its frames are not shown"), "\(missing): \(result.errors)")
  }
}
