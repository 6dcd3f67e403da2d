import CompositorAPI
import CompositorTimeline

extension ProjectPlaces {
  /// The change of the project's text that is equivalent to a diagnostic's fix of the edit.
  ///
  /// - Returns: `nil` if the diagnostic has no fix, or if the text cannot express it: times and layers of derived instructions
  ///   follow from clips.
  func fix(of diagnostic: ValidationDiagnostic) -> ProjectFix? {
    if let index = lateTitle(diagnostic) { return startingEarlier(title: index) }
    if let fix = fixOfClip(diagnostic) { return fix }
    guard let fix = diagnostic.fix, isExplicit, file.origin == .project, let list = InstructionList(file, edit) else {
      return nil
    }
    switch fix.change {
    // Unsorted instructions were compared with the wrong neighbors, so they must be sorted before their times are changed.
    case .setTimeRange, .moveCut, .insertInstruction: guard list.isSorted else { return nil }
    default: break
    }
    let edits: [TextEdit]? =
      switch fix.change {
      case .setTimeRange(let index, let range): list.settingRange(ofInstruction: index, to: range)
      case .moveCut(let index, let time): list.movingCut(before: index, to: time)
      case .insertInstruction(let index, let range): list.inserting(range, at: index)
      case .removeInstruction(let index): list.removing(index)
      case .sortInstructions: list.sorting()
      case .removeLayer(let index, let track): list.removingLayer(of: track, instruction: index)
      case .removeRepeatedLayers(let index): list.removingRepeatedLayers(instruction: index)
      case .bringToFront(let index, let track): list.bringingToFront(track, instruction: index)
      case .replaceTrack(let index, let old, let new): list.replacing(old, by: name(of: new), instruction: index)
      default: nil
      }
    guard let edits, !edits.isEmpty else { return nil }
    return ProjectFix(fix.title, isSafe: fix.isSafe, edits)
  }
}

extension ProjectPlaces {
  /// The project's name of the timeline track for a composition track; `nil` if it has no name.
  private func name(of track: TrackID) -> String? {
    guard let index = timelineTrack(of: track), file.draft.tracks.indices.contains(index) else { return nil }
    return file.draft.tracks[index].name
  }
}

/// The explicit instructions of a project, as editable text.
private struct InstructionList {
  let text: SourceText
  let elements: [JSON5Node]
  let instructions: [Instruction]
  let frameRate: Rational
  private let list: JSON5Node

  init?(_ file: ProjectFile, _ edit: Edit) {
    // Text that is repeated, or that variables determine, isn't that of one instruction.
    guard let list = file.document.node(atPath: "instructions"), case .array(let elements) = list.value, list.isWritten,
      elements.allSatisfy(\.isWritten),
      edit.videoComposition.instructions.count == elements.count
    else { return nil }
    let frame = edit.videoComposition.frameDuration
    guard frame.isNumeric, frame.value > 0 else { return nil }
    (text, self.elements, self.list) = (file.text, elements, list)
    instructions = edit.videoComposition.instructions
    frameRate = frame.frameRate
  }

  /// Whether the instructions are sorted by their start.
  var isSorted: Bool {
    zip(instructions, instructions.dropFirst()).allSatisfy { $0.timeRange.start <= $1.timeRange.start }
  }

  func settingRange(ofInstruction index: Int, to range: TimeRange) -> [TextEdit]? {
    guard elements.indices.contains(index) else { return nil }
    var edits: [TextEdit] = []
    if range.start != instructions[index].timeRange.start {
      guard let edit = setting("at", of: index, to: range.start) else { return nil }
      edits.append(edit)
    }
    guard range.duration != instructions[index].timeRange.duration else { return edits }
    guard let edit = setting("duration", of: index, to: range.duration) else { return nil }
    return edits + [edit]
  }

  func movingCut(before index: Int, to time: MediaTime) -> [TextEdit]? {
    guard elements.indices.contains(index) else { return nil }
    var edits: [TextEdit] = []
    if member("at", of: index) != nil { edits += [setting("at", of: index, to: time)].compactMap { $0 } }
    if member("duration", of: index) != nil {
      edits += [setting("duration", of: index, to: instructions[index].timeRange.end - time)].compactMap { $0 }
    }
    guard index > 0 else { return edits }
    if member("duration", of: index - 1) != nil || member("at", of: index) == nil {
      let length = time - instructions[index - 1].timeRange.start
      guard let edit = setting("duration", of: index - 1, to: length) else { return nil }
      edits.append(edit)
    }
    return edits
  }

