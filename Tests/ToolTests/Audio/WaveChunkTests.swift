import CompositorTestSupport
import Foundation
import Testing

/// What recorders and samplers write into WAV files beside the samples: said, if an output lacks it.
@Suite(.enabled(if: hasFFmpeg)) struct WaveChunkTests {
  private func little(_ value: Int, _ count: Int) -> Data { Data((0..<count).map { UInt8(value >> (8 * $0) & 255) }) }

  private func chunk(_ name: String, _ content: Data) -> Data {
    Data(name.utf8) + little(content.count, 4) + content + (content.count & 1 == 1 ? Data([0]) : Data())
  }

  /// 0.1 s of silence at 48 kHz with a chunk before and one behind the samples.
  private func wave(_ before: Data, _ after: Data) -> Data {
    let format = little(1, 2) + little(1, 2) + little(48_000, 4) + little(96_000, 4) + little(2, 2) + little(16, 2)
    let body = Data("WAVE".utf8) + chunk("fmt ", format) + before + chunk("data", Data(count: 9600)) + after
    return Data("RIFF".utf8) + little(body.count, 4) + body
  }

  @Test func chunks_areNamed_byProbeAndRender() throws {
    let scratch = try Scratch()
    let loops = chunk("smpl", Data(count: 36) + little(0, 4) + little(0, 4) + little(0, 4))
    let notes = chunk("iXML", Data("<BWFXML><SCENE>7</SCENE></BWFXML>".utf8))
    try wave(notes, loops).write(to: scratch.folder.appending(path: "in.wav"))
    try wave(Data(), chunk("JUNK", Data(count: 3))).write(to: scratch.folder.appending(path: "plain.wav"))
    let probed = try ToolRun.compositor(["probe", "in.wav"], in: scratch.folder)
    #expect(
      probed.output.contains("iXML  the recorder's notes: not kept") && probed.output.contains("smpl"), "\(probed.output)")
    for output in ["out.wav", "out.flac", "out.m4a"] {
      let result = try scratch.render(["in.wav", "-o", output])
      #expect(result.status == 0, "\(result.errors)")
      #expect(
        result.errors.contains("not kept: the recorder's notes (iXML), the loops of a sampler (smpl)"),
        "\(output): \(result.errors)")
      #expect(!(try scratch.render(["plain.wav", "-o", output])).errors.contains("not kept"))
    }
  }

  /// The time of day of a field recorder, which sound editors place it by.
  @Test func timeReference_isNamed() throws {
    let scratch = try Scratch()
    try scratch.make(
      "in.wav",
      [
        "-f", "lavfi", "-i", "sine=duration=0.2", "-write_bext", "1", "-metadata", "time_reference=172800000", "-metadata",
        "comment=take 7",
      ])
    let result = try scratch.render(["in.wav", "-o", "out.wav"])
    #expect(result.errors.contains("not kept: comment") && result.errors.contains("time_reference"), "\(result.errors)")
    let kept = try scratch.render(["in.wav", "--keep-metadata", "-o", "out.wav"])
    #expect(
      kept.errors.contains("entries of the source that are not kept:") && kept.errors.contains("time_reference"),
      "\(kept.errors)")
  }
}
