public import CompositorAPI
import CompositorExport
public import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorPlugins
import Foundation

extension Benchmark {
  /// Runs every workload from files to a file: decoding, composing, titles, encoding and writing, with separate times for
  /// each stage.
  ///
  /// The material is encoded first: movies as H.264, those with alpha as ProRes 4444, stills as PNG. Outputs are H.264,
  /// `veryfast`, without audio. The workload of a row is named like `W2 end to end`.
  ///
  /// - Throws: `.cancelled`; errors of encoding the material. A compositor that fails produces a row with its error.
  public static func runEndToEnd(
    _ compositors: [CompositorFactory], configuration: BenchmarkConfiguration = .init(),
    progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    let folder = try TemporaryMaterial()
    var rows: [BenchmarkRow] = []
    for size in configuration.sizes {
      for format in configuration.formats {
        for workload in configuration.workloads {
          let name = "\(workload.name) end to end"
          let keys = keys(name, compositors, size, format, configuration)
          guard keys.contains(where: configuration.measures) else { continue }
          let scene = try workload.scene(on: WorkloadCanvas(size: size, format: format))
          let edit = try await folder.filing(scene, of: workload)
          let found = try await EndToEndCell(
            edit, catalog: MediaCatalog(), registry: .builtIn, folder: folder, configuration: configuration
          ).measure(compositors, keys: keys)
          rows += found
          found.forEach(progress)
        }
      }
    }
    return report(rows)
  }

  /// Runs an edit of your own from its files to a file: first with the compositors that it names, then with each of
  /// `compositors` instead.
  public static func runEndToEnd(
    _ composition: ValidatedComposition, name: String, compositors: [CompositorFactory] = [],
    configuration: BenchmarkConfiguration = .init(), progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    let plan = try RenderPlan(composition)
    let variants = [nil] + compositors.map(Optional.init)
    let keys = keys("\(name) end to end", variants, plan.format.size, plan.format.pixelFormat, configuration)
    let rows = try await EndToEndCell(
      composition.edit, catalog: composition.catalog, registry: composition.registry, folder: try TemporaryMaterial(),
      configuration: configuration
    ).measure(variants, keys: keys)
    rows.forEach(progress)
    return report(rows)
  }

  private static func keys(
    _ name: String, _ compositors: [CompositorFactory?], _ size: PixelSize, _ format: PixelFormat,
    _ configuration: BenchmarkConfiguration
  ) -> [BenchmarkRow.Key] {
    compositors.flatMap { compositor in
      configuration.threads.map { threads in
        BenchmarkRow.Key(
          workload: name, compositor: compositor?.descriptor.id ?? BenchmarkRow.asWritten, size: size, format: format,
          threads: threads)
      }
    }
  }

  private static func report(_ rows: [BenchmarkRow]) -> BenchmarkReport {
    BenchmarkReport(
      plainBlendMilliseconds: [:], rows: rows, machine: nil,
      excluded: "End to end: from files to a file, H.264 veryfast, nothing excluded; best of the passes.")
  }
}

/// A folder for the material and outputs of end-to-end runs. It is removed when the last reference is released.
final class TemporaryMaterial {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "compositor-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Writes a scene's material to files; returns an edit that uses these files.
  func filing(_ scene: WorkloadScene, of workload: Workload) async throws -> Edit {
    let frames = NoiseFrames.make(scene.sources)
    var files: [MediaSource: MediaSource] = [:]
    for (source, frames) in zip(scene.sources, frames) {
      let name = "\(workload.name.filter { $0 != "/" })-\(source.name)"
      files[.custom(name: source.name)] = .file(path: try await write(source, frames, name: name, workload))
    }
    var edit = scene.edit
    for track in edit.composition.tracks(.video) {
      let segments = track.segments.map { segment in
        var segment = segment
        segment.source = segment.source.map { files[$0] ?? $0 }
        return segment
      }
      try edit.composition.setSegments(segments, ofTrack: track.trackID)
    }
    return edit
  }

  private func write(_ source: WorkloadSource, _ frames: [Frame], name: String, _ workload: Workload) async throws -> String {
    if source.isStill, let frame = frames.first {
      let path = path("\(name).png")
      _ = try PNGWriter.write(frame, to: path)
      return path
    }
    let path = path("\(name).mov")
    let shape = WorkloadShape(frameCount: workload.frameCount, frameDuration: workload.frameDuration)
    let catalog = MediaCatalog()
    catalog.provide(
      NoiseMedia(source, frames, frameDuration: workload.frameDuration, duration: shape.timeRange.duration), as: source.name)
    var builder = SceneBuilder(shape, WorkloadCanvas(size: source.size, format: source.format))
    let keepsAlpha = source.attributes.alphaMode != .opaque
    builder.output = OutputDescription(
      format: source.format, color: source.attributes.color, alphaMode: source.attributes.alphaMode)
    try builder.addMovie(trackID: 1, source)
    var instruction = Instruction(timeRange: shape.timeRange)
    instruction.passthroughTrackID = 1
    let composition = try CompositionValidator.validate(builder.scene([instruction]).edit, catalog: catalog).get()
    let video =
      keepsAlpha
      ? VideoEncodingSettings(codec: .proRes)
      : VideoEncodingSettings(codec: .h264, quality: .constant(23), speed: .ultrafast)
    _ = try await Exporter.export(composition, to: path, settings: ExportSettings(video: video, audio: nil))
    return path
  }
}

