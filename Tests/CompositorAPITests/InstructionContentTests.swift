import CompositorAPI
import Foundation
import Testing

/// An instruction passes a track through, or composes layers.
@Suite struct InstructionContentTests {
  private let passing = Instruction(timeRange: range(0, 5), passthroughTrackID: 2)

  @Test func passthrough_hasNoComposedContent() {
    #expect(passing.passthroughTrackID == 2 && passing.requiredTrackIDs == [2] && !passing.containsTweening)
    #expect(passing.layers.isEmpty && passing.compositor == .layer && passing.additionalTrackIDs.isEmpty)
    #expect(passing.parameters.isEmpty && passing.animatedParameters.isEmpty)
  }

  @Test func partsOfThePassthrough_setToWhatTheyAre_changeNothing() {
    var same = passing
    same.layers = same.layers
    same.compositor = same.compositor
    same.parameters = same.parameters
    same.animatedParameters = same.animatedParameters
    same.additionalTrackIDs = same.additionalTrackIDs
    #expect(same == passing)
  }

  @Test func partsOfThePassthrough_setToOthers_compose() {
    var composed = passing
    composed.layers = [LayerInstruction(trackID: 7)]
    composed.parameters = ["amount": .number(2)]
    composed.additionalTrackIDs = [9]
    #expect(composed.passthroughTrackID == nil && composed.requiredTrackIDs == [7, 9])
    composed.content = .passthrough(3)
    #expect(composed.layers.isEmpty && composed.parameters.isEmpty && composed.requiredTrackIDs == [3])
    composed.compositor = "org.example.glow"
    #expect(composed.content == .composed(Instruction.Composed(compositor: "org.example.glow")))
  }

  @Test(arguments: [("builtin.layer", "org.example.glow"), (#""additionalTrackIDs":[]"#, #""additionalTrackIDs":[4]"#)])
  func json_withATrackBesideComposedContent_isRefused(_ empty: String, _ other: String) throws {
    let text = String(decoding: try JSONEncoder().encode(passing), as: UTF8.self)
    #expect(try JSONDecoder().decode(Instruction.self, from: Data(text.utf8)) == passing)
    let both = text.replacingOccurrences(of: empty, with: other)
    #expect(both != text)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Instruction.self, from: Data(both.utf8)) }
  }
}
