import BuiltinCompositors
import CompositorAPI
import Foundation
import Testing

/// Our transitions beside those of FFmpeg's xfade filter that define the same thing, in 4:4:4, in the middle of the way.
@Suite(.enabled(if: ZScaleOracle.isAvailable)) struct XfadeOracleTests {
  static let equivalents: [(name: String, type: any VideoCompositor.Type, parameters: ParameterValues)] = [
    ("fade", DissolveTransition.self, [:]), ("wipeleft", WipeTransition.self, ["direction": .string("left")]),
    ("wiperight", WipeTransition.self, ["direction": .string("right")]),
    ("wipeup", WipeTransition.self, ["direction": .string("up")]),
    ("wipedown", WipeTransition.self, ["direction": .string("down")]),
    ("slideleft", PushTransition.self, ["direction": .string("left")]),
    ("slidedown", PushTransition.self, ["direction": .string("down")]),
    ("squeezeh", SqueezeTransition.self, ["line": .string("horizontal")]),
  ]

  /// The frame of xfade that shows the middle: 10 frames a second, two seconds long, the frame at one second.
  private func xfade(_ name: String, _ from: Frame, _ to: Frame) throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appending(path: "xfade-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (file, frame) in [("a", from), ("b", to)] {
      try ZScaleOracle.bytes(of: frame).write(to: folder.appending(path: file))
    }
    func input(_ file: String) -> [String] {
      [
        "-stream_loop", "-1", "-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", from.size.description, "-r", "10", "-i",
        folder.appending(path: file).path,
      ]
    }
    let all = try ZScaleOracle.run(
      ["-v", "error"] + input("a") + input("b") + [
        "-filter_complex", "[0:v]settb=1/10[a];[1:v]settb=1/10[b];[a][b]xfade=transition=\(name):duration=2:offset=0",
        "-frames:v", "11", "-f", "rawvideo", "-pix_fmt",
        "yuv444p", "-",
      ])
    return all.suffix(all.count / 11)
  }

  @Test(arguments: equivalents.map(\.name))
  func middle_isXfadesButForTheEdge(_ name: String) async throws {
    let equivalent = try #require(Self.equivalents.first { $0.name == name })
    let size = PixelSize(width: 64, height: 48)
    let (from, to) = (TestFrames.noise(.yuv444p, 64, 48, seed: 1), TestFrames.noise(.yuv444p, 64, 48, seed: 2))
    let oracle = try xfade(name, from, to)
    try #require(oracle.count == 64 * 48 * 3)
    let ours = try await TransitionRun.frame(
      equivalent.type, equivalent.parameters, TransitionRun.request(from, to, time: 300, TransitionRun.context(.yuv444p, size)))
    var different = 0
    for plane in 0..<3 {
      for y in 0..<48 {
        for x in 0..<64 {
          let index = oracle.startIndex + (plane * 48 + y) * 64 + x
          if abs(ours.code(plane, x, y) - Double(oracle[index])) > 1 { different += 1 }
        }
      }
    }
    // An edge of one sample's width differs: ours is antialiased, theirs falls on one side. A squeezed picture is resampled by
    // area here and by the nearest sample there, so only the rows outside it are the same.
    let allowed = name == "squeezeh" ? 64 * 26 * 3 : name == "fade" ? 0 : 2 * 64 * 3
    #expect(different <= allowed, "\(different) samples of \(64 * 48 * 3)")
  }
}
