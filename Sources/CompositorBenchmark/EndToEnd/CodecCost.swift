import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

/// The processor time of decoding all sources of an edit alone, and of encoding its frames alone, with the same libraries and
/// settings as an export. The remainder of the export's processor time is what compositing adds.
struct CodecCost {
  /// By pass: milliseconds of processor time of all frames.
  private var (decoding, encoding) = ([Double](), [Double]())
  /// The frames to encode are in memory, so that reading them costs nothing; an edit with more is not measured.
  private static let byteLimit = 1 << 30

  /// Measures both once. Encoding gets the frames that the edit makes, which are not part of the time.
  ///
  /// - Parameter path: A file to write, which is replaced.
  /// - Throws: `.invalidValue` if the frames do not fit into memory; errors of rendering and encoding.
  mutating func measure(_ composition: ValidatedComposition, video: VideoEncodingSettings, to path: String) async throws {
    let plan = try RenderPlan(composition)
    let format = plan.format
    guard plan.frameCount * format.pixelFormat.byteCount(of: format.size) <= CodecCost.byteLimit else {
      throw CompositorError(
        .invalidValue, "The frames are too many to keep them in memory.", recoverySuggestion: "Measure a shorter edit.")
    }
    // The next export shall not be charged with these frames.
    defer { FreeMemory.release() }
    decoding.append(try await CodecCost.decode(plan))
    encoding.append(try await CodecCost.encode(try await CodecCost.frames(plan), plan, video, to: path))
  }

  /// Reads the sources of all frames, one after another, as an export does.
  private static func decode(_ plan: RenderPlan) async throws -> Double {
    let scheduler = try FrameScheduler(plan, settings: RenderSettings())
    let start = Measurement.processorMilliseconds()
    do {
      for index in 0..<plan.frameCount {
        _ = try await scheduler.gather(frame: index, follows: true, lookahead: min(index + 30, plan.frameCount - 1))
      }
    } catch {
      await scheduler.close()
      throw error
    }
    await scheduler.close()
    return Measurement.processorMilliseconds() - start
  }

  /// The frames of an edit, in memory.
  private static func frames(_ plan: RenderPlan) async throws -> [Frame] {
    let scheduler = try FrameScheduler(plan, settings: RenderSettings(), heldFrameCount: plan.frameCount)
    let frames = FrameList()
    try await scheduler.render(0..<plan.frameCount) { await frames.append($0.frame) }
    return await frames.all
  }

  private actor FrameList {
    private(set) var all: [Frame] = []
    func append(_ frame: Frame) { all.append(frame) }
  }

  private static func encode(
    _ frames: [Frame], _ plan: RenderPlan, _ video: VideoEncodingSettings, to path: String
  ) async throws -> Double {
    guard let first = frames.first else { return 0 }
    let source = WorkloadSource(name: "composed", size: first.size, format: first.format, attributes: first.attributes)
    let shape = WorkloadShape(
      frameCount: frames.count, frameDuration: plan.composition.edit.videoComposition.frameDuration)
    let movie = try source.movie(of: frames, shape)
    let start = Measurement.processorMilliseconds()
    let settings = ExportSettings(video: video, audio: nil, overwrites: true)
    _ = try await Exporter.export(movie, to: path, settings: settings)
    return Measurement.processorMilliseconds() - start
  }

  /// The figures per frame; `nil` if nothing was measured. The least of all passes counts in each case, since other load can only
  /// add.
  ///
  /// - Parameter whole: Milliseconds of processor time of exports of the same edit.
  func figures(frameCount: Int, ofWhole whole: [Double]) -> BenchmarkRow.Codecs? {
    guard let decoding = decoding.min(), let encoding = encoding.min(), let whole = whole.min(), frameCount > 0 else {
      return nil
    }
    let count = Double(frameCount)
    return BenchmarkRow.Codecs(
      decodeMilliseconds: decoding / count, encodeMilliseconds: encoding / count, wholeMilliseconds: whole / count)
  }
}
