import CompositorAPI
import Foundation
import Testing

/// An edit of a track as `Tests/Oracles/otio_edits.py` reads it. Times are integers in units of the sequence's rate.
struct OracleEdit {
  var operation: String
  var track: Int
  /// JSON.
  var arguments: String
  /// The track after our edit.
  var result: [CompositionTrackSegment]

  var line: String { #"["\#(operation)",\#(track),\#(arguments)]"# }
}

/// Random edits of two tracks, made with ``Composition``.
///
/// Every pick is a multiple of `unit`, and each scaling by p/q takes a factor of it away, so that no boundary is ever between units: the
/// doubles of OpenTimelineIO are exact, and ours have to be.
struct EditSequence {
  static let sources: [MediaSource] = ["a.mov", "b.mov", .custom(name: "c")]
  var random: SplitMix64
  let rate: Int32
  var unit: Int64 = 210 * 210 * 210
  var composition = Composition()
  let tracks: [TrackID]
  var edits: [OracleEdit] = []

  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    rate = [1, 24, 25, 30, 600, 1000, 30_000, 44_100, 48_000, 90_000].randomElement(using: &random) ?? 1
    tracks = [composition.addTrack(.video), composition.addTrack(.audio)]
  }

  mutating func int(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

  /// The same time at one of several timescales.
  mutating func time(_ units: Int64) -> MediaTime {
    switch int(0...3) {
    case 0: MediaTime(value: units * 2, timescale: rate * 2)
    case 1 where units % Int64(rate) == 0: MediaTime(value: units / Int64(rate), timescale: 1)
    case 2 where units % 7 == 0 && rate % 7 == 0: MediaTime(value: units / 7, timescale: rate / 7)
    default: MediaTime(value: units, timescale: rate)
    }
  }

  func length(_ track: Int) -> Int64 {
    composition.track(tracks[track]).map { $0.timeRange.duration.converted(toTimescale: rate).value } ?? 0
  }

  /// A boundary of a segment, a time inside the track or one a little past its end.
  mutating func place(_ track: Int) -> Int64 {
    if int(0...2) == 0, let segment = composition.track(tracks[track])?.segments.randomElement(using: &random) {
      return segment.timeMapping.target.start.converted(toTimescale: rate).value
    }
    return int(0...(length(track) / unit + 3)) * unit
  }

  mutating func duration(_ track: Int) -> Int64 { int(1...max(4, length(track) / unit / 2)) * unit }

  mutating func note(_ operation: String, _ track: Int, _ arguments: String) throws {
    let held = try #require(composition.track(tracks[track]))
    try CompositionTrack.validate(held.segments, trackID: held.trackID)
    edits.append(OracleEdit(operation: operation, track: track, arguments: arguments, result: held.segments))
  }

  /// One edit; several lines for one of the whole composition.
  mutating func edit() throws {
    let track = Int(int(0...1))
    let (id, start) = (tracks[track], place(track))
    let (count, isWhole) = (duration(track), int(0...3) == 0)
    let range = TimeRange(start: time(start), duration: time(count))
    switch int(0...9) {
    case 0, 1, 2:
      let ranges = (0..<int(1...3)).map { _ in (source: Int(int(0...2)), start: int(0...1_000_000_000), count: duration(track))
      }
      let appends = int(0...3) == 0
      try composition.insert(
        ranges.map { range in
          SourceRange(Self.sources[range.source], timeRange: TimeRange(start: time(range.start), duration: time(range.count)))
        }, at: appends ? .invalid : time(start), inTrack: id)
      let list = ranges.map { "[\($0.source),\($0.start),\($0.count)]" }.joined(separator: ",")
      try note("insert", track, "[\(list)],\(appends ? "null" : "\(start)")")
    case 3:
      let (source, media) = (Int(int(0...2)), int(0...1_000_000_000))
      try composition.insertFreezeFrame(
        of: MediaPosition(source: Self.sources[source], time: time(media)), duration: time(count), at: time(start), inTrack: id)
      try note("freeze", track, "\(source),\(media),\(count),\(start)")
    case 4:
      try composition.insert(range, of: try #require(composition.track(id)), at: time(start + count), inTrack: id)
      try note("copy", track, "\(start),\(count),\(start + count)")
    case 5:
      if isWhole { try composition.insertEmpty(range) } else { try composition.insertEmpty(range, inTrack: id) }
      for track in isWhole ? [0, 1] : [track] { try note("insert_empty", track, "\(start),\(count)") }
    case 6, 7:
      if isWhole { try composition.remove(range) } else { try composition.remove(range, inTrack: id) }
      for track in isWhole ? [0, 1] : [track] { try note("remove", track, "\(start),\(count)") }
    default:
      guard unit > 1 else { return }
      let factors: [Int64] = [1, 2, 3, 5, 6, 7, 10, 14, 15, 30]
      let (p, q) = (int(1...8), factors.randomElement(using: &random) ?? 1)
      unit /= 210
      let target = count / q * p
      if isWhole {
        try composition.scale(range, to: time(target))
      } else {
        try composition.scale(range, to: time(target), inTrack: id)
      }
      for track in isWhole ? [0, 1] : [track] { try note("scale", track, "\(start),\(count),\(target)") }
    }
  }

  /// Compares segments with what the oracle prints: source, anchor, rate (as fractions), start and duration of each child.
  func agrees(_ segments: [CompositionTrackSegment], with numbers: [Int64]) -> Bool {
    var children = stride(from: 0, to: numbers.count / 7 * 7, by: 7).map { Array(numbers[$0..<$0 + 7]) }
    children = children.reduce(into: []) { result, child in
      guard child[0] == -1, let last = result.last, last[0] == -1 else { return result.append(child) }
      result[result.count - 1][6] += child[6]
    }
    let pieces = segments.joiningEmpty
    guard children.count == pieces.count else { return false }
    var start: Int64 = 0
    for (child, piece) in zip(children, pieces) {
      let target = piece.timeMapping.target
      guard equal(target.start, start, 1), equal(target.duration, Int128(child[6]), 1) else { return false }
      start += child[6]
      guard let source = piece.source else {
        guard child[0] == -1 else { return false }
        continue
      }
      let (anchor, rate) = ((Int128(child[1]), Int128(child[2])), (Int128(child[3]), Int128(child[4])))
      let media = piece.timeMapping.source
      guard child[0] >= 0, source == Self.sources[Int(child[0])], !media.start.hasBeenRounded, !media.duration.hasBeenRounded,
        equal(media.start, anchor.0 * rate.1 + rate.0 * Int128(child[5]) * anchor.1, anchor.1 * rate.1),
        equal(media.duration, rate.0 * Int128(child[6]), rate.1)
      else { return false }
    }
    return true
  }

  private func equal(_ time: MediaTime, _ numerator: some BinaryInteger, _ denominator: Int128) -> Bool {
    time.isNumeric
      && Int128(time.value) * denominator * Int128(rate) == Int128(numerator) * Int128(time.timescale)
  }
}

extension [CompositionTrackSegment] {
  /// Two adjacent gaps play like one.
  fileprivate var joiningEmpty: [CompositionTrackSegment] {
    reduce(into: []) { result, segment in
      guard segment.isEmpty, let last = result.last, last.isEmpty else { return result.append(segment) }
      result[result.count - 1] = CompositionTrackSegment(
        empty: TimeRange(start: last.timeMapping.target.start, end: segment.timeMapping.target.end))
    }
  }
}

extension OpenTimelineIOTests {
  @Test func edits_hundredThousandRandomOnes_giveOpenTimelineIOsTracks() throws {
    var sequences: [EditSequence] = []
    var count = 0
    while count < 100_000 {
      var sequence = EditSequence(seed: UInt64(sequences.count))
      for _ in 0..<6 { try sequence.edit() }
      count += sequence.edits.count
      sequences.append(sequence)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "compositor-edits-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = sequences.flatMap { [#"["tracks",\#($0.rate),2]"#] + $0.edits.map(\.line) }
    try lines.joined(separator: "\n").write(to: file, atomically: false, encoding: .utf8)
    let script = OpenTimelineIO.root.appending(path: "Tests/Oracles/otio_edits.py").path
    let (status, output) = try OpenTimelineIO.run([script, file.path])
    #expect(status == 0)
    let answers = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var (index, wrong, kinds) = (0, 0, Set<String>())
    for sequence in sequences {
      for (number, edit) in sequence.edits.enumerated() {
        let answer = try #require(index < answers.count ? answers[index] : nil)
        let numbers = answer.split(separator: UInt8(ascii: " ")).map { Int64(String(decoding: $0, as: UTF8.self)) ?? .min }
        index += 1
        kinds.insert(edit.operation)
        guard !sequence.agrees(edit.result, with: numbers) else { continue }
        wrong += 1
        guard wrong < 4 else { continue }
        let history = sequence.edits[...number].map(\.line).joined(separator: "\n")
        Issue.record("rate \(sequence.rate):\n\(history)\nours: \(edit.result.map(\.timeMapping))\nOpenTimelineIO: \(numbers)")
      }
    }
    #expect(wrong == 0 && index == count && kinds.count == 6)
    print("\(count - wrong) of \(count) random edits agree with OpenTimelineIO")
  }
}
