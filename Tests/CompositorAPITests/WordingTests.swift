import CompositorAPI
import Foundation
import Testing

/// A sentence names settings as values, and each program spells them.
@Suite struct WordingTests {
  private static let note: Wording =
    "a.mp4 has 50 frames a second, the output \(25)" + .advice("; \(setting: .frameRate, value: "50") shows them")
  private static let options = SettingSpelling { $0.setting == .frameRate ? "--fps \($0.value ?? "")" : nil }

  @Test func settings_areSpelledByThePrograms() {
    #expect(Self.note.description == "a.mp4 has 50 frames a second, the output 25; ExportSettings.frameRate = 50 shows them")
    #expect(Self.note.text(Self.options) == "a.mp4 has 50 frames a second, the output 25; --fps 50 shows them")
    #expect(Self.note.message == "a.mp4 has 50 frames a second, the output 25")
    #expect(Self.note.recoveryOptions == [RecoveryOption(.frameRate, value: "50")])
  }

  @Test func settingWithoutWords_hasThoseOfSwift() {
    let wording: Wording = "without \(setting: .passthrough), \(setting: .variable, value: "name")"
    #expect(wording.text(Self.options) == "without ExportSettings.passthrough, variables[\"name\"]")
    #expect(wording.spelled(Self.options).recoveryOptions.isEmpty)
  }

  @Test func operations_areInWords_unlessAProgramHasACommand() throws {
    let advice: Advice = "\(operation: .probe) lists the tracks."
    let error = CompositorError(.trackNotFound, "A", advice: advice)
    #expect(error.recoverySuggestion == "A probe of the file lists the tracks." && error.recoveryOptions.isEmpty)
    let commands = SettingSpelling(operation: { $0 == .probe ? "`tool probe`" : nil }) { _ in nil }
    #expect(error.spelled(commands).recoverySuggestion == "`tool probe` lists the tracks.")
    #expect(ValidationDiagnostic(error).spelled(commands).recoverySuggestion == "`tool probe` lists the tracks.")
    let wording: Wording = "numbers as \(operation: .probe) counts, \(operation: .plan) too"
    #expect(wording.text(commands) == "numbers as `tool probe` counts, the planning of a movie too")
    #expect(try JSONDecoder().decode(Wording.self, from: JSONEncoder().encode(wording)) == wording)
  }

  @Test func sentences_areJoinedAndCapitalized() {
    let parts: [Wording] = ["audio 1" + .advice(" (\(setting: .audioTracks) keeps it)"), "subtitles 0"]
    let all: Wording = "not used: \(parts.joined(separator: "; "))"
    #expect(all.message == "not used: audio 1; subtitles 0")
    #expect(all.capitalized.description == "Not used: audio 1 (Edit.audioTracks keeps it); subtitles 0")
  }

  @Test func wording_decodedAgain_isTheSame() throws {
    let data = try JSONEncoder().encode(Self.note)
    #expect(try JSONDecoder().decode(Wording.self, from: data) == Self.note)
  }

  @Test func advice_keepsItsSettings() {
    let advice: Advice = "Choose another rate: \(setting: .frameRate, value: "25")."
    let error = CompositorError(.invalidValue, "A", advice: advice, systemErrorNumber: 5)
    #expect(error.recoverySuggestion == "Choose another rate: ExportSettings.frameRate = 25.")
    #expect(error.recoveryOptions == [RecoveryOption(.frameRate, value: "25")])
    let spelled = error.spelled(Self.options)
    #expect(spelled.recoverySuggestion == "Choose another rate: --fps 25." && spelled.systemErrorNumber == 5)
    let diagnostic = ValidationDiagnostic(error)
    #expect(diagnostic.recoveryOptions == error.recoveryOptions && diagnostic.error.recoveryOptions == error.recoveryOptions)
    #expect(diagnostic.spelled(Self.options).recoverySuggestion == "Choose another rate: --fps 25.")
  }

  @Test func spelledAdvice_keepsTheValueToWrite() {
    let literal = WrittenLiteral(key: "ends", value: .string("video"))
    let advice = Advice(wording: "Write \(setting: .ends, value: "video").", writing: literal)
    #expect(ValidationDiagnostic(.unevenEnds, "A").advising(advice).spelled(Self.options).literal == literal)
  }
}