/// One edit from files to a file, with several compositors and thread counts, alternating.
private struct EndToEndCell {
  let edit: Edit
  let catalog: MediaCatalog
  let registry: CompositorRegistry
  let folder: TemporaryMaterial
  let configuration: BenchmarkConfiguration

  init(
    _ edit: Edit, catalog: MediaCatalog, registry: CompositorRegistry, folder: TemporaryMaterial,
    configuration: BenchmarkConfiguration
  ) {
    (self.edit, self.catalog, self.registry) = (edit, catalog, registry)
    (self.folder, self.configuration) = (folder, configuration)
  }

  private struct Pass {
    let wallMilliseconds, processorMilliseconds, peakMemoryMiB: Double
    let result: ExportResult
  }

  func measure(_ compositors: [CompositorFactory?], keys: [BenchmarkRow.Key]) async throws -> [BenchmarkRow] {
    let variants = compositors.flatMap { compositor in configuration.threads.map { (compositor, $0) } }
    var outcomes = [Result<[Pass], any Error>](repeating: .success([]), count: variants.count)
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
    }
    return zip(keys, zip(variants, outcomes)).compactMap { key, entry in
      guard configuration.measures(key) else { return nil }
      switch entry.1 {
      case .failure(let error): return BenchmarkRow(key, figures: nil, failure: "\(error)")
      case .success(let passes): return figures(passes, threads: entry.0.1).map { BenchmarkRow(key, figures: $0, failure: nil) }
      }
    }
  }

  private func export(_ compositor: CompositorFactory?, threads: Int) async throws -> Pass {
    var registry = registry
    if let compositor { try registry.register(compositor) }
    let composition = try CompositionValidator.validate(
      edit.replacingCompositor(with: compositor), catalog: catalog, registry: registry, mediaTypes: [.video]
    ).get()
    let path = folder.path("out.mp4")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let settings = ExportSettings(
      video: VideoEncodingSettings(codec: .h264, quality: .constant(23), speed: .veryfast), audio: nil, overwrites: true,
      render: RenderSettings(threadCount: threads))
    Measurement.resetPeakMemory()
    let (processor, elsewhere) = (Measurement.processorMilliseconds(), Measurement.descendantsMilliseconds())
    let result = try await Exporter.export(composition, to: path, settings: settings)
    return Pass(
      wallMilliseconds: Measurement.milliseconds(result.wallTime),
      processorMilliseconds: Measurement.processorMilliseconds() - processor
        + max(0, Measurement.descendantsMilliseconds() - elsewhere),
      peakMemoryMiB: Measurement.peakMemoryMiB(), result: result)
  }

  private func figures(_ passes: [Pass], threads: Int) -> BenchmarkRow.Figures? {
    // Other load on the machine can only increase the time of an end-to-end run.
    guard let best = passes.min(by: { $0.wallMilliseconds < $1.wallMilliseconds }) else { return nil }
    let count = Double(max(1, best.result.frameCount))
    func perFrame(_ duration: Duration) -> Double { Measurement.milliseconds(duration) / count }
    let stages = best.result.stages
    let routes = best.result.routes.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
    return BenchmarkRow.Figures(
      framesPerSecond: 1000 * count / best.wallMilliseconds,
      framesPerSecondNoise: Estimate(passes.map(\.wallMilliseconds)).noise,
      p50Milliseconds: nil, p99Milliseconds: nil, processorMilliseconds: best.processorMilliseconds / count,
      ratioToPlainBlend: nil, cost: nil,
      peakMemoryMiB: passes.map(\.peakMemoryMiB).max() ?? .nan, framesInFlight: threads + 2,
      allocations: best.result.pixelAllocationCount, copies: best.result.frameCopyCount, bufferAllocationsPerFrame: nil,
      heapAllocationsPerFrame: nil, route: routes.joined(separator: ", "), largestError: nil,
      stages: BenchmarkRow.Stages(
        decode: perFrame(stages.decode), convert: perFrame(stages.conform + stages.deliver - stages.titles),
        compose: perFrame(stages.compose), titles: perFrame(stages.titles), encode: perFrame(stages.write - stages.audio),
        audio: perFrame(stages.audio)))
  }
}
