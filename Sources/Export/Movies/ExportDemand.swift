import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorScheduling

extension ExportSettings {
  /// What an export of pictures takes, and the settings with which it fits into the memory of its budget.
  ///
  /// - Throws: `.resourceExhausted` if a frame at a time does not fit.
  func demand(
    of composition: ValidatedComposition, in output: OutputName
  ) throws(CompositorError) -> (settings: ExportSettings, demand: RenderDemand) {
    let format = RenderFormat(composition, codec: output.codec(self))
    let delivery = try output.pixelFormat(for: format, settings: self)
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
    // One thread more writes, and mixes the audio.
    return (
      fitted,
      RenderDemand(threadCount: encoder.threads + 1, byteCount: footprint.byteCount(fitted.render) + encoder.bytes + (8 << 20))
    )
  }

  /// What an export takes that copies packets or writes audio alone.
  static let modestDemand = RenderDemand(threadCount: 1, byteCount: 32 << 20)

  /// Runs an export with its share of the budget, once it has one. An export that another one of the same budget starts on its way runs
  /// in that one's share, which it could otherwise wait for without end.
  ///
  /// - Parameters:
  ///   - isQueued: Whether it waits for its share: not where somebody waits for what it writes.
  ///   - unit: What its progress will count.
  ///   - progress: Told the place in the queue.
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
