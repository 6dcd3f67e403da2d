internal import Compositor
internal import Foundation

/// Mixed audio as sample buffers.
final class AudioStream: SampleStream {
  /// Samples of a buffer, as a rule.
  private static let blockSampleCount = 8192

  private let reader: CompositionReader
  private let format: PCMFormat
  private let description: CMAudioFormatDescription

  init(_ edit: TranslatedEdit, in range: TimeRange, format: PCMFormat) throws(AVError) {
    self.format = format
    description = try format.formatDescription()
    var reading = ReaderSettings()
    reading.timeRange = range
    reading.mediaTypes = [.audio]
    reading.audio = ReaderAudioFormat(
      sampleRate: format.sampleRate, channelCount: format.channelCount, blockSampleCount: Self.blockSampleCount)
    let final = reading
    do {
      reader = try Worker.wait { try await CompositionReader(edit.composition, settings: final) }
    } catch let error as CompositorError {
      throw AVError(error)
    } catch {
      throw AVError(.unknown, "\(error)")
    }
  }

  func next() async throws -> CMSampleBuffer? {
    let block: RenderedAudio?
    do throws(CompositorError) { block = try await reader.nextAudio() } catch { throw AVError(error) }
    return try block.map { block in try format.sampleBuffer(block.channels, at: CMTime(block.time), description) }
  }

  func cancel() { reader.cancel() }
  func close() async { await reader.close() }
}

/// Audio as a program asks for it.
struct AudioStreamSettings: Sendable {
  private nonisolated(unsafe) let values: SettingsValues

  /// Reads settings of an output, which must be of uncompressed audio.
  init(_ settings: [String: Any]?, of owner: Any.Type) {
    values = SettingsValues(settings ?? [:])
    let format = values.int(AVFormatIDKey) ?? Int(kAudioFormatLinearPCM)
    precondition(
      format == Int(kAudioFormatLinearPCM),
      "\(owner): outputs give uncompressed audio. Set AVFormatIDKey to kAudioFormatLinearPCM.")
  }

  /// The format of the samples.
  ///
  /// - Parameters:
  ///   - sampleRate: That of the source.
  ///   - channelCount: That of the source.
  /// - Throws: `.formatUnsupported` for samples that do not exist.
  func format(sampleRate: Int, channelCount: Int) throws(AVError) -> PCMFormat {
    let rate = values.int(AVSampleRateKey) ?? sampleRate
    let channels = values.int(AVNumberOfChannelsKey) ?? channelCount
    guard let format = PCMFormat(values, sampleRate: rate, channelCount: channels) else {
      throw AVError(
        .formatUnsupported, "The settings ask for samples of a size that does not exist.",
        suggestion: "Use integers of 16, 24 or 32 bits, or floating-point numbers of 32 or 64 bits.")
    }
    return format
  }
}
