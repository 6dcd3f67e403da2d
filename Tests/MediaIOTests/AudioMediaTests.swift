import CompositorAPI
import Foundation
import CompositorTestSupport
import CompositorMediaIO
import Testing

/// Audio of real files against what ffmpeg decodes.
@Suite(.enabled(if: ReadMedia.isPresent)) struct AudioMediaTests {
  static let names = [
    "karma.mp4", "chaplin.mp4", "edts.mp4", "A4.mp4", "bbb_2ch_44kHz.wav", "bbb_6ch_8kHz_opus.ogg", "sine_24le.wav",
    "bt601.mp4",
    "sample.mp4", "sample.mkv", "sample_fragmented.mp4", "long_edit_list_audioonly.mp4", "edit_list_positive_shift.mp4",
    "100_0306.AVI", "transparent.webm",
  ]

  @Test(arguments: names) func read_realSound_isWhatFFmpegDecodes(_ name: String) throws {
    let path = try ReadMedia.path(name)
    let track = try #require(try MediaProbe.probe(.file(path: path)).audioTracks.first)
    // In the file's own channels: how they become others is tested with every layout elsewhere.
    let channels = track.channelCount
    let options = AudioReaderOptions(sampleRate: track.sampleRate, channelCount: channels)
    let reader = try MediaOpener.openAudio(.file(path: path), options: options, info: track)
    let data = try runProgram("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"])
    let expected = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let count = expected.count / channels
    try #require(count > 1000)
    // ffmpeg writes from the first sample on; the reader places it at its time, before which there is silence.
    let block = AudioBlock(channelCount: channels, capacity: count + track.sampleRate)
    try reader.read(frameCount: block.capacity, at: 0, into: block.channels)
    let declared = track.timeRange.start.seconds * Double(track.sampleRate)
    let nonzero = (0..<count).first { expected[channels * $0] != 0 }
    let heard = (0..<block.capacity).first { block[0, $0] != 0 }
    #expect((nonzero == nil) == (heard == nil))
    // A silent track doesn't tell where it begins.
    let start = nonzero.flatMap { nonzero in heard.map { $0 - nonzero } } ?? Int(declared.rounded())
    // A track may begin with an encoder's run-in of one packet, which is not heard.
    #expect((-1...1025).contains(Double(start) - declared), "begins at \(start), the track at \(declared)")
    let end = min(count, Int((track.timeRange.end.seconds * Double(track.sampleRate)).rounded(.down)) - start)
    let differences = (0..<end).filter {
      block[0, start + $0] != expected[channels * $0]
        || block[channels - 1, start + $0] != expected[channels * $0 + channels - 1]
    }
    #expect(differences.isEmpty, "\(differences.count) samples differ, first \(differences.first ?? -1)")
  }
}
