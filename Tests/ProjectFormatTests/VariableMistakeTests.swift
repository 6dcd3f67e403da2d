import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorProjectFormat
import CompositorValidation
import Testing

/// Mistakes around variables, tables and places: each says where, and what to do.
@Suite struct VariableMistakeTests {
  private static func error(_ text: String, set: [String: String] = [:]) -> CompositorError? {
    do throws(CompositorError) {
      let file = try ProjectFile(text, name: "p", variables: set)
      let catalog = MediaCatalog()
      let edit = try file.edit(catalog: catalog)
      let composition: ValidatedComposition
      do throws(CompositorError) {
        composition = try CompositionValidator.validate(edit, catalog: catalog).get()
        try file.checkDelivery(of: composition)
        let mistakes = file.outputDiagnostics(for: composition, file.delivery(of: composition))
        if let mistake = mistakes.first { return file.locating(mistake.error) }
      } catch {
        throw file.locating(error)
      }
      return nil
    } catch {
      return error
    }
  }

  private static func project(variables: String = "{}", video: String = "{}", clip: String = "") -> String {
    """
    { version: 1, variables: \(variables),
      output: { size: "64x36", frameRate: 25, video: \(video) },
      assets: { a: { generate: "bars", size: "64x36" } },
      tracks: [{ clips: [{ asset: "a", duration: "1s", \(clip) }] }] }
    """
  }

  @Test func defaultWithAVariable_isAnError() throws {
    let error = try #require(Self.error(Self.project(clip: "opacity: \"${a:${b}}\""), set: ["b": "1"]))
    #expect(error.code == .invalidProject && error.message.contains("defaults cannot contain variables"))
    #expect(error.location.path == "tracks[0].clips[0].opacity")
  }

  @Test func valueOfAnotherType_isToldWhereTheVariableIsDeclared() throws {
    let error = try #require(Self.error(Self.project(variables: "{ on: true }"), set: ["on": "no"]))
    #expect(error.code == .invalidParameter && error.message.contains("\"on\"") && error.message.contains("\"no\""))
    #expect(error.location.place == "p:1:32" && error.location.path == "variables.on")
  }

  @Test(arguments: ["\"\"", "\"a b\"", "\"a:b\"", "\"a}\"", "\"${x}\""])
  func nameWithOtherCharacters_isAnError(name: String) throws {
    let error = try #require(Self.error(Self.project(variables: "{ \(name): 1 }")))
    #expect(error.code == .invalidProject && error.message.contains("cannot be the name of a variable"))
    #expect(error.location.place?.hasPrefix("p:1:") == true)
  }

  @Test(arguments: ["name", "größe", "first_name", "a-b", "a.b", "n1"])
  func nameOfLettersAndDigits_isAccepted(name: String) {
    #expect(Self.error(Self.project(variables: "{ \"\(name)\": 1 }", clip: "opacity: \"${\(name)}\"")) == nil)
  }

  @Test func qualityOutOfRange_isToldAtItsPlace() throws {
    let error = try #require(Self.error(Self.project(video: "{ quality: \"${q:30}\" }"), set: ["q": "99"]))
    #expect(error.message == "There is no quality 99 of h264. Here \"${q:30}\" is 99.")
    #expect(error.location.place == "p:2:61" && error.location.path == "output.video.quality")
    let literal = try #require(Self.error(Self.project(video: "{ quality: 99.5 }")))
    #expect(literal.message == "There is no quality 99.5 of h264.")
    #expect(literal.location.place == "p:2:61" && literal.location.path == "output.video.quality")
  }

  @Test(arguments: ["-1", "\"-1/2\"", "-0.25"])
  func negativeSpeed_saysWhatPlaysBackward(speed: String) throws {
    let error = try #require(Self.error(Self.project(clip: "speed: \(speed)")))
    let advice = try #require(error.recoverySuggestion)
    #expect(advice.contains("1/10000 to 10000") && advice.contains("0 for a still frame") && advice.contains("reverse: true"))
  }

  @Test func assetThatIsNowhere_isToBeAdded() throws {
    let error = try #require(Self.error("{ version: 1, tracks: [{ clips: [{ asset: \"zz\" }] }] }"))
    #expect(error.message == "There is no asset \"zz\".")
    #expect(error.recoverySuggestion == "Add it to the project's assets: assets: { \"zz\": \"movie.mp4\" }.")
  }

  @Test func columnCalledRow_isAMistakeOfTheTable() throws {
    do throws(CompositorError) {
      _ = try CSVTable("name,row\nAda,7\n", name: "t.csv")
      Issue.record("the table was accepted")
    } catch {
      #expect(error.code == .invalidProject && error.location.place == "t.csv:1" && error.message.contains("\"row\""))
    }
    #expect(try RowName.fill("{row}-{name}", row: 3, fields: ["name": "Ada"]) == "3-Ada")
  }

  @Test func mediaThatIsMissing_isReportedApartFromItsPlace() throws {
    let error = try #require(
      Self.error("{ version: 1, assets: { a: \"nope.mp4\" },\n tracks: [{ clips: [{ asset: \"a\" }] }] }"))
    #expect(error.location.place == "p:2:30: nope.mp4" && error.location.file == "nope.mp4", "\(error)")
    #expect(error.location.document == DocumentPosition(file: "p", line: 2, column: 30))
    let report = error.report(.swift)
    #expect(report["file"] as? String == "p" && report["line"] as? Int == 2 && report["column"] as? Int == 30)
    #expect(report["media"] as? String == "nope.mp4" && report["path"] as? String == error.location.path)
  }
}
