import CompositorAPI
import CompositorMediaIO

/// Facts about a part's packets, read once right after it was written.
struct PartInspection {
  private(set) var frameCount = 0
  private(set) var keyFrameCount = 0
  /// Reordering delay in frames: how far decoding runs ahead of presentation.
  private(set) var reordering = 0
  /// The frame number of each packet; `nil` if packets are in the order of frames.
  private(set) var order: String?
  /// The SHA-256 of the parameters that decoders need.
  let parameters: String
  private(set) var packetCount = 0

  /// Reads a segment.
  ///
  /// - Throws: The errors of reading; `.encodeFailed` if its frames have no order.
  init(video path: String) throws(CompositorError) {
    let (reader, track) = try Self.open(path, .video)
    let found = reader.copyParameters(track)
    parameters = Self.digest(of: found)
    var times: [Int64] = []
    while let packet = try reader.next() {
      times.append(packet.time)
      if packet.entry != .none { keyFrameCount += 1 }
    }
    frameCount = times.count
    packetCount = times.count
    // Frames are numbered by sorting their times. However a container rounds them, their order stays.
    let shown = times.indices.sorted { times[$0] < times[$1] }
    guard zip(shown, shown.dropFirst()).allSatisfy({ times[$0] < times[$1] }) else {
      throw CompositorError(
        .encodeFailed, "Two frames of the part have one time.", recoverySuggestion: "Choose another container, such as .mp4.",
        at: ErrorLocation(file: path))
    }
    for (rank, index) in shown.enumerated() { reordering = max(reordering, index - rank) }
    if shown != Array(times.indices) {
      var ranks = Array(repeating: 0, count: shown.count)
      for (rank, index) in shown.enumerated() { ranks[index] = rank }
      order = ranks.map(String.init).joined(separator: " ")
    }
    reordering = max(reordering, found.isIntraOnly ? 0 : found.reordering)
  }

  /// Reads the audio part.
  init(audio path: String) throws(CompositorError) {
    let (reader, track) = try Self.open(path, .audio)
    parameters = Self.digest(of: reader.copyParameters(track))
    while try reader.next() != nil { packetCount += 1 }
  }

  private static func open(_ path: String, _ type: MediaType) throws(CompositorError) -> (PacketReader, PacketReader.Track) {
    let track = PacketReader.Track(type, 0)
    return (try PacketReader(path: path, tracks: [track], facts: nil), track)
  }

  private static func digest(of parameters: CopyParameters) -> String {
    let facts = ["codec=\(parameters.codec)"] + parameters.facts.map { "\($0.name)=\($0.value)" }
    return FileDigest(of: Array(facts.joined(separator: "\n").utf8) + [0] + parameters.header).sha256
  }
}
