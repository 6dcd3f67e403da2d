package import CompositorAPI
import CompositorHost
package import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTimeline
package import CompositorValidation

extension ProjectFile {
  /// Whether the project states the number of audio channels of its output.
  var choosesChannelCount: Bool {
    let path = "output.audio.channels"
    return document.existing(path: path) == path
  }

  /// The keys of `output` about metadata whose values depend on the movie or on other files.
  package enum MetadataKey: CaseIterable, Sendable { case chapters, cover, source }

  /// What prevents the project's chapters, cover and source of metadata from being written, each located at its key.
  ///
  /// - Parameters:
  ///   - keys: The keys to check: the command line may replace the others.
  ///   - catalog: Describes the source of metadata.
  /// - Returns: At most one error for each key. Codes are those with which an export of these values fails.
  package func metadataErrors(
    for composition: ValidatedComposition, keys: [MetadataKey] = MetadataKey.allCases, catalog: MediaCatalog
  ) -> [CompositorError] {
    keys.compactMap { key in
      do throws(CompositorError) {
        switch key {
        case .chapters: try checkChapters(composition)
        case .cover: try checkCover(composition)
        case .source: try checkSource(catalog)
        }
        return nil
      } catch {
        return locating(error)
      }
    }
  }

  /// What no file can hold that the project's preset or codec allows, each located at its key.
  package func containerErrors(for composition: ValidatedComposition) -> [CompositorError] {
    let possible =
      output.preset?.definition.containers
      ?? output.video.chosenCodec.map { codec in MovieContainer.allCases.filter { $0.videoCodecs.contains(codec) } }
      ?? MovieContainer.allCases
    guard !possible.isEmpty else { return [] }
    let names = alternatives(possible.map { ".\($0.rawValue)" })
    let cause = output.preset.map { "the preset \($0.rawValue)" } ?? "the codec \(output.video.codec.rawValue)"
    func error(_ key: String, _ what: String, _ isHeld: (MovieContainer) -> Bool) -> CompositorError? {
      guard !possible.contains(where: isHeld) else { return nil }
      return locating(
        CompositorError(
          .unsupportedOutput, "\(names), the only file of \(cause), holds no \(what).",
          recoverySuggestion: "Leave them out, or choose another \(output.preset == nil ? "codec" : "preset").",
          at: ErrorLocation(path: key)))
    }
    let metadata = output.metadata
    let tracks = composition.edit.captions.filter(\.presentation.isTrack)
    return [
      metadata.entries.isEmpty ? nil : error("output.metadata", "metadata", \.holdsMetadata),
      metadata.marks.isEmpty ? nil : error("output.chapters", "chapters", \.holdsChapters),
      metadata.cover == nil ? nil : error("output.cover", "cover", \.holdsCover),
      tracks.isEmpty ? nil : error("captions", "caption tracks", \.holdsCaptions),
    ].compactMap(\.self) + metadata.entries.sorted { $0.key < $1.key }.compactMap { entryError($0.key, $0.value, in: possible) }
  }

  /// The error of a metadata entry that each of these files with metadata refuses.
  private func entryError(_ key: String, _ value: String, in possible: [MovieContainer]) -> CompositorError? {
    var refusals: [CompositorError] = []
    let files = possible.filter(\.holdsMetadata)
    for file in files {
      do throws(CompositorError) {
        var description = MovieDescription(container: file, audioTracks: [])
        description.metadata = [key: value]
        try description.validateEntries()
      } catch {
        refusals.append(error)
      }
    }
    guard let refusal = refusals.last, refusals.count == files.count else { return nil }
    return locating(
      CompositorError(
        refusal.code, refusal.message, recoverySuggestion: refusal.recoverySuggestion, cause: refusal.cause,
        at: ErrorLocation(path: "output.metadata.\(key)")))
  }

  private func frameRate(of composition: ValidatedComposition) -> Rational {
    composition.edit.videoComposition.frameDuration.frameRate
  }

  private func checkChapters(_ composition: ValidatedComposition) throws(CompositorError) {
    let chapters = try output.metadata.chapters(frameRate: frameRate(of: composition))
    do throws(CompositorError) {
      try output.metadata.marks.validate(chapters, until: composition.edit.composition.duration)
    } catch {
      throw error.locatingChapter
    }
  }

  private func checkCover(_ composition: ValidatedComposition) throws(CompositorError) {
    switch output.metadata.cover {
    case nil: return
    case .file(let path):
      do throws(CompositorError) {
        _ = try CoverPicture(contentsOf: path)
      } catch {
        throw error.locating(ErrorLocation(path: "output.cover"))
      }
    case .frame(let written):
      let place = ErrorLocation(path: "output.cover.at")
      let end = composition.edit.composition.duration
      let time: MediaTime
      do throws(CompositorError) {
        time = try written.time(atFrameRate: frameRate(of: composition))
      } catch {
        throw error.locating(place)
      }
      guard time >= end else { return }
      throw CompositorError(
        .noFrame, "The cover is the frame at \(time.readable), but the movie ends at \(end.readable).",
        recoverySuggestion: "Choose a time before the end.", at: place)
    }
  }

  private func checkSource(_ catalog: MediaCatalog) throws(CompositorError) {
    guard let path = output.metadata.source else { return }
    do throws(CompositorError) {
      _ = try catalog.info(for: .file(path: path))
    } catch {
      throw error.locating(ErrorLocation(path: "output.metadataFrom"))
    }
  }
}
