import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import CompositorValidation
import Foundation

/// One edit from files to a file, with several compositors and thread counts, alternating.
struct EndToEndCell {
  let edit: Edit
  let catalog: MediaCatalog
  let registry: CompositorRegistry
  let includesAudio: Bool
  let folder: TemporaryMaterial
  let configuration: BenchmarkConfiguration

  init(
    _ edit: Edit, catalog: MediaCatalog, registry: CompositorRegistry, includesAudio: Bool,
    folder: TemporaryMaterial, configuration: BenchmarkConfiguration
  ) {
    (self.edit, self.catalog, self.registry, self.includesAudio) = (edit, catalog, registry, includesAudio)
    (self.folder, self.configuration) = (folder, configuration)
  }

  private struct Pass {
    let wallMilliseconds, processorMilliseconds, peakMemoryMiB: Double
    let result: ExportResult
  }

  func measure(_ compositors: [CompositorFactory?], keys: [BenchmarkRow.Key]) async throws -> [BenchmarkRow] {
    let variants = compositors.flatMap { compositor in configuration.threads.map { (compositor, $0) } }
    var outcomes = [Result<[Pass], any Error>](repeating: .success([]), count: variants.count)
    var codecs = compositors.indices.map { index in
      let isMeasured = variants.indices.contains {
        $0 / configuration.threads.count == index && configuration.measures(keys[$0])
      }
      return isMeasured ? CodecCost() : nil
    }
    // Once to warm up the system's file cache, then as configured, but at most three times, because an export takes a long
    // time.
    for round in 0...min(3, configuration.repetitions) {
      for place in variants.indices {
        let index = (place + round) % variants.count
        guard configuration.measures(keys[index]), case .success(var passes) = outcomes[index] else { continue }
        do {
          let pass = try await export(variants[index].0, threads: variants[index].1)
          if round > 0 { passes.append(pass) }
          outcomes[index] = .success(passes)
        } catch let error as CompositorError where error.code == .cancelled {
          throw error
        } catch {
          outcomes[index] = .failure(error)
        }
      }
      // Between the exports that they are compared with, so that slow changes of the machine affect all of them.
      for index in codecs.indices where round > 0 { try await measure(&codecs[index], compositors[index]) }
    }
    return variants.indices.compactMap { index in
      guard configuration.measures(keys[index]) else { return nil }
      switch outcomes[index] {
      case .failure(let error): return BenchmarkRow(keys[index], figures: nil, failure: "\(error)")
      case .success(let passes):
        return figures(passes, threads: variants[index].1, codecs[index / configuration.threads.count]).map {
          BenchmarkRow(keys[index], figures: $0, failure: nil)
        }
      }
    }
  }

  /// Measures decoding and encoding alone once more; gives it up if that is not possible.
  ///
  /// - Throws: `.cancelled`.
  private func measure(_ cost: inout CodecCost?, _ compositor: CompositorFactory?) async throws {
    do {
      let composition = try composition(with: compositor)
      // Audio is a part of the export that neither decoding nor encoding frames contains.
      guard !includesAudio || !composition.hasAudio else { return cost = nil }
      try await cost?.measure(composition, video: EndToEndCell.video, to: folder.path("alone.mp4"))
    } catch let error as CompositorError where error.code == .cancelled {
      throw error
    } catch is CancellationError {
      throw CompositorError(.cancelled, "The benchmark was canceled.")
    } catch {
      cost = nil
    }
  }

  private static let video = VideoEncodingSettings(codec: .h264, quality: .constant(23), speed: .veryfast)

  private func composition(with compositor: CompositorFactory?) throws -> ValidatedComposition {
    var registry = registry
    if let compositor { try registry.register(compositor) }
    return try CompositionValidator.validate(
      edit.replacingCompositor(with: compositor), catalog: catalog, registry: registry,
      mediaTypes: includesAudio ? [.video, .audio] : [.video]
    ).get()
  }

  /// Workers that have ended are left out, since their time is unknown.
  private static func finite(_ milliseconds: Double) -> Double { milliseconds.isFinite ? milliseconds : 0 }

  private func export(_ compositor: CompositorFactory?, threads: Int) async throws -> Pass {
    let composition = try composition(with: compositor)
    let path = folder.path("out.mp4")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let settings = ExportSettings(
      video: EndToEndCell.video, audio: includesAudio ? AudioEncodingSettings() : nil, overwrites: true,
      render: RenderSettings(threadCount: threads))
    let memory = PeakMemory()
    let (processor, elsewhere) = (Measurement.processorMilliseconds(), Measurement.descendantsMilliseconds())
    let result = try await Exporter.export(composition, to: path, settings: settings)
    return Pass(
      wallMilliseconds: Measurement.milliseconds(result.wallTime),
      processorMilliseconds: Measurement.processorMilliseconds() - processor
        + EndToEndCell.finite(Measurement.difference(Measurement.descendantsMilliseconds(), elsewhere)),
      peakMemoryMiB: memory.mebibytes, result: result)
  }

  private func figures(_ passes: [Pass], threads: Int, _ codecs: CodecCost?) -> BenchmarkRow.Figures? {
    // Other load on the machine can only increase the time of an end-to-end run.
    guard let best = passes.min(by: { $0.wallMilliseconds < $1.wallMilliseconds }) else { return nil }
    let count = Double(max(1, best.result.frameCount))
    func perFrame(_ duration: Duration) -> Double { Measurement.milliseconds(duration) / count }
    let stages = best.result.stages
    let hasAudio = best.result.audioSampleCount > 0
    let routes = best.result.routes.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
    return BenchmarkRow.Figures(
      framesPerSecond: 1000 * count / best.wallMilliseconds,
      framesPerSecondNoise: Estimate(passes.map(\.wallMilliseconds)).noise,
      p50Milliseconds: nil, p99Milliseconds: nil, processorMilliseconds: best.processorMilliseconds / count,
      ratioToPlainBlend: nil, cost: nil,
      peakMemoryMiB: Measurement.greatest(passes.map(\.peakMemoryMiB)), framesInFlight: threads + 2,
      allocations: best.result.pixelAllocationCount, copies: best.result.frameCopyCount, bufferAllocationsPerFrame: nil,
      heapAllocationsPerFrame: nil, route: routes.joined(separator: ", "), largestError: nil,
      stages: BenchmarkRow.Stages(
        decode: perFrame(stages.decode), convert: perFrame(stages.conform + stages.deliver - stages.titles),
        compose: perFrame(stages.compose), titles: perFrame(stages.titles), encode: perFrame(stages.write - stages.audio),
        audio: hasAudio ? perFrame(stages.audio) : nil),
      codecs: codecs?.figures(frameCount: best.result.frameCount, ofWhole: passes.map(\.processorMilliseconds)))
  }
}
