public import CompositorAPI
import CompositorExport
import CompositorMediaIO
import CompositorMediaWriting
import Foundation

/// The file format of a diagram.
public enum DiagramFormat: String, Sendable, Hashable, CaseIterable {
  /// A vector image for pages, reviews and programs.
  case svg
  /// A raster image.
  case png
  /// Text for terminals and logs.
  case txt
  /// An HTML page with the SVG and tables.
  case html

  /// The format of a file name's extension; `nil` for other names.
  public init?(path: String) {
    guard let format = path.fileExtension.flatMap(DiagramFormat.init(rawValue:)) else { return nil }
    self = format
  }
}

/// Writes diagrams as files.
public struct DiagramExporter: Sendable {
  /// The contents and appearance of diagrams.
  public var settings = DiagramSettings()
  /// Pixels of a PNG per user unit. Default: 1.
  public var scale = 1.0
  /// The width of text in columns, 40 … 400. Default: 80.
  public var columns = 80
  /// Whether text is drawn with ASCII characters. Default: false.
  public var isASCII = false
  /// Whether existing files are replaced; otherwise they are an error. Default: false.
  public var overwrites = false

  /// Creates an exporter with default settings.
  public init() {}

  /// The contents of a diagram's file.
  ///
  /// - Throws: `.invalidValue` if a PNG would be too large; `.writeFailed` if there is no space for its temporary file.
  public func data(of diagram: TimelineDiagram, as format: DiagramFormat) throws(CompositorError) -> [UInt8] {
    switch format {
    case .svg: return Array(diagram.svg(settings).utf8)
    case .html: return Array(diagram.html(settings).utf8)
    case .txt: return Array(diagram.text(settings, columns: columns, isASCII: isASCII).utf8)
    case .png:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compositor-\(UUID().uuidString)").path
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PNGWriter.write(try diagram.image(settings, scale: scale), to: "\(folder)/diagram.png")
        return Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/diagram.png")))
      } catch let error as CompositorError {
        throw error
      } catch {
        throw CompositorError(
          .writeFailed, "The diagram cannot be made.", recoverySuggestion: "Free space in \(folder).", cause: "\(error)")
      }
    }
  }

  /// Writes a file in the format of its name's extension, atomically.
  ///
  /// - Parameter sources: The diagram's source files, which are never replaced.
  /// - Throws: `.unsupportedOutput` for another extension, `.outputExists`, `.outputIsInput`, `.writeFailed`; `.invalidValue`
  ///   if a PNG would be too large.
  public func export(
    _ diagram: TimelineDiagram, to path: String, sources: [MediaSource] = []
  ) throws(CompositorError) {
    guard let format = DiagramFormat(path: path) else {
      throw CompositorError(
        .unsupportedOutput, "A diagram cannot be written as \(path).", recoverySuggestion: "Write .svg, .png, .txt or .html.",
        at: ErrorLocation(file: path))
    }
    try OutputGuard.check([path], sources: sources + diagram.sources, overwrites: overwrites)
    let partial = try AtomicOutput(in: FileName.folder(of: path), overwrites: overwrites)
    do throws(CompositorError) {
      switch format {
      case .png: try PNGWriter.write(try diagram.image(settings, scale: scale), to: partial.path(for: path))
      case .svg: try TextFile.write(diagram.svg(settings), to: partial.path(for: path))
      case .html: try TextFile.write(diagram.html(settings), to: partial.path(for: path))
      case .txt:
        try TextFile.write(diagram.text(settings, columns: columns, isASCII: isASCII), to: partial.path(for: path))
      }
      try partial.commit([path])
    } catch {
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }
}

extension TimelineDiagram {
  /// The sources of the edit.
  fileprivate var sources: [MediaSource] {
    Array(Set(edit.composition.tracks.flatMap { $0.segments.compactMap(\.source) } + edit.titles.images.values))
  }
}
