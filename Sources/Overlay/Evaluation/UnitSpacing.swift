import CompositorAPI

/// Space that an animator adds after the units of a text, line by line. A line grows from where it is aligned: from its start, from its
/// center, or from its end.
struct UnitSpacing {
  private struct Part {
    let pieces: Range<Int>
    /// Where it lies along the line, and how much space follows it.
    let place, space: Double
  }

  private struct Line {
    var parts: [Part] = []
    let isRightToLeft: Bool
  }

  private let alignment: TextAlignment
  private let isVertical: Bool
  private var lines: [Int: Line] = [:]
  private var isEmpty = true

  init(_ text: TextContent, _ layout: TextLayout) {
    alignment = text.alignment
    isVertical = text.writingMode != .horizontal
  }

  /// Adds a unit, of which `box` is the place, and the pieces that belong to it.
  mutating func add(_ space: Double, after box: Rect, of pieces: Range<Int>, line cluster: TextCluster) {
    if space != 0 { isEmpty = false }
    let place = isVertical ? box.minY : box.minX
    lines[cluster.line, default: Line(isRightToLeft: cluster.isRightToLeft)].parts.append(
      Part(pieces: pieces, place: place, space: space))
  }

  /// Moves the pieces apart.
  func move(_ pieces: inout [TextUnit]) {
    guard !isEmpty else { return }
    for line in lines.values {
      // As they are seen, whatever the direction of writing is; nothing follows the last one.
      let parts = line.parts.sorted { $0.place < $1.place }
      let total = parts.dropLast().reduce(0) { $0 + $1.space }
      var shift = -total * share(line)
      for part in parts {
        for index in part.pieces { pieces[index].moveAlong(shift) }
        shift += part.space
      }
    }
  }

  /// The part of the added space that lies before the place of a line.
  private func share(_ line: Line) -> Double {
    switch alignment {
    case .left, .justified: 0
    case .center: 0.5
    case .right: 1
    case .natural: line.isRightToLeft ? 1 : 0
    }
  }
}

extension TextUnit {
  /// Moves it along its line, in layout pixels.
  fileprivate mutating func moveAlong(_ distance: Double) {
    guard distance != 0 else { return }
    let shift = isVertical ? Matrix4.translation(0, distance) : .translation(distance, 0)
    transform = transform?.concatenating(shift) ?? shift
  }
}

extension Layer {
  /// The space that an animator adds after a unit, if this is its state.
  var addedTracking: Double { if case .text(let text) = content { text.tracking } else { 0 } }
}
