import CompositorAPI
import CompositorMedia
import CompositorProjectFormat
import CompositorTestSupport
import CompositorTimeline
import Foundation
import Testing

/// Elements of lists that are repeated for the items of a list, or depend on a condition.
@Suite struct RepetitionTests {
  /// A list of objects in a project.
  enum Place: String, CaseIterable {
    case sublayers, titles, clips

    /// A project with an element in the list.
    func project(_ element: String, variables: String) -> String {
      var (titles, clip) = ("", "")
      switch self {
      case .sublayers: titles = "{ layer: { sublayers: [{ bounds: [9, 9], \(element) }] } }"
      case .titles: titles = "{ text: \"a\", \(element) }"
      case .clips: clip = "{ asset: \"a\", duration: \"1s\", \(element) }"
      }
      return RepetitionTests.project(titles: titles, clip: clip, variables: variables)
    }

    /// The number of elements that it became.
    func count(_ timeline: Timeline) -> Int {
      switch self {
      case .titles: return timeline.titles.count
      case .clips: return timeline.tracks[0].clips.count - 1
      case .sublayers:
        guard case .layer(let tree)? = timeline.titles.first?.content else { return -1 }
        return tree.sublayers.count
      }
    }

    /// The path of the first one.
    var path: String {
      switch self {
      case .sublayers: "titles[0].layer.sublayers[0]"
      case .titles: "titles[0]"
      case .clips: "tracks[0].clips[1]"
      }
    }
  }

  static func project(titles: String = "", clip: String = "", variables: String = "{}") -> String {
    """
    { version: 1, output: { size: "320x180", frameRate: 25 }, variables: \(variables),
      assets: { a: { generate: "bars" } }, tracks: [{ clips: [{ asset: "a", duration: "1s" }, \(clip)] }],
      titles: [\(titles)] }
    """
  }

  private static func timeline(_ text: String, set: [String: String] = [:]) throws -> Timeline {
    try ProjectFile(text, name: "p", variables: set).timeline(catalog: MediaCatalog())
  }

  /// The first clip of a track has none before it; the advice is what works.
  @Test func repeatedClips_withTransitions_areTwoElements() throws {
    func text(_ clips: String) -> String {
      """
      { version: 1, output: { size: "320x180", frameRate: 25 }, variables: { r: ["a", "a", "a"] },
        assets: { a: { generate: "bars" } }, tracks: [{ clips: [\(clips)] }] }
      """
    }
    let clip = "forEach: '${r}', asset: '${item}', duration: '1s'"
    let transition = "transition: { duration: '0.2s' }"
    let file = try ProjectFile(text("{ \(clip), \(transition) }"), name: "p")
    do throws(CompositorError) {
      _ = try file.edit(catalog: MediaCatalog())
      Issue.record("A transition without a clip before it is accepted.")
    } catch {
      let advice = file.locating(error).recoverySuggestion
      #expect(advice?.contains("unless: \"${index}\"") == true && advice?.contains("if: \"${index}\"") == true, "\(error)")
    }
    let divided = "{ \(clip), unless: '${index}' }, { \(clip), if: '${index}', \(transition) }"
    let edit = try ProjectFile(text(divided), name: "p").edit(catalog: MediaCatalog())
    #expect(edit.composition.duration == .seconds(2.6))
  }

  private static func texts(_ titles: String, variables: String = "{}", set: [String: String] = [:]) throws -> [String] {
    try timeline(project(titles: titles, variables: variables), set: set).titles.map { title in
      guard case .template(.title(let text), _) = title.content else { return "?" }
      return text
    }
  }

  private static func error(_ titles: String, variables: String = "{}", set: [String: String] = [:]) -> CompositorError? {
    #expect(throws: CompositorError.self) { try texts(titles, variables: variables, set: set) }
  }

