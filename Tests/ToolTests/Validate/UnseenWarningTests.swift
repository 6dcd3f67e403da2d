import CompositorTestSupport
import Foundation
import Testing

/// What is not seen or heard, in commands and with media that fixtures don't have.
@Suite(.enabled(if: hasFFmpeg)) struct UnseenWarningTests {
  private static func media(_ scratch: Scratch) throws {
    let video = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=r=25:d=1:s=320x180"]
    let audio = ["-f", "lavfi", "-i", "sine=441:d=1:r=48000"]
    let codecs = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
    try runProgram("ffmpeg", video + audio + codecs + ["-c:a", "aac", scratch.file("a.mp4").path])
    try runProgram("ffmpeg", video + codecs + [scratch.file("mute.mp4").path])
  }

  @Test func join_withATitleThatLeavesTheFrame_saysIt() throws {
    let scratch = try Scratch()
    try Self.media(scratch)
    func warning(_ title: String) throws -> String {
      let result = try ToolRun.compositor(
        ["join", "a.mp4", "a.mp4", "--title", title, "-o", "o.mp4", "--overwrite", "--progress", "none"], in: scratch.folder)
      try #require(result.status == 0, "\(result.errors)")
      return result.errors.split(separator: "\n").first { $0.contains("--title") }.map(String.init) ?? ""
    }
    let long = try warning(String(repeating: "Happy birthday from all the neighbors ", count: 6))
    #expect(long.contains("edge of the title-safe area") && long.contains("Shorten the title."), "\(long)")
    #expect(try warning("Happy birthday") == "")
  }

  @Test func join_ofAClipWithoutAudioToAnAudioFile_saysNothingOfBlackFrames() throws {
    let scratch = try Scratch()
    try Self.media(scratch)
    let result = try ToolRun.compositor(
      ["join", "a.mp4", "mute.mp4", "a.mp4", "-o", "o.wav", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0 && !result.errors.contains("black"), "\(result.errors)")
  }

  @Test func captionsThatRollUp_withStepsOfAMoment_areNotWarnedOf() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "roll.vtt",
      """
      WEBVTT

      00:00:00.500 --> 00:00:01.991
      hello everyone

      00:00:01.991 --> 00:00:01.999
      hello everyone

      00:00:01.999 --> 00:00:03.000
      hello everyone
      welcome back

      """)
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, assets: { a: { generate: "clock" } },
        tracks: [{ clips: [{ asset: "a", duration: "4s" }] }], captions: [{ file: "roll.vtt" }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--strict"], in: scratch.folder)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func output_thatIsMuted_isMeant() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25, audio: { mute: true } },
        assets: { a: { generate: "clock", size: "320x180", frameRate: 25, tone: 300 } }, tracks: [{ clips: [{ asset: "a", duration: "1s" }] }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5", "--strict"], in: scratch.folder)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func cover_writtenWithAFile_isToldTheSpelling() throws {
    let scratch = try Scratch()
    _ = try scratch.file(
      "p.json5",
      """
      { version: 1, output: { size: "320x180", frameRate: 25, cover: { file: "x.jpg" } },
        assets: { a: { generate: "clock" } }, tracks: [{ clips: [{ asset: "a", duration: "1s" }] }] }
      """)
    let result = try ToolRun.compositor(["validate", "p.json5"], in: scratch.folder)
    #expect(result.status != 0 && result.output.contains("Write \"x.jpg\"."), "\(result.output)")
  }
}
