import CompositorAPI
import CompositorMedia
import CompositorValidation
import Foundation
import CompositorHost
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// Tracks whose codec nothing here decodes: an error if they are used, unless damage is kept.
@Suite struct UndecodableTrackTests {
  enum Track: String, CaseIterable, Sendable { case video, audio }

  /// A good clip, and one whose video or audio sample entry has another name.
  private func clips(_ track: Track, in scratch: Scratch) throws {
    _ = try scratch.clip("good.mp4", seconds: 1)
    let bad = try scratch.clip("bad.mp4", seconds: 1)
    var bytes = try Data(contentsOf: bad)
    // Without esds the codec of an audio entry is known by its name only.
    for name in track == .video ? ["avc1"] : ["mp4a", "esds"] {
      let place = try #require(bytes.range(of: Data(name.utf8), options: .backwards))
      bytes.replaceSubrange(place, with: Data("zzzz".utf8))
    }
    try bytes.write(to: bad)
  }

  private static let commands = [
    ["render", "bad.mp4", "-o", "x.mkv", "--progress", "none"],
    ["join", "good.mp4", "bad.mp4", "-o", "x.mkv", "--progress", "none"],
    ["validate", "bad.mp4"], ["frame", "bad.mp4", "--at", "0", "-o", "x.png"],
  ]

  @Test(arguments: Track.allCases, commands)
  func command_trackWithoutDecoder_saysSo(_ track: Track, _ command: [String]) throws {
    let scratch = try Scratch()
    try clips(track, in: scratch)
    let result = try ToolRun.compositor(command, in: scratch.folder)
    let said = result.output + result.errors
    #expect(said.contains("no decoder for codec zzzz in \(track.rawValue) track 0 of bad.mp4"), "\(said)")
    // A single frame has no audio: what it does not use is a warning.
    let isUsed = track == .video || command[0] != "frame"
    #expect(result.status == (isUsed ? ProcessStatus.unavailable.rawValue : 0), "\(said)")
    #expect(try scratch.names() == (isUsed ? ["bad.mp4", "good.mp4"] : ["bad.mp4", "good.mp4", "x.png"]))
  }

  /// In Swift, whether the track is found when an edit is made, or by validation.
  @Test(arguments: Track.allCases) func error_namesTheFile(_ track: Track) throws {
    let scratch = try Scratch()
    try clips(track, in: scratch)
    let (good, bad) = (try scratch.file("good.mp4").path, try scratch.file("bad.mp4").path)
    let catalog = MediaCatalog()
    let edit = try Timeline(joining: [good, bad], catalog: catalog).edit(catalog: catalog)
    let error = #expect(throws: CompositorError.self) { try CompositionValidator.validate(edit, catalog: catalog).get() }
    #expect(error?.code == .decoderNotFound && error?.location.file == bad, "\(String(describing: error))")
    guard track == .video else { return }
    let shown = #expect(throws: CompositorError.self) { try Edit(showing: .file(path: bad), catalog: catalog) }
    #expect(shown?.code == .decoderNotFound && shown?.location.file == bad, "\(String(describing: shown))")
  }

  @Test(arguments: Track.allCases) func join_trackWithoutDecoderKept_goesOnAndNamesIt(_ track: Track) throws {
    let scratch = try Scratch()
    try clips(track, in: scratch)
    let result = try ToolRun.compositor(
      ["join", "good.mp4", "bad.mp4", "-o", "x.mkv", "--progress", "json", "--damaged", "keep"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
    let event = try #require(result.output.split(separator: "\n").last)
    #expect(event.contains("\"kind\":\"noDecoder\"") && event.contains("\"mediaType\":\"\(track.rawValue)\""), "\(event)")
    #expect(try ToolRun.streams(scratch.file("x.mkv")).first?["nb_read_frames"] == "50")
  }

  @Test func render_undecodableAudioThatNothingPlays_isNoError() throws {
    let scratch = try Scratch()
    try clips(.audio, in: scratch)
    let result = try ToolRun.compositor(
      ["render", "bad.mp4", "-o", "x.mkv", "--no-audio", "--progress", "none"], in: scratch.folder)
    #expect(result.status == 0, "\(result.errors)")
  }
}
