import CompositorAPI
import CompositorTimeline

extension ProjectSchema {
  static let captions = ObjectShape(
    "captions", "captions in one language",
    [
      KeyShape(
        "file", .text,
        "A caption file (.srt, .vtt, .ass, .ssa, .sbv, .lrc), or media with a subtitle track, relative to the project."),
      KeyShape("asset", .text, "The name of an asset that has a subtitle track, instead of file. Its time 0 is the output's."),
      KeyShape("track", .integer(0...255), "The index of the media's subtitle track; by default 0."),
      KeyShape(
        "as", .choice(CaptionPresentation.allCases.map(\.rawValue)),
        "How they are delivered: drawn over the frames, as a track of the output, or both; by default burned-in."),
      KeyShape("language", .text, "The language as a BCP 47 tag, such as de or pt-BR; by default the media's."),
      KeyShape("title", .text, "The title of the track; by default the media's."),
      KeyShape("offset", .signedTime, "The time of the captions' time 0, possibly before the beginning; by default at it."),
      KeyShape(
        "encoding", .text, "The encoding of a file that isn't Unicode, such as windows-1252; by default UTF-8 or UTF-16."),
      KeyShape("default", .bool, "Whether players show the track by default; by default false."),
      KeyShape("forced", .bool, "Whether players show the track even if captions are off; by default false."),
      KeyShape(
        "style", .object("captionStyle"),
        "The style; by default scripts of ASS in their own styles, others in the usual one."),
    ])

  static let captionStyle = ObjectShape(
    "captionStyle", "how captions are drawn",
    [
      KeyShape("font", .text, "The font family; by default DejaVu Sans."),
      KeyShape("weight", .integer(CaptionStyle.weights), "The font weight: 400 is regular, 700 bold; by default 400."),
      KeyShape(
        "size", .length(.height),
        "The font size (height of the em): pixels, or percent of the frame's height; by default \"5vmin\"."),
      KeyShape("color", .color, "The default color of the text; by default white."),
      KeyShape("outlineColor", .color, "The color of the outline around the letters; by default black."),
      KeyShape("outlineWidth", .number(CaptionStyle.outlineWidths), "The width of the outline in ems; by default 0."),
      KeyShape("boxColor", .color, "The color of the box behind the text; by default black at 60 %."),
      KeyShape(
        "position", .choice(CaptionPlacement.Vertical.allCases.map(\.rawValue)),
        "The default vertical position; by default bottom."),
      KeyShape(
        "align", .choice(CaptionPlacement.Horizontal.allCases.map(\.rawValue)),
        "The default alignment of lines; by default center."),
      KeyShape("marginX", .length(.width), "The distance from the left and right edges; by default 5%."),
      KeyShape("marginY", .length(.height), "The distance from the top and bottom edges; by default 7%."),
      KeyShape("width", .length(.width), "The maximum width of a line; by default 80%, of an upright frame 90%."),
      KeyShape(
        "lines", .integer(CaptionStyle.maximumLineCounts),
        "The maximum number of lines, before letters get smaller; by default 3."),
      KeyShape("direction", .words(TextDirection.self), "The direction of the text; by default natural: as the first letter."),
      KeyShape("substituteFont", .bool, "Whether missing fonts or characters may be substituted; by default false."),
      KeyShape("speakers", .bool, "Whether the names of speakers are shown before their text; by default true."),
    ])
}

/// Reads the captions of a project. Pure: caption files are read with the media.
struct CaptionReader {
  /// Frames per second; `nil` if unknown, in which case times in frames are only checked for their syntax.
  let frameRate: Rational?
  /// The canvas that percentages refer to; `nil` if unknown.
  let canvas: PixelSize?
  let assets: [String: MediaSource]
  /// Resolves paths.
  let project: ProjectReader

  func captions(_ object: ProjectObject) throws(CompositorError) -> [TimelineCaptions] {
    try object.list("captions", one) ?? []
  }

