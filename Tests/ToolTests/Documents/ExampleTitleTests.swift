import Foundation
import CompositorTestSupport
import Testing

/// The titles of the examples over real footage, looked at pixel by pixel.
@Suite struct ExampleTitleTests {
  /// The footage that lies beside the examples, and a longer clip of the media set where it is there.
  static let clips: [String] = ["media/webb-mirror.mp4"] + [mediaFolder?.appending(path: "karma.mp4").path].compactMap { $0 }

  /// A picture as R, G, B.
  private struct Pixels {
    let width: Int
    let bytes: [UInt8]

    func color(_ x: Double, _ y: Double) -> SIMD3<Int> {
      let at = (Int(y) * width + Int(x)) * 3
      return SIMD3(Int(bytes[at]), Int(bytes[at + 1]), Int(bytes[at + 2]))
    }

    /// Pixels in a box of fractions of the picture that are as asked for.
    func count(x: ClosedRange<Double>, y: ClosedRange<Double>, _ isWanted: (SIMD3<Int>) -> Bool) -> Int {
      let height = bytes.count / 3 / width
      var count = 0
      for row in Int(y.lowerBound * Double(height))..<Int(y.upperBound * Double(height)) {
        for column in Int(x.lowerBound * Double(width))..<Int(x.upperBound * Double(width)) {
          if isWanted(color(Double(column), Double(row))) { count += 1 }
        }
      }
      return count
    }
  }

  private func frame(_ project: String, at time: String, clip: String, _ scratch: Scratch) throws -> Pixels {
    let png = try scratch.file("\(UUID().uuidString).png")
    let result = try ToolRun.compositor([
      "frame", ToolRun.root.appending(path: "Examples/\(project)").path, "--at", time, "--set", "clip=\(clip)", "-o", png.path,
    ])
    #expect(result.status == 0, "\(result.errors)")
    let raw = png.path + ".rgb"
    let converted = try ToolRun.program("ffmpeg", "-v", "error", "-i", png.path, "-pix_fmt", "rgb24", "-f", "rawvideo", raw)
    #expect(converted.status == 0, "\(converted.errors)")
    return Pixels(width: 960, bytes: [UInt8](try Data(contentsOf: URL(filePath: raw))))
  }

  /// The position of a star of the ring at an angle, clockwise from the top.
  private func star(_ degrees: Double) -> (x: Double, y: Double) {
    let angle = degrees * .pi / 180
    return (480 + 214.5 * sin(angle), 270 - 214.5 * cos(angle))
  }

  private static func isGold(_ color: SIMD3<Int>) -> Bool { color.x > 225 && color.y > 180 && color.z < 60 }

  /// The ring rotates by 60 degrees per second and has a star every 30: at 5 s one is at the top.
  @Test(arguments: clips) func magicTitle_overFootage_showsTheWordInARingThatTurns(clip: String) throws {
    let scratch = try Scratch()
    for (time, angle) in [("4.9s", -6.0), ("5.1s", 6)] {
      let picture = try frame("magic-title.json5", at: time, clip: clip, scratch)
      for turn in 0..<12 {
        let (there, elsewhere) = (star(Double(turn) * 30 + angle), star(Double(turn) * 30 - angle))
        #expect(Self.isGold(picture.color(there.x, there.y)), "\(clip) \(time) star \(turn)")
        #expect(!Self.isGold(picture.color(elsewhere.x, elsewhere.y)), "\(clip) \(time) star \(turn)")
      }
      let white = picture.count(x: 0.3...0.7, y: 0.4...0.6) { $0.x > 225 && $0.y > 225 && $0.z > 225 }
      #expect(white > 8_400, "the word")
    }
  }

  @Test func magicTitle_afterTenSeconds_fadesAndIsGoneAfterOneMore() throws {
    let scratch = try Scratch()
    let clip = Self.clips[0]
    // A star is at the top at every half second.
    let top = try ["9.5s", "10.5s", "11.5s"].map { try frame("magic-title.json5", at: $0, clip: clip, scratch).color(480, 55) }
    #expect(Self.isGold(top[0]))
    #expect((90...170).contains(top[1].x) && !Self.isGold(top[1]), "\(top[1])")
    #expect(top[2].x < 60, "\(top[2])")
  }

  @Test func readyMadeTitles_overFootage_standWhereTheyShould() throws {
    let scratch = try Scratch()
    func white(_ time: String, x: ClosedRange<Double>, y: ClosedRange<Double>) throws -> Int {
      try frame("titles.json5", at: time, clip: Self.clips[0], scratch).count(x: x, y: y) {
        $0.x > 220 && $0.y > 220 && $0.z > 220
      }
    }
    #expect(try white("2.5s", x: 0.05...0.47, y: 0.74...0.93) > 2_200, "a lower third")
    #expect(try white("4.5s", x: 0.35...0.65, y: 0.82...0.95) > 560, "a caption")
    #expect(try white("10s", x: 0.3...0.7, y: 0...0.65) > 1_600, "credits on their way up")
    #expect(try white("6.5s", x: 0.1...0.6, y: 0.96...1) == 0, "nothing outside of the safe area")
  }

  @Test func captions_inFourScripts_haveTheirGlyphs() throws {
    let scratch = try Scratch()
    for (time, name) in [("0.5s", "Arabic"), ("1.5s", "Hindi"), ("2.5s", "Japanese")] {
      let picture = try frame("scripts.json5", at: time, clip: Self.clips[0], scratch)
      let white = picture.count(x: 0.38...0.62, y: 0.83...0.93) { $0.x > 220 && $0.y > 220 && $0.z > 220 }
      #expect(white > 390, "\(name): \(white)")
    }
    let emoji = try frame("scripts.json5", at: "3.5s", clip: Self.clips[0], scratch)
    let colored = emoji.count(x: 0.38...0.62, y: 0.83...0.93) { max($0.x, $0.y, $0.z) - min($0.x, $0.y, $0.z) > 90 }
    #expect(colored > 340, "\(colored)")
  }

  @Test func badge_onATrackOfItsOwn_liesOverTheFootage() throws {
    let scratch = try Scratch()
    let picture = try frame("title-track.json5", at: "3s", clip: Self.clips[0], scratch)
    // Half way from x 105 to 855, at scale 1: a disc of 135 pixels.
    #expect(picture.count(x: 0.42...0.58, y: 0.05...0.31) { $0.x > 130 && $0.y < 60 && $0.z < 70 } > 6_750)
  }
}
