import CompositorMediaIO
import Foundation
import Testing

@Test func warning_ofAnotherVersion_isReadAndWritten() throws {
  let json = #"{"kind":"fromAnotherVersion","message":"It is odd."}"#
  let warning = try JSONDecoder().decode(MediaWarning.self, from: Data(json.utf8))
  #expect(warning == MediaWarning(MediaWarning.Kind(rawValue: "fromAnotherVersion"), "It is odd."))
  #expect("\(warning.kind)" == "fromAnotherVersion")
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  #expect(String(decoding: try encoder.encode(warning), as: UTF8.self) == json)
}
