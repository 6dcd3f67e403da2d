import CompositorAPI
import Foundation
import Testing

/// Advice is a sentence, and may have a value to write, which errors and diagnostics keep.
@Suite struct AdviceTests {
  @Test func write_makesTheSentenceOfTheValue() {
    #expect(Advice.write(.string("-6dB"), " for decibels.").sentence == "Write \"-6dB\" for decibels.")
    #expect(Advice.write(.word("1"), key: "version").sentence == "Write version: 1.")
    #expect(Advice.write(.object(key: "use", "blur")).sentence == "Write { use: \"blur\" }.")
    #expect(Advice.write(.string("auto"), key: "at").literal == WrittenLiteral(key: "at", value: .string("auto")))
  }

  @Test func number_withAUnit_isOnlyASentence() {
    #expect(Advice.write(number: "29.97").literal == WrittenLiteral(value: .word("29.97")))
    let sentence = Advice.write(number: "29.97fps")
    #expect(sentence.sentence == "Write 29.97fps." && sentence.literal == nil)
  }

  @Test func literal_isNoValue() {
    let advice: Advice = "Write version: \(1)."
    #expect(advice.sentence == "Write version: 1." && advice.literal == nil)
  }

  @Test func value_passesFromErrorToDiagnosticAndBack() {
    let advice = Advice.write(.string("auto"), key: "at")
    let error = CompositorError(.invalidValue, "The clip must start elsewhere.", advice: advice)
    #expect(error.recoverySuggestion == "Write at: \"auto\"." && error.advice == advice)
    #expect(error.locating(ErrorLocation(path: "tracks[0]")).advice == advice)
    let diagnostic = ValidationDiagnostic(error)
    #expect(diagnostic.recoverySuggestion == advice.sentence && diagnostic.literal == advice.literal)
    #expect(diagnostic.error.advice == advice)
    #expect(CompositorError(.invalidValue, "A", recoverySuggestion: advice.sentence).advice?.literal == nil)
  }

  @Test func anotherSentence_hasNoValue() {
    var diagnostic = ValidationDiagnostic(.invalidTitle, "A").advising(.write(.word("1"), key: "reveal"))
    #expect(diagnostic.literal != nil)
    diagnostic.recoverySuggestion = "Remove it."
    #expect(diagnostic.literal == nil && diagnostic.advising(nil).recoverySuggestion == nil)
  }

  @Test func value_isNotPartOfTheJSON() throws {
    let plain = ValidationDiagnostic(.invalidTitle, "A", recoverySuggestion: "Write reveal: 1.", path: "titles")
    let advised = plain.advising(.write(.word("1"), key: "reveal"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(advised) == encoder.encode(plain))
    #expect(try JSONDecoder().decode(ValidationDiagnostic.self, from: encoder.encode(advised)) == plain)
  }
}