  private func one(_ value: ProjectValue) throws(CompositorError) -> TimelineCaptions {
    let object = try value.object(ProjectSchema.shape("captions"))
    try object.exclude("file", "asset")
    let (track, encoding) = (try object.integer("track") ?? 0, try object.string("encoding"))
    let language = try object.language("language")
    let presentation = try object.choice("as", CaptionPresentation.self) ?? .burnedIn
    let (style, offset) = (try object.read("style", style), try object.read("offset", signedTime) ?? .zero)
    let title = try object.string("title")
    let (isDefault, isForced) = (try object.bool("default") ?? false, try object.bool("forced") ?? false)
    var captions = TimelineCaptions(
      contentsOf: try path(object), track: track, encoding: encoding, language: language, presentation: presentation,
      style: style, offset: offset)
    (captions.title, captions.isDefault, captions.isForced) = (title, isDefault, isForced)
    return captions
  }

  private func path(_ object: ProjectObject) throws(CompositorError) -> String {
    if let file = object["file"] { return try project.path(file) }
    guard let name = object["asset"] else {
      throw object.value.error("The captions have no source.", recoverySuggestion: "Give them a file, or an asset.")
    }
    let wanted = try name.string()
    guard let source = assets[wanted] else {
      throw name.error(
        "There is no asset \(quoted(wanted)).",
        recoverySuggestion: ProjectReader.adviceOnAsset(wanted, among: assets.keys.sorted()))
    }
    guard case .file(let path) = source else {
      throw name.error("The asset \(quoted(wanted)) has no subtitle tracks.", recoverySuggestion: "Name a media file.")
    }
    return path
  }

  /// A time, optionally with a minus sign.
  private func signedTime(_ value: ProjectValue) throws(CompositorError) -> MediaTime {
    if let seconds = try value.signedSeconds(atFrameRate: frameRate) {
      guard let timescale = Int32(exactly: seconds.denominator) else {
        throw value.error(
          "The expression is \(seconds.plain) s, finer than any time can be.", recoverySuggestion: ProjectTime.forms)
      }
      return MediaTime(value: Int64(seconds.numerator), timescale: timescale)
    }
    guard value.isText, case let text = try value.string(), text.hasPrefix("-"), !text.hasPrefix("--") else {
      return try time(value)
    }
    let magnitude = try value.placing { () throws(CompositorError) in
      try value.time(String(text.dropFirst())).time(atKnownFrameRate: frameRate)
    }
    return .zero - (magnitude ?? .zero)
  }

  private func time(_ value: ProjectValue) throws(CompositorError) -> MediaTime {
    try value.time(atKnownFrameRate: frameRate) ?? .zero
  }

  private func style(_ value: ProjectValue) throws(CompositorError) -> CaptionStyle {
    let object = try value.object(ProjectSchema.shape("captionStyle"))
    var style = CaptionStyle()
    style.family = try object.string("font") ?? style.family
    style.weight = try object.integer("weight") ?? style.weight
    style.size = try object["size"]?.fraction(.height, of: canvas, CaptionStyle.sizes)
    style.color = try object.color("color") ?? style.color
    style.outlineColor = try object.color("outlineColor") ?? style.outlineColor
    style.outlineWidth = try object.number("outlineWidth") ?? style.outlineWidth
    style.boxColor = try object.color("boxColor") ?? style.boxColor
    style.vertical = try object.choice("position", CaptionPlacement.Vertical.self) ?? style.vertical
    style.horizontal = try object.choice("align", CaptionPlacement.Horizontal.self) ?? style.horizontal
    let margins = CaptionStyle.margins
    style.horizontalMargin = try object["marginX"]?.fraction(.width, of: canvas, margins) ?? style.horizontalMargin
    style.verticalMargin = try object["marginY"]?.fraction(.height, of: canvas, margins) ?? style.verticalMargin
    style.maximumWidth = try object["width"]?.fraction(.width, of: canvas, CaptionStyle.maximumWidths)
    style.maximumLineCount = try object.integer("lines") ?? style.maximumLineCount
    style.direction = try object.choice("direction", TextDirection.self) ?? style.direction
    style.allowsFontSubstitution = try object.bool("substituteFont") ?? style.allowsFontSubstitution
    style.namesSpeakers = try object.bool("speakers") ?? style.namesSpeakers
    return style
  }
}
