import CompositorAPI

extension DiagramMark {
  /// What a mark or span is: the class of its element in SVG, by which style sheets and scripts find it. Rows of your own may have
  /// kinds of their own. Later versions may add some: a `switch` needs a `default`.
  public struct Kind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, as the SVG has it.
    public let rawValue: String

    /// Creates the kind with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates the kind with a name.
    public init(stringLiteral value: String) { rawValue = value }

    /// The kind's name.
    public var description: String { rawValue }

    // MARK: Parts of the edit

    /// A segment of a track.
    public static let segment = Kind(rawValue: "segment")
    /// A time without media.
    public static let gap = Kind(rawValue: "gap")
    /// An instruction.
    public static let instruction = Kind(rawValue: "instruction")
    /// A layer of an instruction.
    public static let layer = Kind(rawValue: "layer")
    /// A title.
    public static let title = Kind(rawValue: "title")
    /// The titles after the end of the diagram.
    public static let after = Kind(rawValue: "after")
    /// A caption.
    public static let caption = Kind(rawValue: "caption")
    /// A movement of a layer.
    public static let movement = Kind(rawValue: "movement")
    /// A time in which audio is lowered.
    public static let ducking = Kind(rawValue: "ducking")
    /// A frame of a segment.
    public static let thumbnail = Kind(rawValue: "thumbnail")

    // MARK: Curves

    /// The opacity of a track.
    public static let opacity = Kind(rawValue: "opacity")
    /// The volume of a track.
    public static let volume = Kind(rawValue: "volume")
    /// The levels of an audio track.
    public static let waveform = Kind(rawValue: "waveform")
    /// A level of a curve.
    public static let axis = Kind(rawValue: "axis")
    /// The value at a level of a curve.
    public static let value = Kind(rawValue: "value")
    /// The line of silence of a waveform.
    public static let silence = Kind(rawValue: "silence")

    // MARK: Diagnostics

    /// A diagnostic in the row of diagnostics.
    public static let diagnostic = Kind(rawValue: "diagnostic")
    /// The time range of a diagnostic over another row.
    public static let fault = Kind(rawValue: "fault")
    /// The background of a diagnostic's number.
    public static let badge = Kind(rawValue: "badge")
    /// The number of a diagnostic.
    public static let number = Kind(rawValue: "number")
    /// The message of a diagnostic in the legend.
    public static let message = Kind(rawValue: "message")
    /// Cause and recovery suggestion of a diagnostic in the legend.
    public static let explanation = Kind(rawValue: "explanation")
    /// The number of diagnostics that aren't drawn.
    public static let rest = Kind(rawValue: "rest")

    // MARK: Surroundings

    /// The title of the diagram.
    public static let heading = Kind(rawValue: "heading")
    /// The summary under the title.
    public static let summary = Kind(rawValue: "summary")
    /// The title of a row.
    public static let rowTitle = Kind(rawValue: "row-title")
    /// The subtitle of a row.
    public static let rowSubtitle = Kind(rawValue: "row-subtitle")
    /// The text of a box.
    public static let label = Kind(rawValue: "label")
    /// The background of a text over a pattern.
    public static let plate = Kind(rawValue: "plate")
    /// A tick of the ruler.
    public static let tick = Kind(rawValue: "tick")
    /// A time of the ruler.
    public static let time = Kind(rawValue: "time")
    /// A line of the time grid.
    public static let grid = Kind(rawValue: "grid")
    /// A sample of a pattern and its meaning.
    public static let key = Kind(rawValue: "key")
    /// The line of the playhead.
    public static let playheadLine = Kind(rawValue: "playhead-line")
    /// The handle of the playhead.
    public static let playheadHandle = Kind(rawValue: "playhead-handle")
  }

  /// The classes of the element in SVG: the kind, the severity of its diagnostic, and whether it represents several spans.
  var className: String {
    [kind.rawValue, severity?.rawValue, isMerged ? "merged" : nil].compactMap(\.self).joined(separator: " ")
  }
}
