import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling
import CompositorValidation

extension ExportSettings {
  /// The resources that an export of frames needs, and the settings with which it fits the memory of its budget.
  ///
  /// - Throws: `.resourceExhausted` if not even one frame at a time fits.
  func demand(
    of composition: ValidatedComposition, in output: OutputName, _ pictures: ExportedFrames
  ) throws(CompositorError) -> (settings: ExportSettings, demand: RenderDemand) {
    let (format, delivery) = (pictures.format, pictures.delivery.pixelFormat)
    let encoder: (threads: Int, bytes: Int)
    if case .images = output {
      encoder = (0, 2 * delivery.byteCount(of: format.frameSize))
    } else {
      encoder = (
        EncoderThreads(video, size: format.frameSize).total, video.memoryByteCount(format: delivery, size: format.frameSize)
      )
    }
    let footprint = RenderFootprint(composition, format: format, delivery: delivery)
    var fitted = self
    do throws(CompositorError) {
      fitted.render = try footprint.fitting(render, beside: encoder.bytes)
    } catch {
      throw error.locating(ErrorLocation(file: output.path))
    }
    // An additional thread writes, and mixes the audio.
    return (
      fitted,
      RenderDemand(threadCount: encoder.threads + 1, byteCount: footprint.byteCount(fitted.render) + encoder.bytes + (8 << 20))
    )
  }

  /// The resources of an export that copies packets or writes audio alone.
  static let modestDemand = RenderDemand(threadCount: 1, byteCount: 32 << 20)

  /// Runs an export once it has its share of the budget. An export started by another one of the same budget runs in that one's
  /// share, because waiting for its own could deadlock.
  ///
  /// - Parameters:
  ///   - isQueued: Whether the export waits for its share. It must not if another program waits for its output.
  ///   - unit: The unit of its progress.
  ///   - progress: Receives the position in the queue.
  func withShare<Success: Sendable>(
    _ demand: RenderDemand, isQueued: Bool, unit: ExportProgress.Unit = .frames, since start: ContinuousClock.Instant,
    progress: (@Sendable (ExportProgress) -> Void)?, _ work: () async throws(CompositorError) -> Success
  ) async throws(CompositorError) -> Success {
    if let current = RenderShare.current, current.isUsable(for: render.budget) { return try await work() }
    let share = try await render.budget.share(for: demand, isQueued: isQueued) { position in
      var waiting = ExportProgress(
        framesDone: 0, frameCount: 0, elapsed: ContinuousClock.now - start, unit: unit, phase: .queued)
      waiting.queuePosition = position
      progress?(waiting)
    }
    defer { share.end() }
    let result = await RenderShare.$current.withValue(share) { () async -> Result<Success, CompositorError> in
      do throws(CompositorError) { return .success(try await work()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
