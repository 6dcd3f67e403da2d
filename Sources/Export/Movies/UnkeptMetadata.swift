import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting

extension ExportSettings {
  /// A note on what describes the only source, if all of it is exported and nothing of that was chosen: metadata, chapters, the cover and
  /// the timecode.
  func unkeptMetadata(of composition: ValidatedComposition, in output: OutputName) -> [String] {
    if case .stream = output { return [] }
    guard let container = try? output.container(), !container.isAnimation, timeRange == nil, let info = composition.onlyMedia,
      composition.offsetOfOnlyMedia != nil
    else { return [] }
    var lost = chosenNone ? described(info, in: container) : []
    if info.otherTracks.contains(where: { $0.kind == "timecode" }) || info.metadata["timecode"] != nil {
      lost.append("the timecode")
    }
    guard !lost.isEmpty else { return [] }
    let isKeepable = lost != ["the timecode"]
    let advice = isKeepable ? ": --keep-metadata or, in a project, output.metadataFrom keeps what the file can hold" : ""
    return ["\(info.source): not kept: \(lost.joined(separator: ", "))\(advice)"]
  }

  /// Whether nothing that describes the movie was chosen, or kept from a source.
  private var chosenNone: Bool {
    metadata.isEmpty && chapters.isEmpty && cover == nil && creationSecondsSince1970 == nil && metadataNotes.isEmpty
  }

  private func described(_ info: MediaInfo, in container: MovieContainer) -> [String] {
    var kept = ExportSettings()
    kept.keepEntries(of: info, in: container)
    var words = kept.metadata.keys.sorted()
    if kept.creationSecondsSince1970 != nil { words.append("the date of recording") }
    if !info.chapters.isEmpty { words.append("\(info.chapters.count) chapter\(info.chapters.count == 1 ? "" : "s")") }
    if info.otherTracks.contains(where: { $0.kind == "cover" }) { words.append("the cover") }
    return words
  }
}
