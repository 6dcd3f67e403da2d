import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

extension ExportedInstance {
  /// Reports the regions of interest of a frame.
  func needs(_ pointer: UnsafePointer<CompositorRequest>, _ needs: UnsafeMutablePointer<CompositorNeeds>) throws {
    guard let selective = composer as? any SelectiveComposer else { return }
    let request = try CompositionRequest(
      readStruct(pointer, zero: CompositorRequest()), context: context, id: descriptor.id)
    let answer = try CallerExecutor.run {
      try await selective.regionsOfInterest(for: request)
    } started: { _ in
    }
    switch answer {
    case .everything: break
    case .identity(let trackID): needs.pointee.identity_track = trackID
    case .regions(let parts):
      try Self.fill(needs, with: parts.map { RegionOfInterest($0.key, at: request.time, region: $0.value) }, of: request)
    case .sources(let sources): try Self.fill(needs, with: sources, of: request)
    }
  }

  private static func fill(
    _ needs: UnsafeMutablePointer<CompositorNeeds>, with sources: [RegionOfInterest], of request: CompositionRequest
  ) throws(CompositorError) {
    guard sources.count <= needs.pointee.part_capacity else {
      throw CompositorError(
        .compositorFailed, "It asks for \(sources.count) sources; the host has room for \(needs.pointee.part_capacity).")
    }
    needs.pointee.is_partial = 1
    for (index, source) in sources.enumerated() {
      guard let entry = needs.pointee.parts?[index] else { break }
      entry.pointee.track = source.trackID
      entry.pointee.is_whole = source.region.isInfinite ? 1 : 0
      entry.pointee.part = (source.region.minX, source.region.minY, source.region.size.width, source.region.size.height)
      if source.time != request.time { try setTime(source.time, of: entry) }
      needs.pointee.part_count += 1
    }
  }

  private static func setTime(_ time: MediaTime, of entry: UnsafeMutablePointer<CompositorNeed>) throws(CompositorError) {
    guard time.isNumeric else {
      throw CompositorError(.compositorFailed, "It asks for a source at a time that is not a number of seconds.")
    }
    entry.pointee.time = CompositorTime(time)
  }
}
