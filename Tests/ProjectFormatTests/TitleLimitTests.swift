import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorOverlay
import CompositorProjectFormat
import CompositorTestMedia
import CompositorTestSupport
import Foundation
import Testing

/// What drawing a title would refuse is found by validation, with the title and the key path.
struct TitleLimitTests {
  /// Each limit of the renderer: a layer that breaks it, the place that is named, a word of the message.
  static let limits: [[String]] = [
    [
      "content: { emitter: { birthRate: 30000, lifetime: \"5s\" } }, bounds: [9, 9], sublayers: [{ bounds: [4, 4] }]",
      "content.emitter.birthRate", "particles",
    ],
    [
      """
      content: { emitter: { birthRate: 1, lifetime: "5s" } }, sublayers: [{ bounds: [4, 4] }],
      animations: [{ property: "emitter.birthRate", to: 90000, duration: "6s" }], timing: { duration: "20s" }
      """, "content.emitter.birthRate", "particles",
    ],
    ["bounds: [40000, 10], backgroundColor: \"red\"", "bounds", "too large"],
    ["bounds: [20000, 20000], backgroundColor: \"red\"", "bounds", "too large"],
    ["bounds: [2e6, 10]", "bounds", "number"],
    [
      "bounds: [400, 10], backgroundColor: \"red\", animations: [{ property: \"bounds.size\", to: [90000, 10], duration: \"4s\" }]",
      "bounds", "too large",
    ],
    [
      "sublayers: [{ bounds: [400, 10], backgroundColor: \"red\", transform: { scaleX: 200 } }]", "sublayers[0].bounds",
      "too large",
    ],
    ["content: { gradient: { colors: [\"red\", \"blue\"] } }, bounds: [40000, 10]", "bounds", "too large"],
    [
      "content: { text: { string: \"wide\", font: { family: \"DejaVu Sans\", size: 9999 } } }, transform: { scaleX: 9 }",
      "content.text", "too large",
    ],
    ["content: { shape: { path: \"M 0 0 L 50000 0 L 0 10 Z\" } }", "content.shape.path", "too large"],
    ["content: { shape: { path: { circle: { center: [0, 0], radius: 5000 } } } }", "content.shape.path", "too large"],
    [
      "content: { shape: { path: \"M 0 0 L 9000 0\", fillColor: null, strokeColor: \"red\", lineDashPattern: [0.01, 0.01] } }",
      "content.shape.path", "dashes",
    ],
    ["content: { shape: { lineWidth: 1e6 } }", "content.shape.lineWidth", "number"],
    [
      "content: { shape: {} }, animations: [{ property: \"lineWidth\", to: 1e6, duration: \"1s\" }]", "content.shape.lineWidth",
      "number",
    ],
    [
      "content: { text: { string: \"a\", font: { family: \"DejaVu Sans\", size: 20000 } } }", "content.text.font.size",
      "number",
    ],
    [
      """
      content: { text: { string: "a", font: { family: "DejaVu Sans" } } },
      animations: [{ property: "text.fontSize", from: 10, to: 20000, beginTime: "2s", duration: "1s" }]
      """, "content.text.font.size", "number",
    ],
    ["mask: { borderWidth: -1 }", "mask.borderWidth", "number"],
    [
      """
      content: { replicator: { instanceCount: 1000 } },
      sublayers: [{ content: { replicator: { instanceCount: 1000 } }, sublayers: [{ bounds: [2, 2], backgroundColor: "red" }] }]
      """, "sublayers[0].sublayers[0]", "layers",
    ],
  ]

  @Test(arguments: limits.indices) func limitOfTheRenderer_isFoundByValidation(index: Int) throws {
    let (layer, place, word) = (Self.limits[index][0], Self.limits[index][1], Self.limits[index][2])
    let file = try ProjectTitleTests.project("{ text: \"a\" }, { layer: { \(layer) }, duration: \"9s\" }")
    let error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    #expect(error?.code == .invalidValue && error?.message.contains(word) == true, "\(error?.message ?? "")")
    #expect(error?.location.path == "titles[1].layer.\(place)")
  }

  @Test func lineBreaks_inGreatNumber_areAnsweredAtOnceWithTheTitle() throws {
    let text = String(repeating: "a\\n", count: 100_000)
    let file = try ProjectTitleTests.project("{ text: \"a\" }, { layer: { content: { text: { string: \"\(text)\" } } } }")
    let clock = ContinuousClock()
    var error: CompositorError?
    let time = clock.measure {
      error = #expect(throws: CompositorError.self) { try ProjectTitleTests.titles(file) }
    }
    #expect(time < .seconds(1))
    #expect(error?.location.path == "titles[1].layer.content.text" && error?.message.contains("20000") == true)
  }

  @Test func layersWithinTheLimits_passValidation() throws {
    let layers = [
      "content: { emitter: { birthRate: 3000, lifetime: \"5s\" } }, bounds: [9, 9], sublayers: [{ bounds: [4, 4] }]",
      "bounds: [4000, 4000], backgroundColor: \"red\"",
      "content: { shape: { path: \"M 0 0 A 10 10 0 1 1 5 5 Z\" } }",
    ]
    for layer in layers {
      let file = try ProjectTitleTests.project("{ layer: { \(layer) }, duration: \"9s\" }")
      #expect(throws: Never.self) { try ProjectTitleTests.titles(file) }
    }
  }
}
