import CompositorTestSupport
import Foundation
import Testing

/// How often animated images play that were made of animated images, by the bytes of the files.
@Suite(.enabled(if: hasFFmpeg)) struct PlayCountTests {
  /// Makes an animated image that plays a number of times, 0 for endlessly.
  private func make(_ name: String, plays: Int, in scratch: Scratch) throws {
    let options: [String: [String]] = [
      "in.gif": ["-loop", "\(plays == 1 ? -1 : max(plays - 1, 0))"],
      "in.webp": ["-c:v", "libwebp_anim", "-pix_fmt", "bgra", "-loop", "\(plays)"],
      "in.png": ["-f", "apng", "-plays", "\(plays)"],
    ]
    try scratch.make(name, ["-f", "lavfi", "-i", "testsrc2=size=32x16:rate=10:duration=0.4"] + (options[name] ?? []))
  }

  /// GIF counts repetitions after the first time, in an extension.
  private func playCount(ofGIF bytes: Data) -> Int {
    guard let found = bytes.range(of: Data("NETSCAPE2.0".utf8) + [3, 1]) else { return 1 }
    let count = Int(bytes[found.upperBound]) | Int(bytes[found.upperBound + 1]) << 8
    return count == 0 ? 0 : count + 1
  }

  private func playCount(ofWebP bytes: Data) throws -> Int {
    let chunk = try #require(bytes.range(of: Data("ANIM".utf8)))
    return Int(bytes[chunk.upperBound + 8]) | Int(bytes[chunk.upperBound + 9]) << 8
  }

  @Test(arguments: ["in.gif", "in.webp", "in.png"], [0, 1, 3])
  func animationOfAnimation_playsAsOften(_ source: String, _ count: Int) throws {
    let scratch = try Scratch()
    try make(source, plays: count, in: scratch)
    let probed = try ToolRun.compositor(["probe", source], in: scratch.folder).output
    #expect(probed.contains(count == 0 ? "plays endlessly" : count == 1 ? "plays once" : "plays 3 times"), "\(probed)")
    for (name, read) in [("out.gif", playCount(ofGIF:)), ("out.webp", playCount(ofWebP:))] as [(String, (Data) throws -> Int)] {
      for chosen in [nil, 0, 5] as [Int?] {
        let result = try scratch.render([source, "-o", name] + (chosen.map { ["--play-count", "\($0)"] } ?? []))
        #expect(result.status == 0 && result.errors.contains("it plays") == (chosen == nil && count > 0), "\(result.errors)")
        let bytes = try Data(contentsOf: scratch.folder.appending(path: name))
        #expect(try read(bytes) == chosen ?? count, "\(source) \(count) times to \(name)")
      }
    }
  }

  @Test func animationOfTwoAnimations_playsEndlessly() throws {
    let scratch = try Scratch()
    try make("in.gif", plays: 3, in: scratch)
    try make("in.webp", plays: 3, in: scratch)
    let joined = try ToolRun.compositor(["join", "in.gif", "in.webp", "-o", "out.gif"], in: scratch.folder)
    #expect(joined.status == 0, "\(joined.errors)")
    #expect(playCount(ofGIF: try Data(contentsOf: scratch.folder.appending(path: "out.gif"))) == 0)
  }
}
