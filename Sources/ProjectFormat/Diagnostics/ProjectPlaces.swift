package import CompositorAPI
package import CompositorMedia
import CompositorTimeline

/// Maps each part of an edit to its origin in a project's text.
///
/// Explicit instructions are found by their index, derived ones at the clips, transitions and effects from which they are
/// derived.
package struct ProjectPlaces: Sendable {
  let file: ProjectFile
  /// The edit that was validated.
  let edit: Edit
  /// The timeline with canvas, frame rate and times resolved; `nil` if media is missing.
  let timeline: Timeline?
  /// The placed clips and their composition tracks; `nil` if media is missing.
  let tracks: TimelineTracks?
  /// The clips of each composition track, in order of time.
  let clipsByTrack: [TrackID: [PlacedClip]]
  /// The names of assets, by source.
  private let assetNames: [(source: MediaSource, name: String)]

  /// Places the clips of a project in the same way as for its edit. The catalog already knows the media. An edit doesn't keep its
  /// clips: there may be 100,000, and only diagnostics need them.
  package init(_ file: ProjectFile, _ edit: Edit, catalog: MediaCatalog) {
    (self.file, self.edit) = (file, edit)
    timeline = try? file.placedTimeline(catalog: catalog)
    tracks = try? timeline?.placedTracks(catalog: catalog)
    let canvas = edit.videoComposition.renderSize
    assetNames = file.assets.map { ($0.value.sized(for: canvas), $0.key) }.sorted { $0.1 < $1.1 }
    var byTrack: [TrackID: [PlacedClip]] = [:]
    for mask in tracks?.masks ?? [] {
      if let track = tracks?.videoTrackID(of: mask) { byTrack[track, default: []].append(mask) }
    }
    for clip in (tracks?.clips ?? []).joined() {
      if let track = tracks?.videoTrackID(of: clip) { byTrack[track, default: []].append(clip) }
      let audio = tracks?.audioTrackIDs[clip.track] ?? []
      if audio.indices.contains(clip.lane) { byTrack[audio[clip.lane], default: []].append(clip) }
    }
    clipsByTrack = byTrack.mapValues { $0.sorted { $0.range.start < $1.range.start } }
  }

  /// The placed clips; empty if media is missing.
  var clips: [[PlacedClip]] { tracks?.clips ?? [] }
  /// The effects over the whole frame.
  var effects: [TimelineEffect] { timeline?.effects ?? [] }
  /// The explicit instructions with lengths and times resolved.
  var instructions: [TimelineInstruction] { timeline?.instructions ?? [] }

  /// Whether the project has explicit instructions.
  var isExplicit: Bool { file.draft.instructions != nil }

  /// The index of the timeline track for a composition track; `nil` for tracks without clips and those of masks.
  func timelineTrack(of track: TrackID) -> Int? {
    guard let clip = clipsByTrack[track]?.first, clip.ownPath == nil else { return nil }
    return clip.track
  }

  /// The key path in the project that a diagnostic refers to; `nil` for a project without a source text.
  package func path(of diagnostic: ValidationDiagnostic) -> String? {
    guard file.origin == .project else { return nil }
    return file.document.existing(path: written(diagnostic))
  }

  /// The time of the clip at a key path, or of the first clip that plays the asset there; `nil` for other paths.
  func range(ofPath path: String) -> TimeRange? {
    let path = DocumentPath(path)
    let source = assetNames.first { path.starts(with: DocumentPath("assets.\($0.name)")) }?.source
    let clip = clips.joined().filter { $0.clip.source == source || path.starts(with: DocumentPath($0.path)) }
      .min { $0.range.start < $1.range.start }
    return clip.flatMap { try? $0.range.timeRange() }
  }

  private func written(_ diagnostic: ValidationDiagnostic) -> String {
    if let path = diagnostic.path { return translated(path, diagnostic) }
    if diagnostic.code.traits.subject == .source, let path = assetPath(of: diagnostic) { return path }
    if diagnostic.code == .cropBeyondSource, let path = cropPath(of: diagnostic) { return path }
    if diagnostic.code == .nothingShown, !isExplicit, let range = diagnostic.timeRange { return path(ofEmpty: range) }
    if let index = diagnostic.instruction, let path = instructionPath(index, diagnostic) { return path }
    if let track = diagnostic.track, let path = trackPath(track, diagnostic) { return path }
    if let path = assetPath(of: diagnostic) { return path }
    return wholePath(of: diagnostic)
  }

  /// Converts a key path of the edit to one of the project.
  private func translated(_ path: String, _ diagnostic: ValidationDiagnostic) -> String {
    if let title = file.path(ofTitle: path) {
      if diagnostic.code == .titleResourceMissing { return file.resourcePath(inTitle: title, diagnostic.subject) }
      return lateTitle(diagnostic) == nil ? title : title + ".start"
    }
    if diagnostic.code == .effectUnchanging { return effectPath(path, diagnostic) }
    let steps = DocumentPath(path)
    if isExplicit, steps.key(at: 0) == "videoComposition", steps.index(of: "instructions", at: 1) != nil {
      return steps.dropFirst(1).description
    }
    if steps.key(at: 0) == "videoComposition", steps.steps.count > 1 { return "output.\(steps.dropFirst(1))" }
    if steps.key(at: 0) == "audioTracks" { return "output.\(path)" }
    guard steps.key(at: 0) == "audioMix" else { return path }
    if let own = audioEffectPath(steps) { return own }
    if let track = diagnostic.track, let clip = clipsByTrack[track]?.first {
      let key = steps.contains(key: "pan") ? ".pan" : steps.contains(key: "processors") ? ".audioEffects" : ".volume"
      let own = clip.path + key
      return file.document.existing(path: own) == own ? own : "tracks[\(clip.track)]\(key)"
    }
    let keys = ["loudness": "loudness", "limiting": "limiter", "volume": "volume", "processors": "effects"]
    return "output.audio." + (steps.key(at: 1).flatMap { keys[$0] } ?? "")
  }

  /// The path of an instruction, or of the clips that it shows.
  private func instructionPath(_ index: Int, _ diagnostic: ValidationDiagnostic) -> String? {
    let instructions = edit.videoComposition.instructions
    guard instructions.indices.contains(index) else { return nil }
    let range = instructions[index].timeRange
    if isExplicit {
      let path = "instructions[\(index)]"
      if let track = diagnostic.track, let layer = instructions[index].layers.firstIndex(where: { $0.trackID == track }) {
        return "\(path).layers[\(layer)]"
      }
      let concernsTimes = diagnostic.code.traits.subject == .instructionTimes
      if concernsTimes, diagnostic.foundTime == range.end { return path + ".duration" }
      return concernsTimes && diagnostic.foundTime == range.start ? path + ".at" : path
    }
    let time = diagnostic.timeRange?.start ?? range.start
    if let track = diagnostic.track, let clip = clip(onTrack: track, at: time) { return clip.path }
    guard let start = try? ExactTime(time) else { return nil }
    if let effect = effects.firstIndex(where: { $0.timeRange.start <= time && time < $0.timeRange.end }) {
      return "effects[\(effect)]"
    }
    let visible = clips.joined().filter { $0.range.contains(start) }
    if let inTransition = visible.last(where: { $0.clip.transition != nil && start < $0.transitionInEnd }) {
      return inTransition.path + ".transition"
    }
    return visible.last?.path
  }

  /// The name of the asset that is a source; the first in alphabetical order if there are several.
  func assetName(of source: MediaSource) -> String? { assetNames.first { $0.source == source }?.name }

  /// The path of the clip that begins where an empty part ends, or of the one that ends where it begins.
  private func path(ofEmpty range: TimeRange) -> String {
    guard let (start, end) = try? (ExactTime(range.start), ExactTime(range.end)) else { return "tracks" }
    let shown = clips.joined().filter { $0.media.picture != nil }
    if let next = shown.first(where: { $0.range.start == end }) {
      let own = next.path + ".at"
      return file.document.existing(path: own) == own ? own : next.path
    }
    return shown.first { $0.range.end == start }?.path ?? "tracks"
  }

  /// The clip that a composition track plays at a time.
  func clip(onTrack track: TrackID, at time: MediaTime) -> PlacedClip? {
    guard let clips = clipsByTrack[track], let time = try? ExactTime(time) else { return nil }
    return clips.last { $0.range.contains(time) }
  }

  /// The clip of a composition track that a diagnostic refers to, and its key.
  private func trackPath(_ track: TrackID, _ diagnostic: ValidationDiagnostic) -> String? {
    guard let clips = clipsByTrack[track], let first = clips.first else { return nil }
    if let range = diagnostic.timeRange, let clip = clip(onTrack: track, at: range.start) {
      return clip.path + key(of: diagnostic, in: clip)
    }
    if let found = diagnostic.foundTime, let time = try? ExactTime(found) {
      if let clip = clips.first(where: { $0.sourceRange.end == time || $0.sourceRange.start == time }) {
        return clip.path + key(of: diagnostic, in: clip)
      }
      if let clip = clip(onTrack: track, at: found) { return clip.path }
    }
    // Without a time, it is the first clip of the source that it is about.
    if diagnostic.code == .mixedFrameRates, let clip = clips.first(where: { $0.clip.source == diagnostic.source }) {
      return clip.path
    }
    return first.path
  }

  /// The key of a clip with the wrong time.
  private func key(of diagnostic: ValidationDiagnostic, in clip: PlacedClip) -> String {
    guard let found = diagnostic.foundTime, let time = try? ExactTime(found) else { return "" }
    return clip.sourceRange.end == time ? ".duration" : clip.sourceRange.start == time ? ".in" : ""
  }

  /// The asset that a diagnostic is about; if it doesn't say, and is about media, the first one on its track.
  private func assetPath(of diagnostic: ValidationDiagnostic) -> String? {
    if let name = diagnostic.source.flatMap(assetName(of:)) { return "assets.\(name)" }
    guard diagnostic.code.traits.subject == .source,
      let source = diagnostic.track.flatMap({ clipsByTrack[$0] })?.first?.clip.source
    else {
      return nil
    }
    return assetName(of: source).map { "assets.\($0)" }
  }

  /// The path for a diagnostic about the whole project.
  private func wholePath(of diagnostic: ValidationDiagnostic) -> String {
    switch DiagnosticRule.of(diagnostic.code).place {
    case .path(let path): path
    case .instructions: isExplicit ? "instructions" : "tracks"
    case .canvas: diagnostic.subject == .frameDuration ? "output.frameRate" : "output.size"
    }
  }
}

extension DiagnosticRule {
  /// The place of diagnostics about the whole project.
  enum Place: Hashable, Sendable {
    /// At a key path.
    case path(String)
    /// At the explicit instructions, or at the tracks if there are none.
    case instructions
    /// At the size or the frame rate of the output.
    case canvas
  }
}

extension JSON5Node {
  /// The longest prefix of a key path that exists in the document.
  func existing(path: String) -> String {
    let steps = DocumentPath(path).steps
    var node = self
    for (count, step) in steps.enumerated() {
      guard let next = node.value(at: step) else { return DocumentPath(steps[..<count]).description }
      node = next
    }
    return DocumentPath(steps).description
  }

  /// The value at a step; `nil` if there is none.
  private func value(at step: DocumentPath.Step) -> JSON5Node? {
    switch (step, value) {
    case (.index(let index), .array(let elements)): elements.indices.contains(index) ? elements[index] : nil
    case (.key(let key), .object(let members)): members.first { $0.key == key }?.value
    default: nil
    }
  }
}
