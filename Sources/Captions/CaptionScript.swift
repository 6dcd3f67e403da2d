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
    let colors = colors
    let masks = try rendered(appearance, size: frame.size) { ColoredMask($0, colors) }
    return try ColoredMask.draw(masks, over: frame, policy: policy, pool: pool)
  }

  /// What is rendered for frames of a size.
  ///
  /// - Parameter body: Makes something of each mask, in drawing order, whose bytes are valid during the call.
  private func rendered<Value: Sendable>(
    _ appearance: Appearance, size: PixelSize, _ body: @Sendable (cass_mask) -> Value
  ) throws(CompositorError) -> [Value] {
    let canvas = canvas
    let result: Result<[Value], CompositorError> = state.withLock { state in
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
      return .success((0..<count).map { body(cass_script_mask(state.script.pointer, $0)) })
    }
    return try result.get()
  }
}

extension CaptionScript {
  /// The lines that are visible at some time of a range of the movie, ordered by start, with the times of the movie and without tags.
  package func lines(during range: TimeRange) -> [CaptionCue] {
    let own = TimeRange(start: range.start - offset, duration: range.duration)
    return index.active(during: own).map { event in
      var cue = index.cues[event]
      cue.timeRange.start = cue.timeRange.start + offset
      return cue
    }
  }

  /// The texts that are visible at a time of the movie.
  package func text(at time: MediaTime) -> String {
    index.active(at: time - offset).map { index.cues[$0].text }.joined(separator: " / ")
  }

  /// Where pixels are drawn on a canvas.
  ///
  /// - Parameter opacity: The least opacity of pixels that count, 0 … 1.
  /// - Throws: `.resourceExhausted`.
  package func marks(_ appearance: Appearance, on canvas: PixelSize, opacity: Double) throws(CompositorError) -> ScriptMarks {
    ScriptMarks(pieces: try rendered(appearance, size: canvas) { ScriptMarks.Piece($0, opacity: opacity) }.compactMap { $0 })
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
