public import CompositorAPI
public import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline

/// The metadata of a project's output file: entries, chapters and a cover.
public struct ProjectMetadata: Hashable, Sendable {
  /// Entries such as `title`, by name.
  public var entries: [String: String] = [:]
  /// The file whose entries and date the output copies; `nil` for none.
  public var source: String?
  /// The chapters in project order; see ``chapters(frameRate:)``.
  var marks: [ProjectChapter] = []
  /// The cover image; `nil` for none.
  public var cover: ProjectCover?
  /// Whether the index of an MPEG-4 file precedes the media.
  public var hasFastStart = true
  /// The rotation and mirroring that players apply to the frames.
  public var orientation = Orientation.upright

  /// Creates empty metadata.
  public init() {}

  /// The chapters in timeline time.
  ///
  /// - Throws: `.invalidValue` if a timecode doesn't exist at that rate.
  public func chapters(frameRate: Rational) throws(CompositorError) -> [Chapter] {
    do throws(CompositorError) {
      return try marks.chapters(frameRate: frameRate)
    } catch {
      throw error.locatingChapter
    }
  }
}

/// A chapter as written in a project.
struct ProjectChapter: Hashable, Sendable {
  var time: ProjectTime
  var title: String
  /// The line of the file that it is from; `nil` if it is written in the project.
  var place: ErrorLocation?
}

extension [ProjectChapter] {
  /// The chapters in timeline time.
  ///
  /// - Throws: `.invalidValue` if a timecode doesn't exist at that rate, with a location such as `chapters[1]` or a line of a file.
  func chapters(frameRate: Rational) throws(CompositorError) -> [Chapter] {
    var chapters: [Chapter] = []
    for (index, mark) in enumerated() {
      do throws(CompositorError) {
        chapters.append(Chapter(start: try mark.time.time(atFrameRate: frameRate), title: mark.title))
      } catch {
        throw error.locating(mark.place ?? ErrorLocation(path: "chapters[\(index)]", subject: .time))
      }
    }
    return chapters
  }

  /// Checks the chapters that these are in timeline time.
  ///
  /// - Throws: `.invalidValue`, with a location such as `chapters[1]` or a line of a file.
  func validate(_ chapters: [Chapter], until end: MediaTime) throws(CompositorError) {
    do throws(CompositorError) {
      try chapters.validate(until: end)
    } catch {
      let index = error.location.path.flatMap { DocumentPath($0).steps.last }
      guard case .index(let index)? = index, indices.contains(index), let place = self[index].place else { throw error }
      var located = error
      located.location = place
      throw located
    }
  }
}

extension CompositorError {
  /// The error of a chapter with the project's key path: `output.chapters[1].at`, or `output.chapters` for one of a file.
  var locatingChapter: CompositorError {
    var located = self
    located.location.path =
      location.path.map { "output.\($0).\(location.subject == .title ? "title" : "at")" } ?? "output.chapters"
    return located
  }
}

/// The origin of a project's cover image.
public enum ProjectCover: Hashable, Sendable {
  /// A JPEG or PNG file.
  case file(path: String)
  /// A frame of the movie.
  case frame(at: ProjectTime)
}

extension ProjectSchema {
  /// Keys of the output for metadata.
  package static let outputMetadataKeys = [
    KeyShape(
      "metadata", .map(.any([.text, .list(anyNumber, minimum: 2, maximum: 3)])),
      "Entries of the file: title, artist, date, comment, copyright …; location is ISO 6709, or [degrees north, degrees east, meters]."
    ),
    KeyShape("metadataFrom", .text, "A media file whose entries and recording date are copied to the output."),
    KeyShape(
      "chapters", .any([.text, .list(.object("chapter"))]),
      "Chapters for players, in order of time: a list, or a file with one (.txt), a cue sheet (.cue) or FFmpeg's metadata."),
    KeyShape(
      "cover", .any([.text, .object("cover")]),
      "The cover image that players show: a .jpg or .png file, or a frame of the movie."),
    KeyShape(
      "fastStart", .bool,
      "Whether the index of mp4, mov, m4v and m4a precedes the media, so that playback can start at once; by default true."),
    KeyShape(
      "rotation", .integer(0...270),
      "The clockwise rotation that players apply to the frames: 0, 90, 180 or 270 degrees; by default 0."),
  ]

