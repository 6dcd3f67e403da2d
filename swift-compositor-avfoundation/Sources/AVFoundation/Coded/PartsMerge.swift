internal import Compositor
internal import Foundation

/// Joins the encoded tracks of a writer, which are one file, and the copied ones, which are another, in the order of the inputs.
struct PartsMerge {
  let plan: WriterPlan
  /// The file of the encoded tracks, and which tracks with audio have samples; `nil` if nothing was encoded.
  let encoded: (path: String, audio: [Int])?
  /// The file of the copied tracks, and which of them have samples; `nil` if nothing was copied.
  let copied: (path: String, filled: Set<Int>)?
  /// The times of samples at which both files begin; the movie begins at the first.
  let starts: (encoded: MediaTime, copied: MediaTime)

  /// Writes the movie.
  ///
  /// - Parameter end: The time of samples at which it ends, if the session had an end.
  /// - Throws: Why it cannot be written.
  func write(to path: String, until end: MediaTime?) throws {
    let readers = try [encoded?.path, copied?.path].map { try $0.map { try CodedMediaReader(path: $0) } }
    var description = CodedMovieDescription(container: plan.container, metadata: plan.metadata)
    description.hasFastStart = plan.hasFastStart
    let writer = try CodedMediaWriter(description, path: path)
    var tracks: [[CodedTrack: CodedMediaWriter.Track]] = [[:], [:]]
    for place in plan.order {
      guard let (part, track) = source(of: place), let reader = readers[part], reader.tracks.contains(track) else { continue }
      tracks[part][track] = try writer.addTrack(copying: track, of: reader)
    }
    try writer.begin(at: starts.encoded)
    func read(_ part: Int) throws -> CodedSample? {
      guard var sample = try readers[part]?.next() else { return nil }
      let start = part == 0 ? starts.encoded : starts.copied
      sample.presentationTime = sample.presentationTime.map { $0 + start }
      sample.decodeTime = sample.decodeTime.map { $0 + start }
      return sample
    }
    var next = try readers.indices.map { try read($0) }
    while let part = next.indices.filter({ next[$0] != nil }).min(by: { time(next[$0]) < time(next[$1]) }) {
      if let sample = next[part], let track = tracks[part][sample.track] { try writer.append(sample, to: track) }
      next[part] = try read(part)
    }
    try writer.finish(at: end)
  }

  private func time(_ sample: CodedSample?) -> MediaTime { sample?.decodeTime ?? sample?.presentationTime ?? .zero }

  /// The file and the track in it that an input's samples are in.
  private func source(of place: WriterPlan.Place) -> (Int, CodedTrack)? {
    switch place {
    case .video: return encoded == nil ? nil : (0, .video(0))
    case .audio(let index): return (encoded?.audio.firstIndex(of: index)).map { (0, .audio($0)) }
    case .copied(let index):
      guard let filled = copied?.filled, filled.contains(index) else { return nil }
      let type = plan.copied[index].type
      let before = filled.filter { $0 < index && plan.copied[$0].type == type }.count
      return (1, CodedTrack(type, before))
    }
  }
}
