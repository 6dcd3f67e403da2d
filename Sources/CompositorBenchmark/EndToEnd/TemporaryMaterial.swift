import CompositorAPI
import CompositorExport
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation
import Foundation

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
    let composition = try source.movie(of: frames, shape)
    let video =
      source.attributes.alphaMode != .opaque
      ? VideoEncodingSettings(codec: .proRes)
      : VideoEncodingSettings(codec: .h264, quality: .constant(23), speed: .ultrafast)
    _ = try await Exporter.export(composition, to: path, settings: ExportSettings(video: video, audio: nil))
    return path
  }
}

extension WorkloadSource {
  /// A movie of frames in memory, repeated as long as the shape says, in which each passes through without composing.
  func movie(of frames: [Frame], _ shape: WorkloadShape) throws -> ValidatedComposition {
    let catalog = MediaCatalog()
    catalog.provide(
      NoiseMedia(self, frames, frameDuration: shape.frameDuration, duration: shape.timeRange.duration), as: name)
    var builder = SceneBuilder(shape, WorkloadCanvas(size: size, format: format))
    builder.output = OutputDescription(format: format, color: attributes.color, alphaMode: attributes.alphaMode)
    try builder.addMovie(trackID: 1, self)
    let instruction = Instruction(timeRange: shape.timeRange, passthroughTrackID: 1)
    return try CompositionValidator.validate(builder.scene([instruction]).edit, catalog: catalog).get()
  }
}
