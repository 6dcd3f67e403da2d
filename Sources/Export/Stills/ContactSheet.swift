public import CompositorAPI
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorValidation

/// The layout of thumbnails on a contact sheet.
public struct ContactSheetLayout: Hashable, Sendable {
  /// Number of columns, 1 … 1000.
  public var columns: Int
  /// Number of rows, 1 … 1000. A sheet with fewer thumbnails has fewer rows.
  public var rows: Int
  /// Space between thumbnails and around them in pixels, 0 … 1000. Default 8.
  public var gap = 8
  /// Background color. Default a dark gray.
  public var background = Color(red: 0.1, green: 0.1, blue: 0.1)
  /// Whether each thumbnail is labeled with its time. Default false.
  public var hasLabels = false

  /// A layout of columns and rows.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Number of thumbnails on a full sheet.
  public var capacity: Int { columns * rows }

  /// - Throws: `.invalidValue` for values out of range.
  package func validate() throws(CompositorError) {
    let numbers = [("columns", columns, 1...1000), ("rows", rows, 1...1000), ("gap", gap, 0...1000)]
    for (name, number, range) in numbers where !range.contains(number) {
      throw CompositorError(
        .invalidValue, "A contact sheet cannot have \(number) \(name).",
        recoverySuggestion: "Give \(range.lowerBound) to \(range.upperBound).")
    }
  }

  /// The size of a sheet with a number of thumbnails of a size.
  ///
  /// - Throws: `.invalidValue` if it is too large for an image.
  func size(of count: Int, cell: PixelSize) throws(CompositorError) -> PixelSize {
    let usedRows = min(rows, max(1, (count + columns - 1) / columns))
    let size = PixelSize(
      width: columns * (cell.width + gap) + gap, height: usedRows * (cell.height + gap) + gap)
    guard size.width <= PixelSize.maximumSide, size.height <= PixelSize.maximumSide,
      size.width * size.height <= Self.maximumPixelCount
    else {
      throw CompositorError(
        .invalidValue, "The contact sheet would have \(size) pixels.",
        recoverySuggestion: "Request smaller thumbnails, or fewer of them on each sheet.")
    }
    return size
  }

  /// A time as a label: `1:02.5`, `1:00:02.5`.
  package static func label(for time: MediaTime) -> String {
    let tenths = Int((time.seconds * 10).rounded(.down))
    let (minutes, rest) = (tenths / 600, tenths % 600)
    let seconds = "\(rest / 100)\(rest / 10 % 10).\(rest % 10)"
    guard minutes >= 60 else { return "\(minutes):\(seconds)" }
    return "\(minutes / 60):\(minutes % 60 / 10)\(minutes % 60 % 10):\(seconds)"
  }

  private static let maximumPixelCount = 128 << 20

  /// The upper left corner of a thumbnail.
  func origin(of index: Int, cell: PixelSize) -> (x: Int, y: Int) {
    (gap + index % columns * (cell.width + gap), gap + index / columns * (cell.height + gap))
  }
}

/// A sheet in progress: thumbnails are copied to their positions one by one.
struct ContactSheet: ~Copyable {
  private let layout: ContactSheetLayout
  private let cell: PixelSize
  private var canvas: MutableFrame
  private(set) var labels: [Layer] = []

  /// An empty sheet for `count` thumbnails of the size, format and color of `first`.
  init(_ layout: ContactSheetLayout, count: Int, like first: Frame) throws(CompositorError) {
    self.layout = layout
    cell = first.size
    canvas = MutableFrame(
      format: first.format, size: try layout.size(of: count, cell: first.size), attributes: first.attributes)
    fill()
  }

  /// Fills the sheet with its background: one row by its pixel, the others by copying that row.
  private mutating func fill() {
    let (red, green, blue, alpha) = (
      layout.background.red, layout.background.green, layout.background.blue, layout.background.alpha
    )
    let isBGRA = canvas.format == .bgra
    let pixel = [isBGRA ? blue : red, green, isBGRA ? red : blue, alpha].map { min(1, max(0, $0)) }
    let size = canvas.size
    let isDeep = canvas.format.bitDepth > 8
    canvas.withUnsafeMutablePlanes { planes in
      let plane = planes[0]
      if isDeep {
        let row = UnsafeMutableBufferPointer(start: plane.base.assumingMemoryBound(to: UInt16.self), count: 4 * size.width)
        for index in row.indices { row[index] = UInt16((pixel[index & 3] * 65535).rounded()) }
      } else {
        let row = UnsafeMutableBufferPointer(start: plane.base.assumingMemoryBound(to: UInt8.self), count: 4 * size.width)
        for index in row.indices { row[index] = UInt8((pixel[index & 3] * 255).rounded()) }
      }
      let byteCount = size.width * (isDeep ? 8 : 4)
      for y in 1..<max(1, size.height) { (plane.base + y * plane.stride).copyMemory(from: plane.base, byteCount: byteCount) }
    }
  }

