public import CompositorAPI
import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting
import CompositorScheduling
public import CompositorValidation

/// Settings for rendering and writing thumbnails.
public struct ThumbnailSettings: Sendable {
  /// Format, color, maximum size and tolerances of each thumbnail. Default: exact frames as sRGB, at most 320 × 320 on a sheet
  /// and full size otherwise.
  public var images: ImageSettings
  /// Quality of JPEG and WebP.
  public var file = ImageFileSettings()
  /// The layout of contact sheets; `nil` writes an image file for each thumbnail.
  public var sheet: ContactSheetLayout?
  /// Whether existing files are replaced. By default, an existing file is an error.
  public var overwrites = false

  /// Creates settings.
  public init(images: ImageSettings = ImageSettings(color: .sdr).exactly) { self.images = images }

  /// Default maximum size of a thumbnail on a sheet.
  static let sheetCell = PixelSize(width: 320, height: 320)

  /// The image settings for a file format.
  fileprivate func images(for format: ImageFileFormat) -> ImageSettings {
    var images = images
    images.format = format.layout(for: images.format)
    if sheet != nil, images.maximumSize == nil { images.maximumSize = Self.sheetCell }
    return images
  }
}

/// A written thumbnail.
public struct Thumbnail: Hashable, Sendable {
  /// Number among all thumbnails, from 1.
  public let index: Int
  /// The requested time.
  public let requestedTime: MediaTime
  /// The time of the frame shown.
  public let actualTime: MediaTime
  /// Path of its file.
  public let file: String
  /// Column and row on a contact sheet, from 0; `nil` for a file of its own.
  public let column, row: Int?
}

/// The result of ``ThumbnailExporter``.
public struct ThumbnailResult: Sendable {
  /// The thumbnails, in order of their numbers.
  public let thumbnails: [Thumbnail]
  /// Paths of the files, in order.
  public let files: [String]
  /// Warnings about damaged sources, if damage was tolerated.
  public let warnings: [MediaWarning]
}

/// Writes thumbnails of a movie, as individual image files or on contact sheets.
public enum ThumbnailExporter {
  /// Writes thumbnails to `path`.
  ///
  /// All files appear when the last one is complete, or none: a run that fails or is canceled leaves nothing behind. Sources
  /// are decoded in one pass. Only the current image, and the current sheet if there are sheets, are in memory.
  ///
  /// ```swift
  /// var settings = ThumbnailSettings()
  /// settings.sheet = ContactSheetLayout(columns: 5, rows: 4)
  /// try await ThumbnailExporter.export(composition, .count(20), to: "sheet.jpg", settings: settings)
  /// ```
  ///
  /// - Parameters:
  ///   - path: A `.png`, `.jpg` or `.webp` file name, with a number such as `%03d` (from 1) unless there is only one file.
  ///   - progress: Called after each thumbnail with the number done and the total number.
  /// - Throws: `.invalidValue` for values out of range, `.unsupportedOutput` for an unsuitable name, `.outputExists` and
  ///   `.outputIsInput` before an image is rendered; `.noFrame` for a time outside the movie; the errors of decoding and
  ///   composing; `.writeFailed`; `.cancelled`.
  @discardableResult
  public static func export(
    _ composition: ValidatedComposition, _ times: ThumbnailTimes, to path: String,
    settings: ThumbnailSettings = ThumbnailSettings(),
    progress: (@Sendable (_ done: Int, _ count: Int) -> Void)? = nil
  ) async throws(CompositorError) -> ThumbnailResult {
    let format = try ImageFileWriter.format(of: path)
    try settings.file.validate(for: format, path: path)
    try settings.sheet?.validate()
    let known = try times.times(in: composition.edit.composition.duration)
    let names = ThumbnailNames(path)
    if let known { try names.check(fileCount: settings.fileCount(of: known.count), composition, settings) }
    let images = settings.images(for: format)
    let wanted: [MediaTime]
    if let known {
      wanted = known
    } else {
      wanted = try await scenes(of: composition, times, images.render)
      try names.check(fileCount: settings.fileCount(of: wanted.count), composition, settings)
    }
    let measured = try await composition.measuringPeaks(settings: images.render).composition
    let job = ThumbnailJob(
      times: wanted, names: names, settings: settings, generator: try ImageGenerator(measured, settings: images),
      progress: progress)
    let partial = try AtomicOutput(in: FileName.folder(of: path), overwrites: settings.overwrites)
    do throws(CompositorError) {
      let thumbnails = try await job.run(into: partial)
      await job.generator.close()
      let files = (0..<settings.fileCount(of: wanted.count)).map(names.path(ofFile:))
      try partial.commit(files)
      return ThumbnailResult(thumbnails: thumbnails, files: files, warnings: await job.generator.damage.warnings)
    } catch {
      await job.generator.close()
      partial.discard()
      throw partial.naming(error, output: path)
    }
  }

  /// Checks that images can be written to files of this name with these settings.
  ///
  /// - Throws: `.unsupportedOutput`, `.invalidValue`.
  package static func validate(_ file: ImageFileSettings, path: String) throws(CompositorError) {
    try file.validate(for: try ImageFileWriter.format(of: path), path: path)
  }

