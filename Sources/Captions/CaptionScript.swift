import CCompositorLibass
package import CompositorAPI
import CompositorMediaIO
package import CompositorOverlay
import Synchronization

/// An ASS script, which libass renders in the script's own styles, including positions, karaoke and drawings.
///
/// Can be called from any thread; only one call renders at a time.
package final class CaptionScript: Sendable {
  private struct Script: ~Copyable {
    let pointer: OpaquePointer
    deinit { cass_script_destroy(pointer) }
  }

  /// What is drawn at a given time. Equal values are drawn identically.
  package struct Appearance: Equatable, Sendable {
    /// Indexes of the visible events.
    let events: [Int]
    /// The time in the script.
    let milliseconds: Int64
    /// Whether one of the events is animated.
    let isChanging: Bool

    package static func == (left: Appearance, right: Appearance) -> Bool {
      left.events == right.events && (!left.isChanging || left.milliseconds == right.milliseconds)
    }
  }

  /// The script and the events already rendered. libass keeps the position that an event gets when it is first rendered, so
  /// each event is first rendered at its first frame, after the events before it. Frames are then the same regardless of the
  /// order in which they are rendered.
  private struct State: ~Copyable {
    let script: Script
    var size = PixelSize(width: 0, height: 0)
    var placed: Set<Int> = []
  }

  private let state: Mutex<State>
  private let index: CueIndex
  private let isAnimated: [Bool]
  private let offset: MediaTime
  private let colors: ColoredMask.Matrix
  private let canvas: PixelSize
  private let frameDuration: MediaTime

  /// - Parameters:
  ///   - frameDuration: Duration of the composition's frames.
  ///   - fonts: The names and contents of font files, in addition to the system's fonts and those in the script.
  ///   - canvas: The composition's render size, to which blurs and borders of scripts without a layout size refer.
  /// - Throws: `.unreadableMedia` if `text` is not a script.
  package init(
    _ text: String, offset: MediaTime, canvas: PixelSize, frameDuration: MediaTime, fonts: [(name: String, bytes: [UInt8])],
    defaultFamily: String
  ) throws(CompositorError) {
    var text = text
    let pointer = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cass_script_create($0.baseAddress, $0.count) }
    }
    guard let pointer else {
      throw CompositorError(
        .unreadableMedia, "The script of the captions cannot be read.", recoverySuggestion: "Check that it is ASS or SSA.")
    }
    for font in fonts { cass_script_add_font(pointer, font.name, font.bytes, font.bytes.count) }
    cass_script_load_fonts(pointer, defaultFamily)
    colors = ColoredMask.Matrix(cass_script_matrix(pointer))
    state = Mutex(State(script: Script(pointer: pointer)))
    let events = ScriptEvents(text)
    index = CueIndex(events.cues)
    isAnimated = events.isAnimated
    self.offset = offset
    self.canvas = canvas
    self.frameDuration = frameDuration
  }

  /// What is visible at a composition time; `nil` if nothing is.
  package func appearance(at time: MediaTime) -> Appearance? {
    guard time.isNumeric else { return nil }
    let own = time - offset
    let events = index.active(at: own)
    guard !events.isEmpty else { return nil }
    return Appearance(
      events: events, milliseconds: own.wholeMilliseconds, isChanging: events.contains { isAnimated[$0] })
  }

  /// The frame with the script rendered over it.
  package func draw(
    _ appearance: Appearance, over frame: consuming Frame, policy: ColorConversionPolicy, pool: FramePool
  ) throws(CompositorError) -> Frame {
    let size = frame.size
    let (canvas, colors) = (canvas, colors)
    let result: Result<[ColoredMask], CompositorError> = state.withLock { state in
      if state.size != size { (state.size, state.placed) = (size, []) }
      for (event, time) in unplaced(appearance.events, in: state.placed) {
        _ = CaptionScript.render(state.script.pointer, size, canvas, time)
        state.placed.insert(event)
      }
      let count = CaptionScript.render(state.script.pointer, size, canvas, appearance.milliseconds)
      guard count >= 0 else {
        return .failure(
          CompositorError(.resourceExhausted, "Memory ran out for captions.", recoverySuggestion: "Close other programs."))
      }
      return .success((0..<count).map { ColoredMask(cass_script_mask(state.script.pointer, $0), colors) })
    }
    let masks = try result.get()
    return try ColoredMask.draw(masks, over: frame, policy: policy, pool: pool)
  }
}

extension CaptionScript {
  /// The font files used so far, with the families that the script names. Fonts embedded in the script are not included.
  package var usedFonts: [UsedFont] {
    let lines: [String] = state.withLock { state in
      var lines: [String] = []
      while let text = cass_script_font(state.script.pointer, lines.count) { lines.append(String(cString: text)) }
      return lines
    }
    return lines.compactMap(CaptionScript.font)
  }

  /// libass's version.
  package static var libraryVersion: String { "0x" + String(cass_version(), radix: 16) }

  /// Parses `(family, weight, slant) -> file, face, name`, which may follow a sentence.
  private static func font(_ text: String) -> UsedFont? {
    guard let arrow = text.firstRange(of: " -> "), let open = text.firstIndex(of: "(") else { return nil }
    let family = text[text.index(after: open)..<arrow.lowerBound].split(separator: ", ", omittingEmptySubsequences: false)
      .dropLast(2)
    let file = text[arrow.upperBound...].split(separator: ", ", omittingEmptySubsequences: false).dropLast(2)
    let path = file.joined(separator: ", ")
    return path.hasPrefix("/") ? UsedFont(family: family.joined(separator: ", "), path: path) : nil
  }