  /// Objects of the keys above.
  package static let metadataShapes = [
    ObjectShape(
      "chapter", "a chapter",
      [
        KeyShape("at", .time, required: true, "The start. The chapter lasts until the next one."),
        KeyShape("title", .text, required: true, "The title that players show."),
      ]),
    ObjectShape("cover", "a cover", [KeyShape("at", .time, required: true, "The time of the frame that is the cover.")]),
  ]
}

extension ProjectReader {
  /// The metadata of an output.
  func metadata(_ output: ProjectObject) throws(CompositorError) -> ProjectMetadata {
    var metadata = ProjectMetadata()
    for (key, value) in try output["metadata"]?.map() ?? [] {
      metadata.entries[key] = value.isList ? try location(value, key) : try text(value, key)
    }
    metadata.source = try output.read("metadataFrom", path)
    metadata.marks = try chapters(output)
    metadata.cover = try output.read("cover") { (value) throws(CompositorError) in
      guard !value.isText else { return .file(path: try path(value)) }
      if let file = try? value.map().first(where: { $0.0 == "file" })?.1.string() {
        throw value.error("The file of a cover is written alone.", advice: .write(.string(file)))
      }
      return .frame(at: try value.object(ProjectSchema.shape("cover")).required("at").time())
    }
    metadata.hasFastStart = try output.bool("fastStart") ?? true
    metadata.orientation =
      try output.read("rotation") { (value) throws(CompositorError) in
        let degrees = try value.integer()
        guard degrees % 90 == 0 else {
          throw value.error(
            "Frames are rotated by 0, 90, 180 or 270 degrees, not by \(degrees).",
            recoverySuggestion: "Use one of these, or rotate a clip: transform: { rotation: \(degrees) }.")
        }
        return Orientation(quarterTurns: degrees / 90)
      } ?? .upright
    return metadata
  }

  /// The chapters that are written in the project, or in the file that it names.
  private func chapters(_ output: ProjectObject) throws(CompositorError) -> [ProjectChapter] {
    guard let file = output["chapters"], file.isText else {
      return try output.list("chapters") { (value) throws(CompositorError) in
        let object = try value.object(ProjectSchema.shape("chapter"))
        let title = try object.required("title").string()
        guard !title.isEmpty else { throw try object.required("title").error("A chapter needs a title.") }
        return ProjectChapter(time: try object.required("at").time(), title: title)
      } ?? []
    }
    do throws(CompositorError) {
      let marks = try ChapterFile(contentsOf: try path(file)).marks
      if marks.contains(where: \.time.countsFrames) { file.notes?.countsFrames = true }
      return marks
    } catch {
      // Mistakes in the list have their own location. A list that cannot be read is a mistake of the project.
      guard error.location.documents.isEmpty else { throw error }
      throw try self.error(
        error, reading: "list of chapters", at: file,
        otherwise: "Write the path of a list such as chapters.txt, from the folder of the project.")
    }
  }

  private func text(_ value: ProjectValue, _ key: String) throws(CompositorError) -> String {
    if case .number(let digits) = value.node.value {
      throw value.mismatch("a string in quotes", advice: .write(.string(digits)))
    }
    let text = try value.string()
    guard !text.isEmpty else { throw value.error("The entry \(quoted(key)) is empty.", recoverySuggestion: "Leave it out.") }
    if key == "location" { _ = try value.placing { () throws(CompositorError) in try GeographicLocation(iso6709: text) } }
    return text
  }

  private func location(_ value: ProjectValue, _ key: String) throws(CompositorError) -> String {
    let elements = try value.list()
    guard key == "location", (2...3).contains(elements.count) else {
      throw value.error("\(quoted(key)) is a string in quotes; a location may be [degrees north, degrees east, meters].")
    }
    var numbers: [Double] = []
    for element in elements { numbers.append(try element.number(-1e9...1e9)) }
    return try value.placing { () throws(CompositorError) in
      try GeographicLocation(latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : nil)
        .iso6709
    }
  }
}
