import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

extension ExportSettings {
  /// A note on what describes the only source, if all of it is exported and nothing of that was chosen: metadata, chapters, the cover, the
  /// timecode, and what stands in chunks of a WAV.
  func unkeptMetadata(of composition: ValidatedComposition, in output: OutputName) -> [ExportNote] {
    if case .stream = output { return [] }
    guard let container = output.container, !container.isAnimation, timeRange == nil, let info = composition.onlyMedia,
      composition.offsetOfOnlyMedia != nil
    else { return [] }
    let keepable = chosenNone ? described(info, in: container) : []
    var lost = keepable + (chosenNone ? Self.unknownEntries(of: info).sorted() : [])
    if info.otherTracks.contains(where: { $0.kind == .timecode }) || info.metadata["timecode"] != nil {
      lost.append("the timecode")
    }
    if info.container == "wav" { lost += info.extras.map { "\($0.meaning) (\($0.name))" } }
    guard !lost.isEmpty else { return [] }
    let kept = RecoveryOption(.keptMetadata)
    let advice: Wording = keepable.isEmpty ? "" : .advice(": \(kept) keeps what the file can hold")
    return [
      ExportNote(
        .metadata, "\(info.source): not kept: \(lost.joined(separator: ", "))\(advice)", source: info.source)
    ]
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
    if info.otherTracks.contains(where: { $0.kind == .cover }) { words.append("the cover") }
    return words
  }
}
