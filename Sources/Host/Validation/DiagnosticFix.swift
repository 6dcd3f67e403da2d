public import CompositorAPI

/// A change of an edit that mends what a diagnostic is about.
public struct DiagnosticFix: Hashable, Sendable, Codable {
  /// What is changed.
  public enum Change: Hashable, Sendable, Codable {
    /// An instruction gets another time range.
    case setTimeRange(instruction: Int, TimeRange)
    /// An instruction without layers, which shows the background, is inserted before the instruction of this index.
    case insertInstruction(index: Int, TimeRange)
    /// An instruction names another track in place of one.
    case replaceTrack(instruction: Int, TrackID, by: TrackID)
    /// The instructions are put in the order of their starts.
    case sortInstructions
  }

  /// What is done, as an imperative sentence without a full stop: `End instruction 1 at 6 s`.
  public var title: String
  /// Whether the change cannot alter anything that is right: only such changes are made without being asked for one by one.
  public var isSafe: Bool
  /// What is changed.
  public var change: Change

  /// Describes a fix.
  public init(_ title: String, isSafe: Bool, change: Change) {
    self.title = title
    self.isSafe = isSafe
    self.change = change
  }
}
