public import CompositorAPI
public import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting
import CompositorScheduling

/// How thumbnails are made and written.
public struct ThumbnailSettings: Sendable {
  /// Format, color, largest size and tolerances of each. Default the exact frames, as sRGB, at most 320 × 320 on a sheet and full size elsewhere.
  public var images: ImageSettings
  /// Quality of JPEG and WebP.
  public var file = ImageFileSettings()
  /// The layout of contact sheets; nil writes an image for each thumbnail.
  public var sheet: ContactSheetLayout?
  /// Whether existing files are replaced. By default that is an error.
  public var overwrites = false

  /// Makes settings.
  public init(images: ImageSettings = ImageSettings(color: .sdr).exactly) { self.images = images }

  /// The largest size of a thumbnail on a sheet, unless another is chosen.
  static let sheetCell = PixelSize(width: 320, height: 320)

  /// What images are made with, for a kind of file.
  fileprivate func images(for format: ImageFileFormat) -> ImageSettings {
    var images = images
    images.format = format.layout(for: images.format)
    if sheet != nil, images.maximumSize == nil { images.maximumSize = Self.sheetCell }
    return images
  }
}

/// A thumbnail that was written.
public struct Thumbnail: Hashable, Sendable {
  /// Number among all, from 1.
  public let index: Int
  /// The time that was asked for.
  public let requestedTime: MediaTime
  /// The time of the frame that it shows.
  public let actualTime: MediaTime
  /// The file that it is in.
  public let file: String
  /// Column and row on a contact sheet, from 0; nil for an image of its own.
  public let column, row: Int?
}

/// What ``ThumbnailExporter`` wrote.
public struct ThumbnailResult: Sendable {
  /// The thumbnails, in the order of their numbers.
  public let thumbnails: [Thumbnail]
  /// The files, in order.
  public let files: [String]
  /// Damage of the sources, if it was kept.
  public let warnings: [MediaWarning]
}

/// Writes thumbnails of a movie: each as an image of its own, or on contact sheets.
public enum ThumbnailExporter {
  /// Writes thumbnails to `path`.
  ///
  /// All files appear complete when the last one is done, or none: a run that fails or is canceled leaves nothing. Sources are decoded in one
  /// pass, and of all images only the one that is made, and with sheets the sheet, are in memory.
  ///
  /// ```swift
  /// var settings = ThumbnailSettings()
  /// settings.sheet = ContactSheetLayout(columns: 5, rows: 4)
  /// try await ThumbnailExporter.export(composition, .count(20), to: "sheet.jpg", settings: settings)
  /// ```
  ///
  /// - Parameters:
  ///   - path: `.png`, `.jpg` or `.webp`, with a place for a number such as `%03d` (from 1) unless there is only one file.
  ///   - progress: Called after each thumbnail with how many are done, and of how many.
  /// - Throws: `.invalidValue` for numbers out of range, `.unsupportedOutput` for a name that does not do, `.outputExists` and `.outputIsInput`
  ///   before an image is made; `.noFrame` for a time outside the movie; what decoding and composing throw; `.writeFailed`; `.cancelled`.
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
    let partial = try PartialOutput(in: OutputName.folder(of: path), overwrites: settings.overwrites)
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

  /// Whether images can be written to files of this name with these settings.
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
  /// Files for so many thumbnails.
  fileprivate func fileCount(of count: Int) -> Int {
    guard let sheet else { return count }
    return (count + sheet.capacity - 1) / sheet.capacity
  }
}

/// The names of the files: one, or one for each number from 1 on.
private struct ThumbnailNames {
  let path: String
  private let pattern: ImagePattern?

  init(_ path: String) {
    self.path = path
    pattern = ImagePattern(path)
  }

  /// - Parameter index: From 0.
  func path(ofFile index: Int) -> String { pattern?.path(number: index + 1) ?? path }

  /// - Throws: `.unsupportedOutput` where the files need numbers and the name has no place for one; what ``OutputGuard`` finds.
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
    try OutputGuard.check([path(ofFile: 0)] + present, sources: composition.media.keys, overwrites: settings.overwrites)
  }
}

/// One run: images in the order of time, written as they come.
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

  func run(into partial: PartialOutput) async throws(CompositorError) -> [Thumbnail] {
    guard let layout = settings.sheet else { return try await writeImages(into: partial) }
    var thumbnails: [Thumbnail] = []
    for start in stride(from: 0, to: times.count, by: layout.capacity) {
      let part = start..<min(times.count, start + layout.capacity)
      thumbnails += try await writeSheet(layout, part, into: partial)
    }
    return thumbnails
  }

  private func writeImages(into partial: PartialOutput) async throws(CompositorError) -> [Thumbnail] {
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
    _ layout: ContactSheetLayout, _ part: Range<Int>, into partial: PartialOutput
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

/// Encodes and writes images on a thread of its own: both block.
private actor ImageFiles {
  private let thread = SerialThread(name: "images")

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func write(_ frame: Frame, to path: String, settings: ImageFileSettings) throws(CompositorError) {
    try ImageFileWriter.write(frame, to: path, settings: settings)
  }
}