  /// The kinds of values, and what becomes of an element with each key: a number of elements, or an error.
  static let kinds: [(variables: String, forEach: String, condition: String, member: String, index: String)] = [
    ("{ V: \"x\" }", "found a string", "1", "\"V\" is a string, which has no members.", "\"V\" is a string, not a list."),
    ("{ V: 3 }", "found a number", "1", "\"V\" is a number, which has no members.", "\"V\" is a number, not a list."),
    ("{ V: [\"p\", \"q\"] }", "2", "1", "\"V\" is a list, which has no members.", "1"),
    ("{ V: { name: \"n\" } }", "found an object", "1", "1", "\"V\" is an object, not a list."),
    ("{}", "\"V\" has no value", "\"V\" has no value", "\"V.name\" has no value", "\"V[1]\" has no value"),
  ]

  @Test(arguments: Place.allCases, 0..<kinds.count)
  func kindOfValue_atAKey_isCountedOrAMistakeThere(_ place: Place, _ kind: Int) throws {
    let kind = Self.kinds[kind]
    for (key, element, expected) in [
      ("forEach", "forEach: \"${V}\"", kind.forEach), ("if", "if: \"${V}\"", kind.condition),
      ("if", "if: \"${V.name}\"", kind.member), ("if", "if: \"${V[1]}\"", kind.index),
    ] {
      let text = place.project(element, variables: kind.variables)
      if let count = Int(expected) {
        #expect(place.count(try Self.timeline(text)) == count, "\(element) of \(kind.variables)")
      } else {
        let error = try #require(throws: CompositorError.self) { try Self.timeline(text) }
        #expect(error.message.contains(expected) && error.location.path == "\(place.path).\(key)", "\(error)")
        #expect(error.location.place?.hasPrefix("p:") == true, "\(error)")
      }
    }
    let left = place.project("if: \"${W:}\"", variables: kind.variables)
    #expect(place.count(try Self.timeline(left)) == 0)
  }

