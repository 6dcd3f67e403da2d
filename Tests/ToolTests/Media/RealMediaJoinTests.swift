import Foundation
import CompositorTestSupport
import Testing

/// The quick way, on real clips: what comes out is what arithmetic says, read back by ffprobe.
@Suite(.enabled(if: mediaFolder != nil, "the media set is not there")) struct RealMediaJoinTests {
  @Test func join_threeRealClipsWithDissolves_isWhatTheArithmeticSays() throws {
    let scratch = try Scratch()
    let folder = try #require(mediaFolder)
    let movie = try scratch.file("all.mp4")
    let clips = ["karma.mp4", "chaplin.mp4", "edts.mp4"].map { folder.appending(path: $0).path }
    let result = try ToolRun.compositor(
      ["join"] + clips + [
        "--transition", "dissolve:1s", "-o", movie.path, "--encoder-speed", "ultrafast", "--progress", "none",
      ])
    #expect(result.status == 0, "\(result.errors)")

    // 362 frames of 1001/30000 s, 241 and 225 of 1/25 s, less two seconds; a frame that has begun is a frame.
    let seconds = 362 * 1001.0 / 30000 + 241 / 25.0 + 225 / 25.0 - 2
    let frames = (seconds * 30000 / 1001).rounded(.up)
    let duration = frames * 1001 / 30000
    let streams = try ToolRun.streams(movie)
    let video = try #require(streams.first { $0["codec_type"] == "video" })
    let audio = try #require(streams.first { $0["codec_type"] == "audio" })
    #expect(video["nb_read_frames"] == "\(Int(frames))")
    #expect(video["width"] == "854" && video["height"] == "480" && video["r_frame_rate"] == "30000/1001")
    #expect(abs((video["duration"].flatMap(Double.init) ?? 0) - duration) < 1e-6)
    #expect(abs((audio["duration"].flatMap(Double.init) ?? 0) - duration) < 1.0 / 48000)
    let tags = try ToolRun.program(
      "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
      "stream=color_range,color_space,color_transfer,color_primaries", "-of", "csv=p=0", movie.path)
    // karma.mp4 is full range; movies are made in limited range unless a project says otherwise.
    #expect(tags.output == "tv,bt709,bt709,bt709\n")
  }
}