  func inserting(_ range: TimeRange, at index: Int) -> [TextEdit]? {
    guard (0...elements.count).contains(index), range.duration.isNumeric else { return nil }
    let black = text.string("black", likeAt: list.offset)
    let item = "{ at: \(time(range.start)), duration: \(time(range.duration)), background: \(black) }"
    guard index < elements.count else {
      guard let last = elements.last, let end = text.range(ofValueAt: last.offset)?.upperBound else { return nil }
      return [TextEdit(end..<end, "," + separator(before: last.offset) + item)]
    }
    let start = elements[index].offset
    return [TextEdit(start..<start, item + "," + separator(before: start))]
  }

  func removing(_ index: Int) -> [TextEdit]? {
    guard elements.indices.contains(index), elements.count > 1 else { return nil }
    return removing(elements[index], among: elements, at: index)
  }

  func removingLayer(of track: TrackID, instruction index: Int) -> [TextEdit]? {
    guard elements.indices.contains(index), let layers = member("layers", of: index),
      case .array(let nodes) = layers.value.value,
      let place = instructions[index].layers.firstIndex(where: { $0.trackID == track }), nodes.indices.contains(place)
    else { return nil }
    return removing(nodes[place], among: nodes, at: place)
  }

  func removingRepeatedLayers(instruction index: Int) -> [TextEdit]? {
    guard elements.indices.contains(index), case .array(let nodes)? = member("layers", of: index)?.value.value,
      nodes.count == instructions[index].layers.count
    else { return nil }
    let layers = instructions[index].layers
    guard let place = layers.indices.first(where: { layers[..<$0].contains(layers[$0]) }) else { return nil }
    return removing(nodes[place], among: nodes, at: place)
  }

  func bringingToFront(_ track: TrackID, instruction index: Int) -> [TextEdit]? {
    guard elements.indices.contains(index), case .array(let nodes)? = member("layers", of: index)?.value.value,
      let place = instructions[index].layers.firstIndex(where: { $0.trackID == track }), place > 0,
      nodes.count == instructions[index].layers.count
    else { return nil }
    return reordering(nodes, [place] + nodes.indices.filter { $0 != place })
  }

  func replacing(_ old: TrackID, by name: String?, instruction index: Int) -> [TextEdit]? {
    guard let name, elements.indices.contains(index), case .array(let nodes)? = member("layers", of: index)?.value.value,
      nodes.count == instructions[index].layers.count
    else { return nil }
    var edits: [TextEdit] = []
    for (node, layer) in zip(nodes, instructions[index].layers) where layer.trackID == old {
      guard case .object(let members) = node.value, let value = members.first(where: { $0.key == "track" })?.value,
        value.isWritten, let range = text.range(ofValueAt: value.offset)
      else { return nil }
      edits.append(TextEdit(range, text.string(name, likeAt: value.offset)))
    }
    return edits
  }

  /// Sorts the instructions by their start; `nil` if a comment between them might refer to either neighbor, which is left to
  /// the author.
  func sorting() -> [TextEdit]? {
    let order = elements.indices.sorted {
      (instructions[$0].timeRange.start, $0) < (instructions[$1].timeRange.start, $1)
    }
    // Instructions without times of their own take them from their neighbors, which must stay the same.
    for (place, source) in order.enumerated() {
      let before = place == 0 ? -1 : order[place - 1]
      let after = place == order.count - 1 ? elements.count : order[place + 1]
      guard member("at", of: source) != nil || before == source - 1,
        member("duration", of: source) != nil || after == source + 1
      else { return nil }
    }
    return reordering(elements, order)
  }

