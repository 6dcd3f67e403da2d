public import CompositorAPI
public import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

/// What a project says about its output as a file: entries, chapters, a cover.
public struct ProjectMetadata: Hashable, Sendable {
  /// Entries such as `title`.
  public var entries: [String: String] = [:]
  /// The file whose entries and date the output keeps; nil for none.
  public var source: String?
  /// Chapters in the order of the project; see ``chapters(frameRate:)``.
  var marks: [ProjectChapter] = []
  /// The cover; nil for none.
  public var cover: ProjectCover?
  /// Whether the index of a file of the MPEG-4 family stands before the media.
  public var hasFastStart = true
  /// How players turn the frames.
  public var orientation = Orientation.upright

  /// Nothing is said.
  public init() {}

  /// The chapters in the time of the timeline.
  ///
  /// - Throws: `.invalidValue` where a timecode does not exist at that rate.
  public func chapters(frameRate: Rational) throws(CompositorError) -> [Chapter] {
    var chapters: [Chapter] = []
    for (index, mark) in marks.enumerated() {
      do throws(CompositorError) {
        chapters.append(Chapter(start: try mark.time.time(atFrameRate: frameRate), title: mark.title))
      } catch {
        throw error.locating(ErrorLocation(path: "output.chapters[\(index)].at"))
      }
    }
    return chapters
  }
}

/// A chapter as it is written.
struct ProjectChapter: Hashable, Sendable {
  var time: ProjectTime
  var title: String
}

/// Where the cover of a project's output comes from.
public enum ProjectCover: Hashable, Sendable {
  /// A JPEG or PNG file.
  case file(path: String)
  /// A picture of the movie.
  case frame(at: ProjectTime)
}

extension ProjectSchema {
  /// Keys of the output that say something of the file.
  static let outputMetadataKeys = [
    KeyShape(
      "metadata", .map(.any([.text, .list(anyNumber, minimum: 2, maximum: 3)])),
      "Entries of the file: title, artist, date, comment, copyright …; location is ISO 6709, or [degrees north, degrees east, meters]."
    ),
    KeyShape("metadataFrom", .text, "A media file whose entries and date of recording the output keeps."),
    KeyShape("chapters", .list(.object("chapter")), "Chapters that players list, in the order of time."),
    KeyShape("cover", .any([.text, .object("cover")]), "A .jpg or .png file that players show, or a picture of the movie."),
    KeyShape(
      "fastStart", .bool,
      "Whether the index of mp4, mov, m4v and m4a stands first, so that playing can start at once; by default true."),
    KeyShape(
      "rotation", .integer(0...270),
      "How far players turn the frames clockwise when they show them: 0, 90, 180 or 270 degrees; by default 0."),
  ]

  /// Objects of the keys above.
  static let metadataShapes = [
    ObjectShape(
      "chapter", "a chapter",
      [
        KeyShape("at", .time, required: true, "When it starts; it lasts until the next one."),
        KeyShape("title", .text, required: true, "What players call it."),
      ]),
    ObjectShape("cover", "a cover", [KeyShape("at", .time, required: true, "The time of the picture that is the cover.")]),
  ]
}

extension ProjectReader {
  /// What an output says of the file.
  func metadata(_ output: ProjectObject) throws(CompositorError) -> ProjectMetadata {
    var metadata = ProjectMetadata()
    for (key, value) in try output["metadata"]?.map() ?? [] {
      metadata.entries[key] = value.isList ? try location(value, key) : try text(value, key)
    }
    metadata.source = try output.read("metadataFrom", path)
    metadata.marks =
      try output.list("chapters") { (value) throws(CompositorError) in
        let object = try value.object(ProjectSchema.shape("chapter"))
        let title = try object.required("title").string()
        guard !title.isEmpty else { throw try object.required("title").error("A chapter needs a title.") }
        return ProjectChapter(time: try object.required("at").time(), title: title)
      } ?? []
    metadata.cover = try output.read("cover") { (value) throws(CompositorError) in
      guard !value.isText else { return .file(path: try path(value)) }
      return .frame(at: try value.object(ProjectSchema.shape("cover")).required("at").time())
    }
    metadata.hasFastStart = try output.bool("fastStart") ?? true
    metadata.orientation =
      try output.read("rotation") { (value) throws(CompositorError) in
        let degrees = try value.integer(0...270)
        guard degrees % 90 == 0 else { throw value.error("Frames turn by 0, 90, 180 or 270 degrees, not by \(degrees).") }
        return Orientation(quarterTurns: degrees / 90)
      } ?? .upright
    return metadata
  }

  private func text(_ value: ProjectValue, _ key: String) throws(CompositorError) -> String {
    let text = try value.string()
    guard !text.isEmpty else { throw value.error("The entry \(quoted(key)) is empty.", recoverySuggestion: "Leave it out.") }
    if key == "location" { _ = try value.placing { () throws(CompositorError) in try GeographicLocation(iso6709: text) } }
    return text
  }

  private func location(_ value: ProjectValue, _ key: String) throws(CompositorError) -> String {
    let elements = try value.list()
    guard key == "location", (2...3).contains(elements.count) else {
      throw value.error("\(quoted(key)) is a text in quotes; a location may be [degrees north, degrees east, meters].")
    }
    var numbers: [Double] = []
    for element in elements { numbers.append(try element.number(-1e9...1e9)) }
    return try value.placing { () throws(CompositorError) in
      try GeographicLocation(latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
        .iso6709
    }
  }
}