  private static func scenes(
    of composition: ValidatedComposition, _ times: ThumbnailTimes, _ render: RenderSettings
  ) async throws(CompositorError) -> [MediaTime] {
    guard case .scenes(let threshold) = times else { return [] }
    do {
      return try await SceneChanges.times(in: composition, threshold: threshold, settings: render)
    } catch {
      throw CompositorError(stopping: error)
    }
  }
}

extension ThumbnailSettings {
  /// Number of files for a number of thumbnails.
  fileprivate func fileCount(of count: Int) -> Int {
    guard let sheet else { return count }
    return (count + sheet.capacity - 1) / sheet.capacity
  }
}

/// The names of the files: one name, or a pattern for numbers from 1.
private struct ThumbnailNames {
  let path: String
  private let pattern: ImagePattern?

  init(_ path: String) {
    self.path = path
    pattern = ImagePattern(path)
  }

  /// - Parameter index: Index of the file, from 0.
  func path(ofFile index: Int) -> String { pattern?.path(number: index + 1) ?? path }

  /// - Throws: `.unsupportedOutput` if the files need numbers and the name has none; the errors of ``OutputGuard``.
  func check(
    fileCount: Int, _ composition: ValidatedComposition, _ settings: ThumbnailSettings
  ) throws(CompositorError) {
    guard pattern != nil || fileCount == 1 else {
      throw CompositorError(
        .unsupportedOutput, "\(fileCount) \(settings.sheet == nil ? "images" : "contact sheets") need a number in their names.",
        recoverySuggestion: "Name them like thumbnail_%03d.jpg\(settings.sheet == nil ? ", or ask for a sheet" : "").",
        at: ErrorLocation(file: path))
    }
    let present = pattern?.present(in: 1...max(1, fileCount)) ?? []
    try OutputGuard.check([path(ofFile: 0)] + present, of: composition, overwrites: settings.overwrites)
  }
}

/// A run of the exporter: images in order of time, written as they come.
private struct ThumbnailJob {
  let times: [MediaTime]
  let names: ThumbnailNames
  let settings: ThumbnailSettings
  let generator: ImageGenerator
  let progress: (@Sendable (Int, Int) -> Void)?
  private let files = ImageFiles()

  init(
    times: [MediaTime], names: ThumbnailNames, settings: ThumbnailSettings, generator: ImageGenerator,
    progress: (@Sendable (Int, Int) -> Void)?
  ) {
    (self.times, self.names, self.settings) = (times, names, settings)
    (self.generator, self.progress) = (generator, progress)
  }

  func run(into partial: AtomicOutput) async throws(CompositorError) -> [Thumbnail] {
    guard let layout = settings.sheet else { return try await writeImages(into: partial) }
    var thumbnails: [Thumbnail] = []
    for start in stride(from: 0, to: times.count, by: layout.capacity) {
      let part = start..<min(times.count, start + layout.capacity)
      thumbnails += try await writeSheet(layout, part, into: partial)
    }
    return thumbnails
  }

  private func writeImages(into partial: AtomicOutput) async throws(CompositorError) -> [Thumbnail] {
    var thumbnails: [Thumbnail] = []
    for await answer in generator.requests(at: times) {
      let image = try answer.result.get()
      let file = names.path(ofFile: answer.index)
      try await files.write(image.frame, to: partial.path(for: file), settings: settings.file)
      thumbnails.append(
        Thumbnail(
          index: answer.index + 1, requestedTime: times[answer.index], actualTime: image.actualTime, file: file, column: nil,
          row: nil))
      progress?(thumbnails.count, times.count)
    }
    return thumbnails.sorted { $0.index < $1.index }
  }

  private func writeSheet(
    _ layout: ContactSheetLayout, _ part: Range<Int>, into partial: AtomicOutput
  ) async throws(CompositorError) -> [Thumbnail] {
    let file = names.path(ofFile: part.lowerBound / layout.capacity)
    var sheet: ContactSheet?
    var thumbnails: [Thumbnail] = []
    for await answer in generator.requests(at: Array(times[part])) {
      let image = try answer.result.get()
      if sheet == nil { sheet = try ContactSheet(layout, count: part.count, like: image.frame) }
      try sheet?.place(image.frame, at: answer.index, time: image.actualTime)
      thumbnails.append(
        Thumbnail(
          index: part.lowerBound + answer.index + 1, requestedTime: times[part.lowerBound + answer.index],
          actualTime: image.actualTime,
          file: file, column: answer.index % layout.columns, row: answer.index / layout.columns))
      progress?(part.lowerBound + thumbnails.count, times.count)
    }
    if let finished = try await sheet.take()?.finish() {
      try await files.write(finished, to: partial.path(for: file), settings: settings.file)
    }
    return thumbnails.sorted { $0.index < $1.index }
  }
}

/// Encodes and writes images on a thread of its own, because both block.
private actor ImageFiles {
  private let thread = SerialThread(name: "images")

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func write(_ frame: Frame, to path: String, settings: ImageFileSettings) throws(CompositorError) {
    try ImageFileWriter.writePart(frame, to: path, settings: settings)
  }
}
