import CompositorAPI
import Foundation
import CompositorOverlay
import Testing

/// Animations that could never do what they say are refused, written in JSON or made in Swift.
struct AnimationCheckTests {
  /// Animations of a plain layer, and a part of what is said about them.
  static let mistakes: [(json: String, message: String)] = [
    (#"{"property":"opacity"}"#, "no values"),
    (#"{"property":"opacity","from":0,"to":1,"duration":-1}"#, "below 0"),
    (#"{"property":"opacity","from":0,"to":1,"repeatCount":-1}"#, "below 0"),
    (#"{"property":"opacity","from":[0,1]}"#, "valid value for opacity"),
    (#"{"property":"position","from":0,"to":1}"#, "valid value for position"),
    (#"{"property":"position","from":"red"}"#, "valid value for position"),
    (#"{"property":"bounds","to":"red"}"#, "valid value for bounds"),
    (#"{"property":"opacity","values":[]}"#, "no values"),
    (#"{"property":"opacity","values":[0,1,0],"keyTimes":[0,1]}"#, "2 key times"),
    (#"{"property":"opacity","values":[0,1,0],"keyTimes":[0,1,0.5]}"#, "rise"),
    (#"{"property":"opacity","values":[0,1],"keyTimes":[0,2]}"#, "rise"),
    (#"{"property":"opacity","values":[0,1],"easings":["ease-in","ease-out"]}"#, "2 easings"),
    (#"{"property":"opacity","values":[0,1],"rotation":"auto"}"#, "no"),
    (#"{"property":"opacity","path":"M 0 0 L 1 1"}"#, "cannot follow a path"),
    (#"{"property":"position","path":""}"#, "no values"),
    (#"{"property":"opacity","from":0,"easing":"cubic-bezier(2, 0, 0, 1)"}"#, "back in time"),
    (#"{"property":"opacity","from":0,"easing":"steps(0)"}"#, "at least 1"),
    (#"{"property":"opacity","from":0,"spring":{"mass":0}}"#, "spring"),
    (#"{"property":"opacity","from":0,"spring":{"damping":-1}}"#, "spring"),
    (#"{"property":"opacity","spring":{}}"#, "no values"),
    (#"{"group":[{"transition":{}}]}"#, "group"),
    (#"{"group":[{"property":"opacity","from":0,"duration":-1}]}"#, "below 0"),
    (#"{"property":"text.value","from":0,"to":1}"#, "does not have"),
    (#"{"group":[{"property":"emitter.birthRate","from":0}]}"#, "does not have"),
  ]

  @Test(arguments: mistakes.indices) func animation_thatCannotBe_isRefusedWithItsReason(index: Int) throws {
    let (json, message) = Self.mistakes[index]
    let layer = Data(#"{"bounds":[4,4],"animations":[\#(json)]}"#.utf8)
    let error = #expect(throws: CompositorError.self) { try JSONDecoder().decode(Layer.self, from: layer) }
    #expect(error?.code == .invalidValue && error?.recoverySuggestion != nil)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    #"{"property":"opacity","values":[0,1],"keyTimes":[0,0.5,1],"mode":"discrete"}"#,
    #"{"property":"opacity","values":[0,1,0],"keyTimes":[],"mode":"paced"}"#,
    #"{"property":"position","path":"M 0 0 L 9 9 L 9 0","keyTimes":[0,0.9,1],"rotation":"auto"}"#,
    #"{"property":"transform.scale","from":[1,2],"to":[2,1]}"#,
    #"{"property":"backgroundColor","from":[1,0,0],"to":"lime"}"#,
    #"{"property":"opacity","from":0,"repeatCount":"forever","speed":-1}"#,
  ]) func animation_thatCanBe_isTaken(json: String) throws {
    let layer = Data(#"{"bounds":[4,4],"animations":[\#(json)]}"#.utf8)
    #expect(throws: Never.self) { try JSONDecoder().decode(Layer.self, from: layer) }
  }

  @Test func gradientColors_asListsOfColors_areTheirNumbers() throws {
    let json = Data(##"{"property":"gradient.colors","from":["red","#00ff0080"],"to":[[0,0,1],[1,1,1,1]]}"##.utf8)
    let animation = try JSONDecoder().decode(Animation.self, from: json)
    let half = 128.0 / 255
    #expect(
      animation.kind
        == .basic(
          .gradientColors, from: .numbers([1, 0, 0, 1, 0, 1, 0, half]), to: .numbers([0, 0, 1, 1, 1, 1, 1, 1]), by: nil))
  }

  @Test func treeMadeInSwift_withAMistakeDeepInIt_isRefusedByTheRenderer() throws {
    var inner = Canvas.box(Rect(x: 0, y: 0, width: 4, height: 4))
    inner.name = "dot"
    inner.animations = [.basic(.opacity, from: 0, timing: LayerTiming(duration: -1))]
    var outer = Layer()
    outer.mask = inner
    for tree in [Canvas.root(TitleErrorTests.size, [inner]), Canvas.root(TitleErrorTests.size, [outer])] {
      let error = #expect(throws: CompositorError.self) {
        try OverlayRenderer(root: tree, renderSize: TitleErrorTests.size)
      }
      #expect(error?.location.path?.hasSuffix("animations[0]") == true)
    }
    inner.animations = []
    inner.timing.speed = .nan
    #expect(throws: CompositorError.self) {
      try OverlayRenderer(root: Canvas.root(TitleErrorTests.size, [inner]), renderSize: TitleErrorTests.size)
    }
  }

  @Test func timecode_droppingFramesAtARateThatHasNone_isRefused() throws {
    let json = Data(#"{"timecode":{"framesPerSecond":25,"dropFrame":true}}"#.utf8)
    #expect(throws: CompositorError.self) { try JSONDecoder().decode(TextGenerator.self, from: json) }
  }
}