  /// Copies a thumbnail to its position, and adds the label of its time if the layout has labels.
  mutating func place(_ frame: Frame, at index: Int, time: MediaTime) throws(CompositorError) {
    guard frame.size == cell, frame.format == canvas.format else {
      throw CompositorError(.internalFault, "A thumbnail of \(frame.size) \(frame.format) came among those of \(cell).")
    }
    let origin = layout.origin(of: index, cell: cell)
    let pixelByteCount = canvas.format.bitDepth > 8 ? 8 : 4
    let cell = cell
    canvas.withUnsafeMutablePlanes { target in
      frame.withUnsafePlanes { source in
        let corner = target[0].base + origin.y * target[0].stride + origin.x * pixelByteCount
        for y in 0..<cell.height {
          (corner + y * target[0].stride).copyMemory(
            from: source[0].base + y * source[0].stride, byteCount: cell.width * pixelByteCount)
        }
      }
    }
    if layout.hasLabels { labels.append(label(for: time, at: origin)) }
  }

  /// The time as a label in the lower left corner, white on half-transparent black.
  private func label(for time: MediaTime, at origin: (x: Int, y: Int)) -> Layer {
    let size = max(9, (Double(cell.height) / 12).rounded())
    let text = ContactSheetLayout.label(for: time)
    let box = Rect(
      x: Double(origin.x), y: Double(origin.y + cell.height) - size * 1.5,
      width: min(Double(cell.width), size * (0.65 * Double(text.count) + 0.8)),
      height: size * 1.5)
    var content = TextContent(text, font: TextFont(size: size))
    content.alignment = .center
    content.verticalAlignment = .middle
    var layer = Layer(frame: box, content: .text(content))
    layer.backgroundColor = Color(red: 0, green: 0, blue: 0, alpha: 0.6)
    return layer
  }

  /// The finished sheet, with its labels rendered as titles.
  consuming func finish() async throws(CompositorError) -> Frame {
    let labels = labels
    let frame = canvas.freeze()
    guard !labels.isEmpty else { return frame }
    let catalog = MediaCatalog()
    catalog.provide(FrameMedia(frame: frame), as: "sheet")
    var edit = try Edit(showing: .custom(name: "sheet"), catalog: catalog)
    edit.titles = Titles(layers: labels)
    let generator = try ImageGenerator(
      CompositionValidator.validate(edit, catalog: catalog).get(), settings: ImageSettings(format: frame.format).exactly)
    let drawn = try await generator.image(at: .zero).frame
    await generator.close()
    return drawn
  }
}

/// A frame in memory as media.
private struct FrameMedia: MediaProvider {
  let frame: Frame

  private var track: VideoTrackInfo {
    var track = VideoTrackInfo(
      index: 0, codec: "raw", size: frame.size, format: frame.format, attributes: frame.attributes,
      nominalFrameRate: Rational(0, 1), timeRange: TimeRange(start: .zero, duration: .positiveInfinity))
    track.isStill = true
    return track
  }

  func describe() throws(CompositorError) -> MediaInfo {
    MediaInfo(source: .custom(name: "sheet"), container: "raw", duration: .positiveInfinity, videoTracks: [track])
  }

  func openVideo(trackIndex: Int, options: VideoReaderOptions) throws(CompositorError) -> any VideoReader {
    Reader(info: track, frame: frame)
  }

  private final class Reader: VideoReader {
    let info: VideoTrackInfo
    private let frame: Frame

    init(info: VideoTrackInfo, frame: Frame) { (self.info, self.frame) = (info, frame) }

    func frame(at time: MediaTime) throws(CompositorError) -> DecodedVideoFrame? {
      DecodedVideoFrame(frame: frame, presentationTime: .zero, duration: .positiveInfinity)
    }
  }
}