  /// Reorders the elements of a list; `nil` if a comment between them might refer to one of them.
  private func reordering(_ nodes: [JSON5Node], _ order: [Int]) -> [TextEdit]? {
    guard nodes.allSatisfy(\.isWritten) else { return nil }
    let ranges = nodes.compactMap { text.range(ofValueAt: $0.offset) }
    guard ranges.count == nodes.count, let last = ranges.last else { return nil }
    let gaps = zip(ranges, ranges.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    let rest = last.upperBound..<max(last.upperBound, text.lineRange(around: last.upperBound).upperBound)
    guard (gaps + [rest]).allSatisfy({ !text.bytes[$0].contains(UInt8(ascii: "/")) }) else { return nil }
    var edits: [TextEdit] = []
    for (place, source) in order.enumerated() where place != source {
      edits.append(TextEdit(ranges[place], String(decoding: text.bytes[ranges[source]], as: UTF8.self)))
    }
    return edits
  }

  // MARK: Parts

  private func member(_ key: String, of index: Int) -> JSON5Member? {
    guard case .object(let members) = elements[index].value else { return nil }
    return members.first { $0.key == key }
  }

  /// Writes a time at a key: over its value, or as the first member. `nil` if a variable determines the value.
  private func setting(_ key: String, of index: Int, to value: MediaTime) -> TextEdit? {
    guard value.isNumeric else { return nil }
    if let member = member(key, of: index) {
      guard member.value.isWritten, let range = text.range(ofValueAt: member.value.offset) else { return nil }
      return TextEdit(range, time(value, like: member.value))
    }
    guard case .object(let members) = elements[index].value else { return nil }
    if let first = members.first {
      return TextEdit(
        first.keyOffset..<first.keyOffset,
        "\(text.key(key, likeAt: first.keyOffset)): \(time(value)),\(separator(before: first.keyOffset))")
    }
    let inside = elements[index].offset + 1
    return TextEdit(inside..<inside, " \(key): \(time(value)) ")
  }

  /// A time in the author's notation: frames or seconds as before, if possible.
  private func time(_ value: MediaTime, like node: JSON5Node? = nil) -> String {
    var (isFrames, place) = (false, list.offset)
    if case .string(let old)? = node?.value { isFrames = ProjectTime.isInFrames(old) }
    if let node { place = node.offset }
    return text.string(ProjectTime.written(value, inFramesOf: isFrames ? frameRate : nil), likeAt: place)
  }

  /// The white space that separates an element or a key from the previous one.
  private func separator(before offset: Int) -> String {
    var start = offset
    while start > 0, " \t\r\n".utf8.contains(text.bytes[start - 1]) { start -= 1 }
    let space = String(decoding: text.bytes[start..<offset], as: UTF8.self)
    return space.isEmpty ? " " : space
  }

  /// Removes an element, its comma, and its line if it is otherwise empty.
  private func removing(_ node: JSON5Node, among nodes: [JSON5Node], at index: Int) -> [TextEdit]? {
    guard nodes.allSatisfy(\.isWritten), var range = text.range(ofValueAt: node.offset) else { return nil }
    if index + 1 < nodes.count {
      // Up to the next element. A comment in between may refer to either.
      let rest = text.bytes[range.upperBound..<nodes[index + 1].offset]
      guard rest.allSatisfy({ " \t\r\n,".utf8.contains($0) }) else { return nil }
      range = range.lowerBound..<nodes[index + 1].offset
    } else if index > 0, let before = text.range(ofValueAt: nodes[index - 1].offset)?.upperBound {
      let rest = text.bytes[before..<range.lowerBound]
      guard rest.allSatisfy({ " \t\r\n,".utf8.contains($0) }) else { return nil }
      range = before..<range.upperBound
    }
    return [TextEdit(range, "")]
  }
}

extension ProjectTime {
  /// A time in the notation of projects, exactly: in frames if a rate is given and it is on their grid, otherwise in seconds,
  /// otherwise as a ratio.
  static func written(_ time: MediaTime, inFramesOf rate: Rational? = nil) -> String {
    let exact = Rational(Int(time.value), Int(max(1, time.timescale))).reduced
    if let rate {
      let (count, overflow) = exact.numerator.multipliedReportingOverflow(by: rate.numerator)
      let (unit, tooLarge) = exact.denominator.multipliedReportingOverflow(by: rate.denominator)
      if !overflow, !tooLarge, unit > 0, count % unit == 0 { return "\(count / unit)f" }
    }
    return decimal(exact).map { "\($0)s" } ?? "\(exact.numerator)/\(exact.denominator)"
  }

  /// A ratio as a decimal number; `nil` if it isn't one with at most nine decimals.
  private static func decimal(_ ratio: Rational) -> String? {
    var (scale, places) = (1, 0)
    while scale % ratio.denominator != 0 {
      guard places < 9 else { return nil }
      (scale, places) = (scale * 10, places + 1)
    }
    let (value, overflow) = ratio.numerator.multipliedReportingOverflow(by: scale / ratio.denominator)
    guard !overflow else { return nil }
    guard places > 0 else { return "\(value)" }
    let digits = String(repeating: "0", count: max(0, places + 1 - "\(value.magnitude)".count)) + "\(value.magnitude)"
    return (value < 0 ? "-" : "") + digits.dropLast(places) + "." + digits.suffix(places)
  }
}