  private static func render(_ script: OpaquePointer, _ size: PixelSize, _ canvas: PixelSize, _ milliseconds: Int64) -> Int32 {
    cass_script_render(
      script, Int32(size.width), Int32(size.height), Int32(canvas.width), Int32(canvas.height), milliseconds)
  }

  /// The visible events that were never rendered, and those that they are stacked on, ordered by start time, each with the time
  /// of its first frame.
  private func unplaced(_ events: [Int], in placed: Set<Int>) -> [(event: Int, milliseconds: Int64)] {
    var (found, waiting): (Set<Int>, [Int]) = ([], events.filter { !placed.contains($0) })
    while let next = waiting.popLast() {
      guard found.insert(next).inserted, let time = firstFrame(of: next) else { continue }
      waiting += index.active(at: time).filter { $0 < next && !placed.contains($0) && !found.contains($0) }
    }
    return found.sorted().compactMap { event in firstFrame(of: event).map { (event, $0.wholeMilliseconds) } }
  }

  /// The script time of the first frame that shows an event; `nil` if the event falls between two frames.
  private func firstFrame(of event: Int) -> MediaTime? {
    let range = index.cues[event].timeRange
    guard frameDuration.isNumeric, frameDuration > .zero else { return range.start }
    let start = range.start + offset
    let unit = Rational(Int(frameDuration.value), Int(frameDuration.timescale))
    var frame = frameDuration.multiplied(by: max(start.rounded(toUnitsOf: unit), 0), over: 1)
    if frame < start { frame = frame + frameDuration }
    return frame - offset < range.end ? frame - offset : nil
  }
}

extension MediaTime {
  fileprivate var wholeMilliseconds: Int64 { converted(toTimescale: 1000, rounding: .towardNegativeInfinity).value }
}

/// The times of a script's events, and which of them are animated.
private struct ScriptEvents {
  private(set) var cues: [CaptionCue] = []
  private(set) var isAnimated: [Bool] = []

  init(_ script: String) {
    var found: [(cue: CaptionCue, isAnimated: Bool)] = []
    var columns: [Substring] = []
    var isInEvents = false
    for line in script.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") { isInEvents = line.lowercased().hasPrefix("[events]") }
      guard isInEvents else { continue }
      if let format = line.value(of: "Format") {
        columns = format.split(separator: ",").map { $0.trimmed }
      } else if let dialogue = line.value(of: "Dialogue"),
        let event = ScriptEvents.event(dialogue, columns.isEmpty ? ScriptEvents.usualColumns : columns)
      {
        found.append(event)
      }
    }
    found = found.enumerated().sorted {
      ($0.element.cue.timeRange.start, $0.offset) < ($1.element.cue.timeRange.start, $1.offset)
    }.map(\.element)
    (cues, isAnimated) = (found.map(\.cue), found.map(\.isAnimated))
  }

  private static let usualColumns: [Substring] = [
    "Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text",
  ]

  private static func event(_ line: Substring, _ columns: [Substring]) -> (CaptionCue, Bool)? {
    let values = line.split(separator: ",", maxSplits: columns.count - 1, omittingEmptySubsequences: false)
    let named = Dictionary(zip(columns, values)) { first, _ in first }
    guard let start = named["Start"].flatMap(time), let end = named["End"].flatMap(time), start < end else { return nil }
    let text = ScriptText(named["Text"] ?? "", style: ScriptStyle(), canvas: .zero)
    let hasEffect = !(named["Effect"] ?? "").trimmed.isEmpty
    return (CaptionCue(TimeRange(start: start, end: end), ""), text.isAnimated || hasEffect)
  }

  /// `0:00:01.50`
  private static func time(_ text: Substring) -> MediaTime? {
    let parts = text.trimmed.split(separator: ":")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), (0...1_000_000).contains(hours),
      (0...1000).contains(minutes)
    else { return nil }
    let seconds = parts[2].split(separator: ".", maxSplits: 1)
    guard let whole = seconds.first.flatMap({ Int64($0) }), (0...1000).contains(whole) else { return nil }
    let digits = seconds.count > 1 ? seconds[1].prefix(3) : "0"
    guard let fraction = Int64(digits + String(repeating: "0", count: 3 - digits.count)) else { return nil }
    return MediaTime(value: (hours * 3600 + minutes * 60 + whole) * 1000 + fraction, timescale: 1000)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    return start[..<(start.lastIndex { $0 != " " && $0 != "\t" }.map { start.index(after: $0) } ?? start.startIndex)]
  }

  /// The value after a key and a colon.
  fileprivate func value(of key: String) -> Substring? {
    guard hasPrefix(key + ":") else { return nil }
    return dropFirst(key.count + 1)
  }
}

extension ColoredMask {
  fileprivate init(_ mask: cass_mask, _ matrix: Matrix) {
    self.init(
      x: Int(mask.x), y: Int(mask.y), width: Int(mask.width), height: Int(mask.height), coverage: mask.coverage,
      stride: mask.stride, red: mask.red, green: mask.green, blue: mask.blue, alpha: mask.alpha, matrix: matrix)
  }
}

extension ColoredMask.Matrix {
  fileprivate init(_ matrix: cass_matrix) {
    let coefficients: MatrixCoefficients? =
      switch matrix {
      case CASS_MATRIX_DEFAULT, CASS_MATRIX_BT601: .bt601_525
      case CASS_MATRIX_BT709: .bt709
      case CASS_MATRIX_SMPTE240M: .smpte240M
      case CASS_MATRIX_FCC: .fcc
      default: nil
      }
    self.init(coefficients: coefficients)
  }
}
