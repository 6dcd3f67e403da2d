public import CompositorAPI
import CompositorMedia
import CompositorPlugins
public import CompositorValidation

extension Benchmark {
  /// Runs every workload from files to a file: decoding, composing, titles, encoding and writing, with separate times for
  /// each stage.
  ///
  /// The material is encoded first: movies as H.264, those with alpha as ProRes 4444, stills as PNG; none has audio. Outputs are
  /// H.264, `veryfast`. The workload of a row is named like `W2 end to end`.
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
            edit, catalog: MediaCatalog(), registry: .builtIn, includesAudio: false, folder: folder,
            configuration: configuration
          ).measure(compositors, keys: keys)
          rows += found
          found.forEach(progress)
        }
      }
    }
    return report(rows)
  }

  /// Runs an edit of your own from its files to a file: first with the compositors that it names, then with each of
  /// `compositors` instead. Outputs are H.264, `veryfast`, with the edit's audio.
  ///
  /// - Parameter includesAudio: Whether the edit's audio, if it has any, is mixed and encoded, too.
  public static func runEndToEnd(
    _ composition: ValidatedComposition, name: String, compositors: [CompositorFactory] = [],
    configuration: BenchmarkConfiguration = .init(), includesAudio: Bool = true,
    progress: (BenchmarkRow) -> Void = { _ in }
  ) async throws -> BenchmarkReport {
    let plan = try RenderPlan(composition)
    let variants = [nil] + compositors.map(Optional.init)
    let keys = keys("\(name) end to end", variants, plan.format.size, plan.format.pixelFormat, configuration)
    let rows = try await EndToEndCell(
      composition.edit, catalog: composition.catalog, registry: composition.registry, includesAudio: includesAudio,
      folder: try TemporaryMaterial(), configuration: configuration
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
