import CompositorAPI
import CompositorHost
import CompositorTestMedia
import Foundation
import Testing

/// Layers under others: those that an opaque one hides all the time are warned of, whatever it does meanwhile; others aren't.
struct CoveringLayerTests {
  /// What the layer in front does.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout LayerInstruction) throws -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout LayerInstruction) throws -> Void) {
      (testDescription, self.change) = (name, change)
    }

    /// A layer whose transform passes through matrices, a second apart.
    init(_ name: String, through matrices: [AffineMatrix]) {
      self.init(name) { layer in
        for (second, (from, to)) in zip(matrices, matrices.dropFirst()).enumerated() {
          let start = MediaTime.seconds(Double(second))
          try layer.transform.setRamp(from: from, to: to, timeRange: TimeRange(start: start, duration: .seconds(1)))
        }
      }
    }

    init(_ name: String, effects: [EffectReference]) { self.init(name) { $0.effects = effects } }
  }

  /// A scale and rotation about the center of a canvas of 64x36, and an offset in pixels.
  private static func placed(_ scale: Double, degrees: Double = 0, x: Double = 0, y: Double = 0) -> AffineMatrix {
    AffineMatrix.translation(x: -32, y: -18).concatenating(.scale(x: scale, y: abs(scale)))
      .concatenating(.rotation(radians: degrees * .pi / 180)).concatenating(.translation(x: 32 + x, y: 18 + y))
  }

  private static let blur = EffectReference("builtin.gaussian-blur", parameters: ["radius": .number(3)])
  private static let key = EffectReference("builtin.chroma-key")
  private static let masked: EffectReference = {
    var effect = blur
    effect.mask = EffectMask(trackID: 1)
    return effect
  }()

  private static func look(_ property: WritableKeyPath<LayerDecoration, Double>, _ value: Double) -> LayerDecoration {
    var look = LayerDecoration()
    look[keyPath: property] = value
    return look
  }

  private static func ramp(
    from start: LayerDecoration, to end: LayerDecoration, _ range: TimeRange
  ) throws -> PropertyTimeline<LayerDecoration> {
    var timeline = PropertyTimeline(default: start)
    try timeline.setRamp(from: start, to: end, timeRange: range)
    return timeline
  }

  static let hiding = [
    Row("nothing") { _ in },
    Row("a blur", effects: [blur]), Row("a blur in a mask", effects: [masked]),
    Row("color and a blur", effects: [EffectReference("builtin.color", parameters: ["saturation": .number(0.9)]), blur]),
    Row("a shadow") { $0.decoration = PropertyTimeline(default: look(\.shadowOpacity, 1)) },
    Row("a shadow that grows") {
      $0.decoration = try ramp(from: LayerDecoration(), to: look(\.shadowOpacity, 1), .seconds(0, 5))
    },
    Row("a zoom", through: [placed(1), placed(1.2)]), Row("zooms", through: [placed(1.1), placed(1.4), placed(1)]),
    Row("a pan", through: [placed(1.5, x: -16), placed(1.5, x: 16)]),
    Row("a pan and a zoom", through: [placed(1.5, x: -16), placed(1.2, x: 5, y: 3)]),
    Row("a slow rotation", through: [placed(2.2, degrees: 0), placed(2.2, degrees: 2)]),
    Row("a still rotation", through: [placed(2.2, degrees: 30), placed(2.2, degrees: 30)]),
    Row("a rotation upside down", through: [placed(1, degrees: 180), placed(2, degrees: 180)]),
    Row("a mirror", through: [placed(-1), placed(-1.2)]),
    Row("a crop of an enlarged source") { layer in
      layer.transform = PropertyTimeline(default: placed(2))
      try layer.crop.setRamp(
        from: Rect(x: 0, y: 0, width: 64, height: 36), to: Rect(x: 8, y: 5, width: 48, height: 26), timeRange: .seconds(0, 5))
    },
    Row("a ramp of an opacity of 1") { try $0.opacity.setRamp(from: 1, to: 1, timeRange: .seconds(0, 5)) },
  ]

  static let showing = [
    Row("a key", effects: [key]), Row("a key before a blur", effects: [key, blur]),
    Row("an unknown effect", effects: [EffectReference("org.example.unknown")]),
    Row("a zoom out", through: [placed(1), placed(0.98)]),
    Row("a zoom out and in", through: [placed(1), placed(0.9), placed(1)]),
    Row("a pan that shows an edge", through: [placed(1.5, x: -16), placed(1.5, x: 17)]),
    Row("a rotation", through: [placed(1), placed(1, degrees: 180)]),
    Row("a rotation of one enlarged", through: [placed(1.5), placed(1.5, degrees: 90)]),
    Row("a corner that turns in", through: [placed(1.1, degrees: 0), placed(1.1, degrees: 10)]),
    Row("a card that turns over", through: [placed(1), placed(-1)]),
    Row("a late fade") { try $0.opacity.setRamp(from: 1, to: 0, timeRange: .seconds(9, 10)) },
    Row("round corners") { $0.decoration = PropertyTimeline(default: look(\.cornerRadius, 4)) },
    Row("corners that become round") {
      $0.decoration = try ramp(from: LayerDecoration(), to: look(\.cornerRadius, 4), .seconds(9, 10))
    },
    Row("a crop") {
      try $0.crop.setRamp(
        from: .infinite, to: Rect(x: 0, y: 0, width: 60, height: 36), timeRange: .seconds(0, 5))
    },
  ]

  private func diagnostics(_ row: Row, isCopy: Bool = false) throws -> [ValidationDiagnostic] {
    var fixture = try DiagnosticFixture(video: [.seconds(0, 10), .seconds(0, 10)])
    var front = LayerInstruction(trackID: 1)
    try row.change(&front)
    var back = LayerInstruction(trackID: isCopy ? 1 : 2)
    back.transform = PropertyTimeline(default: Self.placed(0.5))
    fixture.instructions[0].layers = [front, back]
    fixture.edit.hasWrittenInstructions = isCopy
    return fixture.diagnostics().filter { $0.code == .layerNotSeen }
  }

  @Test(arguments: hiding) func layer_underOneThatHidesEverything_isWarnedOf(_ row: Row) throws {
    let found = try diagnostics(row)
    #expect(
      found.map(\.message) == [
        "Video track 2 is never seen: in every instruction that names it, an opaque layer lies above it."
      ])
  }

  @Test(arguments: hiding.filter { !$0.testDescription.contains("mask") })
  func layer_underOneOfTheSameTrack_isWarnedOf(_ row: Row) throws {
    let found = try diagnostics(row, isCopy: true)
    #expect(found.map(\.path) == ["videoComposition.instructions[0].layers[1]"], "\(found)")
    #expect(found.first?.message.contains("another layer of the same track lies opaque above it") == true, "\(found)")
    #expect(found.first?.cause != nil && found.first?.recoverySuggestion != nil && found.first?.fix == nil)
  }

  @Test(arguments: showing) func layer_thatIsSeenAtTimes_isNot(_ row: Row) throws {
    #expect(try diagnostics(row).isEmpty && diagnostics(row, isCopy: true).isEmpty)
  }

  /// The track of a mask is seen in the effect, although the layer itself is hidden.
  @Test func layer_thatIsAMaskToo_isNotSaidToBeNeverSeen() throws {
    var effect = Self.blur
    effect.mask = EffectMask(trackID: 2)
    #expect(try diagnostics(Row("a mask of the layer below", effects: [effect])).isEmpty)
  }
}
