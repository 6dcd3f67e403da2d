/// Decoded pictures that were passed, for steps backwards: the newest ones that fit a number of bytes, and those after a time.
struct FrameHistory {
  /// A picture and the ticks at which it is shown.
  struct Entry {
    var picture: VideoDecoder.Picture
    /// The next picture's time.
    var end: Int64
  }

  private var entries: [Entry] = []
  private var byteCount = 0

  /// Keeps a picture; drops the oldest ones above `limit` bytes, but none that is shown after `start`.
  mutating func keep(_ entry: Entry, limit: Int, after start: Int64 = .max) {
    guard !entries.contains(where: { $0.picture.time == entry.picture.time }) else { return }
    entries.append(entry)
    byteCount += entry.picture.byteCount
    trim(to: limit, after: start)
  }

  /// Drops the oldest pictures above `limit` bytes, but none that is shown after `start`.
  private mutating func trim(to limit: Int, after start: Int64) {
    var dropped = 0
    while dropped < entries.count, byteCount > limit, entries[dropped].end <= start {
      byteCount -= entries[dropped].picture.byteCount
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// The picture shown at tick `time`; nil where it is not here.
  func entry(at time: Int64) -> Entry? {
    entries.last { $0.picture.time <= time && time < $0.end }
  }
}
