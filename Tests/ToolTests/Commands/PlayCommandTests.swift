import CompositorTestSupport
import Foundation
import Testing

/// `compositor play`, with players that are scripts.
@Suite(.enabled(if: hasFFmpeg)) struct PlayCommandTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try runTool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2:r=48000", "-c:v",
        "ffv1", "-c:a",
        "pcm_s16le", scratch.folder.appending(path: "in.mkv").path,
      ])
  }

  /// Puts a player of that name first on the path.
  private func play(_ arguments: [String], player: String = "ffplay", script: String, display: String = ":9") throws
    -> ToolRun.Result
  {
    let file = scratch.folder.appending(path: player)
    try Data("#!/bin/bash\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    let path = "\(scratch.folder.path):/usr/bin:/bin"
    return try ToolRun.compositor(
      ["play", "in.mkv"] + arguments, in: scratch.folder,
      environment: ["PATH": path, "DISPLAY": display, "WAYLAND_DISPLAY": ""])
  }

  @Test func player_getsTheWholeMovie_inTime() throws {
    let result = try play(["--player", "ffplay"], script: "cat > out.nut; echo \"$@\" > arguments.txt")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let streams = try ToolRun.streams(scratch.folder.appending(path: "out.nut"))
    #expect(streams.map { $0["codec_type"] } == ["video", "audio"])
    #expect(streams[0]["nb_read_frames"] == "50" && streams[0]["width"] == "320" && streams[0]["r_frame_rate"] == "25/1")
  }

  @Test func options_limitSizeAndRange_andLeaveAudioOut() throws {
    let result = try play(
      ["--player", "ffplay", "--from", "1.6s", "--size", "160x160", "--no-audio", "--rate", "0.25"],
      script: "cat > out.nut; echo \"$@\" > arguments.txt")
    #expect(result.status == 0, "\(result.errors)")
    let streams = try ToolRun.streams(scratch.folder.appending(path: "out.nut"))
    #expect(
      streams.count == 1 && streams[0]["nb_read_frames"] == "10" && streams[0]["width"] == "160"
        && streams[0]["height"] == "120")
    let arguments = try String(contentsOf: scratch.folder.appending(path: "arguments.txt"), encoding: .utf8)
    #expect(arguments.contains("setpts=PTS/0.25") && arguments.contains("atempo=0.5,atempo=0.5"))
  }

  @Test(arguments: ["mpv", "vlc"]) func player_isTheOneThatWasNamed(_ name: String) throws {
    let result = try play(["--player", name], player: name, script: "cat > out.nut; echo \"$@\" > arguments.txt")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try ToolRun.streams(scratch.folder.appending(path: "out.nut")).count == 2)
  }

  /// A window that is closed early ends the command as if the film had ended.
  @Test func closedWindow_isNoError() throws {
    let result = try play(["--player", "ffplay"], script: "head -c 100000 > /dev/null")
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test func failingPlayer_isNamed() throws {
    let result = try play(["--player", "ffplay"], script: "exit 3")
    #expect(
      result.status == 69 && result.errors.contains("ffplay ended with status 3")
        && result.errors.contains("compositor preview"))
  }

  @Test func noScreen_orNoPlayer_pointsToThePreview() throws {
    let blind = try play([], script: "cat > out.nut", display: "")
    #expect(blind.status == 69 && blind.errors.contains("no screen") && blind.errors.contains("compositor preview"))
    let none = try ToolRun.compositor(
      ["play", "in.mkv"], in: scratch.folder, environment: ["PATH": "/nowhere", "DISPLAY": ":9"])
    #expect(none.status == 69 && none.errors.contains("No player") && none.errors.contains("compositor preview"))
  }

  @Test(arguments: [["--rate", "-1"], ["--rate", "9"], ["--from", "soon"], ["--from", "3s"]])
  func mistakes_areUsageErrors(_ arguments: [String]) throws {
    #expect(try play(arguments, script: "cat > out.nut").status == 64)
  }

  /// Ctrl-C ends both.
  @Test func interruption_endsThePlayerToo() throws {
    let script = """
      (sleep 0.7; kill -INT $PPID) &
      echo $$ > player.pid
      exec sleep 60
      """
    let result = try play(["--player", "ffplay"], script: script)
    #expect(result.status == 130)
    let number = try String(contentsOf: scratch.folder.appending(path: "player.pid"), encoding: .utf8).trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(number)"))
  }
}
