/// A change of an edit that resolves a diagnostic.
///
/// Fixes name instructions by their index, so validate again after each one:
///
/// ```swift
/// var edit = edit
/// while let fix = CompositionValidator.validate(edit, catalog: catalog).errors.lazy.compactMap(\.fix).first {
///   edit = try edit.applying(fix)
/// }
/// ```
public struct DiagnosticFix: Hashable, Sendable, Codable {
  /// A change of an edit.
  public enum Change: Hashable, Sendable, Codable {
    /// Sets the time range of an instruction.
    case setTimeRange(instruction: Int, TimeRange)
    /// Moves the start of an instruction and the end of the previous one.
    case moveCut(instruction: Int, to: MediaTime)
    /// Inserts an instruction without layers, with a black background, before the instruction with this index.
    case insertInstruction(index: Int, TimeRange)
    /// Removes an instruction.
    case removeInstruction(index: Int)
    /// Replaces one track by another in an instruction.
    case replaceTrack(instruction: Int, TrackID, by: TrackID)
    /// Sorts the instructions by start.
    case sortInstructions
    /// Replaces the first layer of the same track in an instruction.
    case setLayer(instruction: Int, LayerInstruction)
    /// Removes the layers of a track from an instruction.
    case removeLayer(instruction: Int, TrackID)
    /// Removes the layers of an instruction that equal an earlier one.
    case removeRepeatedLayers(instruction: Int)
    /// Moves the layers of a track in front of all others of an instruction.
    case bringToFront(instruction: Int, TrackID)
    /// Fades out an audio track over a range while another fades in, except where their volume already changes.
    case crossFade(from: TrackID, to: TrackID, TimeRange)
    /// Sets the volume of an audio track.
    case setVolume(TrackID, PropertyTimeline<Double>)
  }

  /// A description of the change as an imperative sentence without a period: `End instruction 1 at 6 s`.
  public var title: String
  /// Whether the change cannot affect anything that is correct. Only such changes are applied without confirmation.
  public var isSafe: Bool
  /// The change to make.
  public var change: Change

  /// Creates a fix.
  public init(_ title: String, isSafe: Bool, change: Change) {
    self.title = title
    self.isSafe = isSafe
    self.change = change
  }
}

extension Edit {
  /// Returns a copy of the edit with a fix applied.
  ///
  /// - Throws: `.invalidValue` if the edit has no instruction with the fix's index; `.invalidTrackID` if the instruction
  ///   doesn't use the fix's track, or the composition doesn't have the replacement track.
  public func applying(_ fix: DiagnosticFix) throws(CompositorError) -> Edit {
    var edit = self
    switch fix.change {
    case .setTimeRange(let index, let range):
      try edit.withInstruction(index) { $0.timeRange = range }
    case .moveCut(let index, let time):
      try edit.moveCut(before: index, to: time)
    case .insertInstruction(let index, let range):
      guard (0...videoComposition.instructions.count).contains(index) else { throw missingInstruction(index) }
      edit.videoComposition.instructions.insert(.black(during: range), at: index)
    case .removeInstruction(let index):
      guard videoComposition.instructions.indices.contains(index) else { throw missingInstruction(index) }
      edit.videoComposition.instructions.remove(at: index)
    case .replaceTrack(let index, let old, let new):
      try edit.replaceTrack(old, by: new, inInstruction: index)
    case .sortInstructions:
      edit.sortInstructions()
    case .setLayer(let index, let layer):
      let place = try layerIndex(of: layer.trackID, inInstruction: index)
      edit.videoComposition.instructions[index].layers[place] = layer
    case .removeLayer(let index, let track):
      _ = try layerIndex(of: track, inInstruction: index)
      edit.videoComposition.instructions[index].layers.removeAll { $0.trackID == track }
    case .removeRepeatedLayers(let index):
      try edit.withInstruction(index) { $0.removeRepeatedLayers() }
    case .bringToFront(let index, let track):
      _ = try layerIndex(of: track, inInstruction: index)
      edit.videoComposition.instructions[index].bringToFront(track)
    case .crossFade(let old, let new, let range):
      try edit.setVolume(volume(of: old).fadingOut(over: range), ofTrack: old)
      try edit.setVolume(volume(of: new).fadingIn(over: range), ofTrack: new)
    case .setVolume(let track, let volume):
      try edit.setVolume(volume, ofTrack: track)
    }
    return edit
  }

  private func missingInstruction(_ index: Int) -> CompositorError {
    CompositorError(
      .invalidValue, "There is no instruction \(index): the edit has \(videoComposition.instructions.count).",
      recoverySuggestion: "Validate the edit again: its fixes are for the edit as it was.", at: .init(instruction: index))
  }