  @Test func items_haveMembersAndNumbers() throws {
    let variables = "{ players: [{ name: \"Ada\", goals: 3 }, { name: \"Bo\", goals: 1 }], best: { of: [\"x\", \"y\"] } }"
    #expect(
      try Self.texts("{ forEach: \"${players}\", text: \"${index} ${item.name} ${item.goals}\" }", variables: variables)
        == ["0 Ada 3", "1 Bo 1"])
    let names = "list: \"${players}\", item: \"player\", index: \"n\", first: 1"
    let named = "{ text: \"0\" }, { forEach: { \(names) }, text: \"${n}. ${player.name}\" }, { text: \"9\" }"
    #expect(try Self.texts(named, variables: variables) == ["0", "1. Ada", "2. Bo", "9"])
    let inline = "{ forEach: [\"a\", \"${best.of[1]}\"], text: \"${item}\" }"
    #expect(try Self.texts(inline, variables: variables) == ["a", "y"])
    let defaults = "{ text: \"${players[1].name} ${best.to:z} ${best.of[7]:none}\" }"
    #expect(try Self.texts(defaults, variables: variables) == ["Bo z none"])
    #expect(try Self.texts("{ forEach: \"${none:}\", text: \"a\" }") == [])
  }

  /// What a string of a table means in a condition is the same as of a number or a boolean.
  @Test(arguments: [
    ("\"\"", false), ("\" \"", false), ("\"0\"", false), ("\"0.0\"", false), ("\"false\"", false), ("0", false),
    ("false", false), ("[]", false), ("{}", false), ("\"a\"", true), ("\"true\"", true), ("\"1\"", true), ("-0.5", true),
    ("true", true), ("[0]", true), ("{ a: 0 }", true), ("\"0s\"", true), ("\"FALSE\"", false), ("\"False\"", false),
    ("\"TRUE\"", true), ("\"no\"", true),
  ])
  func condition_holdsUnlessEmptyZeroOrFalse(value: String, holds: Bool) throws {
    let titles = "{ if: \"${V}\", text: \"if\" }, { unless: \"${V}\", text: \"unless\" }"
    #expect(try Self.texts(titles, variables: "{ V: \(value) }") == [holds ? "if" : "unless"])
  }

  @Test(arguments: [
    ("\"final\"", "\"final\"", true), ("\"final\"", "\"Final\"", false), ("\"2\"", "2", true), ("2.0", "\"2\"", true),
    ("\"true\"", "true", true), ("\"\"", "\"\"", true), ("\" a\"", "\"a\"", true), ("0", "false", false),
    ("\"TRUE\"", "true", true), ("\" FALSE\"", "\"false\"", true), ("\"TRUE\"", "false", false),
  ])
  func comparison_holdsForEqualValues(value: String, other: String, holds: Bool) throws {
    let condition = "{ value: \"${V}\", equals: \(other) }"
    let titles = "{ if: \(condition), text: \"if\" }, { unless: \(condition), text: \"no\" }"
    #expect(try Self.texts(titles, variables: "{ V: \(value) }") == [holds ? "if" : "no"])
  }

  @Test func condition_ofARepeatedElement_isThatOfEachItem() throws {
    let titles = "{ forEach: \"${rows}\", if: \"${item.on}\", unless: { value: \"${index}\", equals: 2 }, text: \"${index}\" }"
    let rows = "{ rows: [{ on: true }, { on: false }, { on: 1 }, { on: \"yes\" }] }"
    #expect(try Self.texts(titles, variables: rows) == ["0", "3"])
  }

  @Test func repetition_inARepetition_hasBothItems() throws {
    let text = Self.project(
      titles: """
        { layer: { sublayers: [{
          forEach: { list: "${teams}", item: "team" }, name: "${team.name}",
          sublayers: [{
            forEach: { list: "${team.players}", item: "player", index: "place" },
            name: "${team.name}${player}${index}${place}",
          }],
        }] } }
        """,
      variables: """
        { teams: [{ name: "A", players: ["x", "y"] }, { name: "B", players: ["z"] }, { name: "C", players: [] }] }
        """)
    guard case .layer(let tree)? = try Self.timeline(text).titles.first?.content else {
      Issue.record("no tree")
      return
    }
    #expect(tree.sublayers.map(\.name) == ["A", "B", "C"])
    #expect(tree.sublayers.map { $0.sublayers.map(\.name) } == [["Ax00", "Ay01"], ["Bz10"], []])
    let wrong = text.replacing("${team.name}${player}", with: "${player.name}")
    let error = try #require(throws: CompositorError.self) { try Self.timeline(wrong) }
    #expect(error.message.hasSuffix("Here \"team\" is teams[0] and \"player\" is teams[0].players[0]."), "\(error)")
  }

  /// Fields of tables are strings, which get the type of their place, also inside of whole lists and objects.
  @Test func wholeListsAndObjects_haveTheTypesOfTheirPlaces() throws {
    let text = Self.project(
      titles: "\"${first}\", { text: \"b\", position: \"${where}\" }",
      variables: "{ first: { text: \"a\", weight: \"700\", start: \"1s\" }, where: [10, \"50%\"] }")
    let titles = try Self.timeline(text).titles
    #expect(titles.count == 2 && titles[0].start == .seconds(1))
    guard case .template(_, let style) = titles[0].content else { return }
    #expect(style.weight == 700)
  }

  @Test(arguments: [
    ("{ text: \"${player.scroe}\" }", "\"player\" has no member \"scroe\".", "Did you mean \"score\"?"),
    ("{ text: \"${list[2]}\" }", "\"list\" has 2 items, and no [2].", "the last is [1]"),
    ("{ text: \"${list.1}\" }", "\"list\" is a list, which has no members.", "${list[1]}"),
    ("{ text: \"${list.length}\" }", "\"list\" is a list, which has no members.", "forEach: \"${list}\""),
    ("{ layer: { motionBlur: { exposure: 180 } } }", "The time 180 has no unit.", "180 degrees are \"20ms\""),
    ("{ text: \"${list[x]}\" }", "\"[x]\" is no item of \"list\".", "${list[0]}"),
    ("{ text: \"a${player}\" }", "The variable \"player\" is an object, which cannot be part of a string.", "${player.score}"),
    ("{ text: \"a${list}\" }", "is a list, which cannot be part of a string.", "alone"),
    ("{ forEach: \"list\", text: \"a\" }", "Expected a list, but found a string.", "${list}"),
    ("{ forEach: { list: \"${list}\", itme: \"x\" }, text: \"a\" }", "There is no key \"itme\" here.", "\"item\""),
    ("{ forEach: { list: \"${list}\", index: \"item\" }, text: \"a\" }", "both called \"item\"", "different names"),
    ("{ forEach: { item: \"x\" }, text: \"a\" }", "\"list\" is missing", ""),
    ("{ if: { value: \"${list}\", equals: 1 }, text: \"a\" }", "Expected a string, a number, true or false", ""),
    ("{ layer: { mask: { if: true } } }", "There is no key \"if\" here.", "Only elements of a list"),
  ])
  func mistake_isToldWithWhatToWrite(titles: String, message: String, advice: String) throws {
    let error = try #require(Self.error(titles, variables: "{ player: { score: 1 }, list: [1, 2] }"))
    let isAdvised = advice.isEmpty || error.recoverySuggestion?.contains(advice) == true
    #expect(error.message.contains(message) && isAdvised, "\(error)")
    #expect(error.code == .invalidProject && error.location.place?.hasPrefix("p:3:") == true, "\(error)")
  }

  /// A mistake that only one item has is at the place of the element's own text.
  @Test func mistakeOfAnItem_isAtTheElementWithTheItem() throws {
    let titles = "{ forEach: { list: \"${rows}\", item: \"row\" }, text: \"a\", weight: \"${row.weight}\" }"
    let error = try #require(Self.error(titles, variables: "{ rows: [{ weight: 400 }, { weight: \"bold\" }] }"))
    #expect(
      error.message
        == "Expected an integer, but found a string. Here \"${row.weight}\" is \"bold\", and \"row\" is rows[1].", "\(error)")
    #expect(error.location.path == "titles[1].weight")
    let written = try #require(titles.firstRange(of: "\"${row.w"))
    let column = "  titles: [".count + titles.distance(from: titles.startIndex, to: written.lowerBound)
    #expect(error.location.place == "p:3:\(column + 1)", "\(error)")
    let unknown = try #require(Self.error("{ forEach: [1, 2], txet: \"a\" }"))
    #expect(unknown.message == "There is no key \"txet\" here. Here \"item\" is forEach[0].")
  }

  @Test func names_ofLeftOutElements_areUsed() throws {
    #expect(try Self.texts("{ if: \"${on:}\", text: \"${subtitle}\" }", set: ["subtitle": "x"]) == [])
    #expect(try Self.texts("{ forEach: \"${rows:}\", text: \"${item.a} ${more}\" }", set: ["more": "x"]) == [])
    let stray = Self.error("{ forEach: [1], text: \"${item}\" }", set: ["item": "x"])
    #expect(stray?.message == "The project has no variable \"item\".")
  }

  /// A short text that asks for more than any machine has memory for is refused before it is made.
  @Test func repetitions_areBounded() throws {
    func list(_ count: Int) -> String { "{ L: [\(Array(repeating: "1", count: count).joined(separator: ","))] }" }
    #expect(try Self.texts("{ forEach: \"${L}\", if: false, text: \"a\" }", variables: list(10_000)) == [])
    let many = try #require(Self.error("{ forEach: \"${L}\", text: \"a\" }", variables: list(10_001)))
    #expect(many.message.hasPrefix("The repetitions make more than 10000 elements."), "\(many)")
    let inner = "{ forEach: \"${L}\", layer: { sublayers: [{ forEach: \"${L}\", bounds: [1, 1] }] } }"
    let nested = try #require(Self.error(inner, variables: list(200)))
    #expect(nested.message.hasPrefix("The repetitions make more than 10000 elements."), "\(nested)")
    let numbers = Array(repeating: "1", count: 2000).joined(separator: ",")
    let wide = "{ forEach: \"${L}\", position: [\(numbers)], text: \"${item}\" }"
    let large = try #require(Self.error(wide, variables: list(1000)))
    #expect(large.message.hasPrefix("The repetitions make more than 1000000 values."), "\(large)")
  }
}
