import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorProjectFormat
import CompositorTimeline
import CompositorValidation
import Foundation
import Testing

/// A dissolve and a push are one thing: a clip's transition by its name or by its compositor, and an instruction that names the compositor,
/// give the same frames bit by bit.
@Suite struct LayeredTransitionTests {
  /// What comes out, and what the two clips show.
  struct Output: Sendable, CustomTestStringConvertible {
    let name: String
    let output: String
    let assets: String
    var testDescription: String { name }
  }

  private static let opaque = """
    a: { generate: "bars", size: "64x36", duration: "9s" }, b: { generate: "clock", size: "64x36", duration: "9s" }
    """

  static let outputs = [
    Output(name: "8 bit", output: "", assets: opaque),
    Output(name: "10 bit", output: "format: \"yuv420p10\"", assets: opaque),
    Output(name: "PQ, linear", output: "color: \"pq\", blending: \"linear\"", assets: opaque),
    Output(
      name: "alpha", output: "format: \"yuva444p12\", alpha: true, video: { codec: \"prores\" }",
      assets: """
        a: { size: "64x36", titles: [{ layer: { bounds: [40, 30], position: [24, 16], backgroundColor: "#ff804080" } }] },
        b: { size: "64x36", titles: [{ layer: { bounds: [40, 30], position: [40, 20], backgroundColor: "#2040ffc0" } }] }
        """),
    Output(
      name: "wide to narrow", output: "background: \"#304050\"",
      assets: """
        a: { generate: "bars", size: "64x36", duration: "9s" }, b: { generate: "clock", size: "36x36", duration: "9s" }
        """),
    Output(
      name: "narrow to flat", output: "background: \"#304050\"",
      assets: """
        a: { generate: "bars", size: "36x36", duration: "9s" }, b: { generate: "clock", size: "64x20", duration: "9s" }
        """),
  ]

  static let easings = ["linear", "ease-in-out", "cubic-bezier(0.34, 1.56, 0.64, 1)", "steps(4, jump-both)"]

  private func frames(_ output: Output, rate: String, _ rest: String) async throws -> [[UInt8]] {
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: \(rate), \(output.output) }, assets: { \(output.assets) }, \(rest) }
      """)
    let catalog = MediaCatalog()
    let composition = try CompositionValidator.validate(project.edit(catalog: catalog), catalog: catalog).get()
    var frames: [[UInt8]] = []
    for try await frame in try composition.frames() { frames.append(frame.frame.bytes) }
    return Array(frames[10..<20])
  }

  private func clips(_ transition: String) -> String {
    """
    tracks: [
      { clips: [{ asset: "a", duration: "20f" }, { asset: "b", duration: "20f", transition: { \(transition), duration: "10f" } }] },
    ]
    """
  }

  private func instruction(_ compositor: String, _ parameters: String) -> String {
    """
    tracks: [{ clips: [{ asset: "a", duration: "20f" }] }, { clips: [{ asset: "b", at: "10f", duration: "20f" }] }],
    instructions: [
      { duration: "10f", layers: [{ track: 0 }] },
      { duration: "10f", layers: [{ track: 0 }, { track: 1 }], compositor: "\(compositor)", parameters: { \(parameters) } },
      { layers: [{ track: 1 }] },
    ]
    """
  }

  @Test(arguments: outputs, easings) func dissolve_everyForm_givesTheSameFrames(output: Output, easing: String) async throws {
    let rate = "\"30000/1001\""
    let named = try await frames(output, rate: rate, clips("type: \"dissolve\", easing: \"\(easing)\""))
    let compositor = "builtin.dissolve"
    let parameters = "easing: \"\(easing)\""
    let byCompositor = clips("compositor: \"\(compositor)\", parameters: { \(parameters) }")
    #expect(try await frames(output, rate: rate, byCompositor) == named)
    #expect(try await frames(output, rate: rate, instruction(compositor, parameters)) == named)
    if easing == "linear" {
      #expect(try await frames(output, rate: rate, clips("type: \"dissolve\"")) == named)
      #expect(try await frames(output, rate: rate, instruction(compositor, "")) == named)
    } else {
      #expect(try await frames(output, rate: rate, clips("type: \"dissolve\"")) != named)
    }
    #expect(Set(named).count > 2, "nothing changes")
  }

  @Test(arguments: outputs, ["left", "right", "up", "down"])
  func push_everyForm_givesTheSameFrames(output: Output, direction: String) async throws {
    for easing in Self.easings {
      let parameters = "direction: \"\(direction)\", easing: \"\(easing)\""
      let named = try await frames(output, rate: "25", clips("type: \"push\", \(parameters)"))
      #expect(try await frames(output, rate: "25", clips("type: \"push-\(direction)\", easing: \"\(easing)\"")) == named)
      let byCompositor = clips("compositor: \"builtin.push\", parameters: { \(parameters) }")
      #expect(try await frames(output, rate: "25", byCompositor) == named)
      #expect(try await frames(output, rate: "25", instruction("builtin.push", parameters)) == named, "\(easing)")
    }
  }

  /// A dissolve that is eased shows at each frame what the linear one would show at the eased progress.
  @Test(arguments: ["ease-in", "steps(5)"]) func dissolve_eased_isTheFormula(easing: String) async throws {
    let black = Output(
      name: "", output: "format: \"yuv444p\"",
      assets: """
        a: { generate: "color", color: "black", size: "64x36" }, b: { generate: "color", color: "white", size: "64x36" }
        """)
    let curve = try #require(Easing(easing))
    let shown = try await frames(black, rate: "25", clips("type: \"dissolve\", easing: \"\(easing)\""))
    for (index, frame) in shown.enumerated() {
      #expect(abs(Double(frame[0]) - (16 + 219 * curve.value(at: Double(index) / 10))) <= 1, "\(index)")
    }
  }

  /// Two at a time: layers need no compositor of their own.
  @Test func dissolves_byTheirCompositor_mayOverlapOtherTransitions() throws {
    let clips = """
      clips: [
        { asset: "a", duration: "20f" },
        { asset: "b", duration: "20f", transition: { compositor: "builtin.dissolve", duration: "10f" } },
      ]
      """
    let project = try ProjectFile(
      """
      { version: 1, output: { size: "64x36", frameRate: 25 }, assets: { \(Self.opaque) },
        tracks: [{ \(clips) }, { \(clips) }] }
      """)
    let edit = try project.edit(catalog: MediaCatalog())
    #expect(Set(edit.videoComposition.instructions.map(\.compositor)) == [.layer])
  }
}

extension Frame {
  /// The samples of all planes, row by row.
  fileprivate var bytes: [UInt8] {
    withUnsafePlanes { planes in
      (0..<planes.count).flatMap { index in
        let plane = planes[index]
        let length = plane.width * format.bytesPerSample
        return (0..<plane.height).flatMap { y in
          Array(UnsafeRawBufferPointer(start: plane.base + y * plane.stride, count: length))
        }
      }
    }
  }
}