  private func layerIndex(of track: TrackID, inInstruction index: Int) throws(CompositorError) -> Int {
    guard videoComposition.instructions.indices.contains(index) else { throw missingInstruction(index) }
    guard let place = videoComposition.instructions[index].layers.firstIndex(where: { $0.trackID == track }) else {
      throw unnamedTrack(track, instruction: index)
    }
    return place
  }

  private func unnamedTrack(_ track: TrackID, instruction: Int?) -> CompositorError {
    CompositorError(
      .invalidTrackID, instruction.map { "Instruction \($0) does not name track \(track)." } ?? "There is no track \(track).",
      recoverySuggestion: "Validate the edit again: its fixes are for the edit as it was.",
      at: .init(track: track, instruction: instruction))
  }

  private mutating func withInstruction(
    _ index: Int, _ body: (inout Instruction) -> Void
  ) throws(CompositorError) {
    guard videoComposition.instructions.indices.contains(index) else { throw missingInstruction(index) }
    body(&videoComposition.instructions[index])
  }

  private mutating func moveCut(before index: Int, to time: MediaTime) throws(CompositorError) {
    try withInstruction(index) { $0.timeRange = TimeRange(start: time, end: $0.timeRange.end) }
    guard index > 0 else { return }
    try withInstruction(index - 1) { $0.timeRange = TimeRange(start: $0.timeRange.start, end: time) }
  }

  private mutating func replaceTrack(
    _ old: TrackID, by new: TrackID, inInstruction index: Int
  ) throws(CompositorError) {
    guard videoComposition.instructions.indices.contains(index) else { throw missingInstruction(index) }
    guard videoComposition.instructions[index].requiredTrackIDs.contains(old) else {
      throw unnamedTrack(old, instruction: index)
    }
    guard composition.track(new)?.mediaType == .video else { throw unnamedTrack(new, instruction: nil) }
    try withInstruction(index) { $0.content.replaceTrack(old, by: new) }
  }

  private mutating func sortInstructions() {
    // Instructions that start together keep their order.
    videoComposition.instructions = videoComposition.instructions.enumerated()
      .sorted { ($0.element.timeRange.start, $0.offset) < ($1.element.timeRange.start, $1.offset) }
      .map(\.element)
  }

  private func volume(of track: TrackID) -> PropertyTimeline<Double> {
    audioMix.inputParameters.first { $0.trackID == track }?.volume ?? PropertyTimeline(default: 1)
  }

  private mutating func setVolume(
    _ volume: PropertyTimeline<Double>, ofTrack track: TrackID
  ) throws(CompositorError) {
    guard composition.track(track)?.mediaType == .audio else { throw unnamedTrack(track, instruction: nil) }
    if let index = audioMix.inputParameters.firstIndex(where: { $0.trackID == track }) {
      audioMix.inputParameters[index].volume = volume
    } else {
      var parameters = AudioMixInputParameters(trackID: track)
      parameters.volume = volume
      audioMix.inputParameters.append(parameters)
    }
  }
}

extension Instruction {
  /// An instruction that shows black, and says so.
  fileprivate static func black(during range: TimeRange) -> Instruction {
    var instruction = Instruction(timeRange: range)
    instruction.backgroundColor = .black
    return instruction
  }

  fileprivate mutating func removeRepeatedLayers() {
    layers = layers.enumerated().filter { place, layer in !layers[..<place].contains(layer) }.map(\.element)
  }

  fileprivate mutating func bringToFront(_ track: TrackID) {
    layers = layers.filter { $0.trackID == track } + layers.filter { $0.trackID != track }
  }
}

extension Instruction.Content {
  fileprivate mutating func replaceTrack(_ old: TrackID, by new: TrackID) {
    switch self {
    case .passthrough(let trackID):
      if trackID == old { self = .passthrough(new) }
    case .composed(var composed):
      for place in composed.layers.indices where composed.layers[place].trackID == old { composed.layers[place].trackID = new }
      composed.additionalTrackIDs = composed.additionalTrackIDs.map { $0 == old ? new : $0 }
      self = .composed(composed)
    }
  }
}

extension PropertyTimeline<Double> {
  /// A copy that falls to 0 over a range in which it doesn't change, and continues as before after it.
  fileprivate func fadingOut(over range: TimeRange) throws(CompositorError) -> Self {
    let gain = value(at: range.start)
    guard !changes(in: range), gain > 0 else { return self }
    var volume = self
    try volume.setRamp(from: gain, to: 0, timeRange: range)
    if value(at: range.end) == gain { try volume.set(gain, at: range.end) }
    return volume
  }

  /// A copy that rises from 0 over a range in which it doesn't change, to its value there, or to 1 if that is 0.
  fileprivate func fadingIn(over range: TimeRange) throws(CompositorError) -> Self {
    let gain = value(at: range.start)
    guard !changes(in: range) else { return self }
    var volume = self
    try volume.setRamp(from: 0, to: gain > 0 ? gain : 1, timeRange: range)
    return volume
  }
}
