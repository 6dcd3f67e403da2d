import CompositorAPI
import CompositorExport
import Foundation
import Testing

/// Notes of an export are values: a program filters them by kind and spells settings in words of its own.
@Suite struct ExportNoteTests {
  private static let note = ExportNote(
    .frameRate, "a.mp4 has 50 frames a second" + .advice("; \(setting: .frameRate, value: "50") shows them"),
    source: .file(path: "a.mp4"))

  @Test func note_isSpelledByItsReader() {
    #expect(Self.note.message == "a.mp4 has 50 frames a second")
    #expect(Self.note.description == "a.mp4 has 50 frames a second; ExportSettings.frameRate = 50 shows them")
    let text = Self.note.text { $0.setting == .frameRate ? "Frame rate: \($0.value ?? "")" : nil }
    #expect(text == "a.mp4 has 50 frames a second; Frame rate: 50 shows them")
    #expect(Self.note.recoveryOptions == [RecoveryOption(.frameRate, value: "50")])
  }

  @Test func note_decodedAgain_isTheSame() throws {
    let data = try JSONEncoder().encode(Self.note)
    #expect(try JSONDecoder().decode(ExportNote.self, from: data) == Self.note)
  }
}
