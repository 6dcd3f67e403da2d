import CompositorAPI
import CompositorHost
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

/// The files to copy from, after checking that their packets can share one track.
struct CopySources {
  let video: [CopySource: CodedVideo]
  let audio: [CopySource: CodedAudio]
  /// The first source, whose track is the model for the output's.
  let first: CodedVideo
  /// The decoder's initialization data; empty to use the first file's.
  let header: [UInt8]
  /// Reordering delay in frames.
  let reordering: Int
  /// IDs of the parameter sets of encoded frames, used in rotation; empty if nothing can be encoded. Two successive stretches
  /// may be a single IDR frame each, which decoders distinguish by these IDs.
  private let encoderIDs: [Int]
  /// Why frames at cuts cannot be encoded in the first source's format; `nil` if they can, or nothing can be encoded at all.
  private let obstacle: CompositorError?
  private let mode: PassthroughMode

  /// - Throws: `.unsupportedOutput` if the container cannot hold a track, or with the first difference between two files.
  init(
    _ composition: ValidatedComposition, _ plan: CopyPlan, mode: PassthroughMode, container: MovieContainer
  ) throws(CompositorError) {
    self.mode = mode
    let (video, audio) = try Self.opened(plan, composition)
    guard let start = plan.video.first, let first = video[CopySource(start)] else {
      throw CopyObstacles.refusal("There is no video to copy.", "Add a clip with video.", at: ErrorLocation())
    }
    try Self.checkCodings(of: plan.video, composition)
    try Self.checkHolding(first, in: container, path: start.path)
    var sets = try Self.parameterSets(of: plan.video, video, first, start)
    (self.video, self.audio, self.first) = (video, audio, first)
    reordering = video.values.map(\.parameters.reordering).max() ?? 0
    let canEncode =
      mode == .smart && first.parameters.codec == "h264" && !first.parameters.isInterlaced && PieceEncoder.isAvailable
    let numbers = canEncode ? Array((sets?.freeIDs ?? []).prefix(2)) : []
    var (encoderIDs, obstacle) = (numbers.count == 2 ? numbers : [], CompositorError?.none)
    let format = composition.media[.file(path: start.path)]?.videoTracks.first { $0.index == start.trackIndex }?.format
    if let format {
      // If no more sets fit, or the format cannot be encoded, cuts at key frames are still possible.
      do throws(CompositorError) {
        let all = try Self.adding(encoderIDs, to: sets, like: first, format, reordering, path: start.path)
        if all?.fitsHeader == false { encoderIDs = [] } else { sets = all }
      } catch {
        guard error.code != .cancelled else { throw error }
        (encoderIDs, obstacle) = ([], error)
      }
    }
    (self.encoderIDs, self.obstacle) = (encoderIDs, obstacle)
    let header = sets?.header ?? []
    self.header = header == first.parameters.header ? [] : header
  }

  /// Each source of the plan, opened once.
  private static func opened(
    _ plan: CopyPlan, _ composition: ValidatedComposition
  ) throws(CompositorError) -> ([CopySource: CodedVideo], [CopySource: CodedAudio]) {
    var (video, audio): ([CopySource: CodedVideo], [CopySource: CodedAudio]) = ([:], [:])
    for piece in plan.video where video[CopySource(piece)] == nil {
      video[CopySource(piece)] = try CodedVideo(piece.path, trackIndex: piece.trackIndex, catalog: composition.catalog)
    }
    for piece in plan.audio.joined() where audio[CopySource(piece)] == nil {
      audio[CopySource(piece)] = try CodedAudio(piece.path, trackIndex: piece.trackIndex, catalog: composition.catalog)
    }
    return (video, audio)
  }

  /// The parameter sets of all pieces together; `nil` if the first source has none.
  ///
  /// - Throws: An error with the first difference of a piece from the first source, or if the sets don't fit into one header.
  private static func parameterSets(
    of pieces: [CopyPiece], _ video: [CopySource: CodedVideo], _ first: CodedVideo, _ start: CopyPiece
  ) throws(CompositorError) -> AVCParameterSets? {
    var sets = AVCParameterSets(first.parameters.header)
    for piece in pieces {
      guard let other = video[CopySource(piece)], other !== first else { continue }
      try Self.check(other.parameters, piece, against: first.parameters, start)
      if let difference = first.lookDifference(from: other) {
        throw Self.difference(difference, start.path, piece.path, piece.start)
      }
      let rates = (first.rate, other.rate)
      guard rates.0 == rates.1 else {
        throw Self.difference(("frame rate", "\(rates.0)", "\(rates.1)"), start.path, piece.path, piece.start)
      }
      guard other.parameters.header != first.parameters.header else { continue }
      guard let merged = AVCParameterSets(other.parameters.header).flatMap({ sets?.merged(with: $0) }) else {
        throw Self.difference(("decoder's header", "one", "another of the same number"), start.path, piece.path, piece.start)
      }
      guard merged.fitsHeader else {
        throw CopyObstacles.refusal(
          "There are too many parameter sets for one track: \(merged.sequences.count) of sequences and \(merged.pictures.count) of "
            + "pictures, of at most 31 and 255.", "Render the movie.", at: ErrorLocation(file: piece.path, time: piece.start))
      }
      sets = merged
    }
    return sets
  }

  /// Makes encoders for frames at cuts.
  func encoder(path: String) -> (CodedVideo, PixelFormat, Int) throws(CompositorError) -> PieceEncoder {
    { [encoderIDs, reordering, obstacle] source, format, number throws(CompositorError) in
      let location = ErrorLocation(file: source.reader.path)
      guard source.parameters.codec == "h264" else {
        throw CopyObstacles.refusal(
          "A cut lies between the key frames, and \(source.parameters.codec) cannot be encoded so that decoders go on.",
          "Cut at key frames, use edit-list, or render the movie.", at: location)
      }
      guard !source.parameters.isInterlaced else {
        throw CopyObstacles.refusal(
          "A cut lies between the key frames of interlaced video.", "Use edit-list, or render the movie.", at: location)
      }
      guard PieceEncoder.isAvailable else {
        throw CompositorError(
          .encoderNotFound, "Frames at cuts cannot be encoded: libavcodec has no libx264.",
          recoverySuggestion: "Use edit-list.", at: location)
      }
      if let obstacle { throw obstacle }
      guard !encoderIDs.isEmpty else {
        throw CopyObstacles.refusal(
          "A cut lies between the key frames, and the track has too many parameter sets for those of frames that are encoded.",
          "Cut at key frames, use edit-list, or render the movie.", at: location)
      }
      return try Self.open(source, format, encoderIDs[number % encoderIDs.count], reordering, path: path)
    }
  }

  /// Parameter sets with those of the encoders that have numbers.
  private static func adding(
    _ numbers: [Int], to sets: AVCParameterSets?, like source: CodedVideo, _ format: PixelFormat, _ reordering: Int,
    path: String
  ) throws(CompositorError) -> AVCParameterSets? {
    var all = sets
    for number in numbers {
      let encoder = try open(source, format, number, reordering, path: path)
      guard let own = AVCParameterSets(encoder.header), let merged = all?.merged(with: own) else { continue }
      all = merged
    }
    return all
  }

  private static func open(
    _ source: CodedVideo, _ format: PixelFormat, _ number: Int, _ reordering: Int, path: String
  ) throws(CompositorError) -> PieceEncoder {
    let parameters = source.parameters
    let profiles = [66: "baseline", 578: "baseline", 77: "main", 100: "high", 110: "high10", 122: "high422", 244: "high444"]
    guard let profile = profiles[parameters.profile] else {
      throw CopyObstacles.refusal(
        "Frames at cuts cannot be encoded in the profile \(parameters.profile) of H.264.",
        "Use edit-list, or render the movie.",
        at: ErrorLocation(file: source.reader.path))
    }
    let bidirectional =
      reordering == 0 ? "bframes=0" : reordering == 1 ? "bframes=3:b-pyramid=none" : "bframes=3:b-pyramid=normal"
    // What the bytes would depend on is fixed.
    let options =
      "preset=medium\nprofile=\(profile)\ncrf=14\nx264-params=sps-id=\(number):level=\(parameters.level):keyint=infinite:"
      + ["min-keyint=1:scenecut=0:open-gop=0:threads=4", bidirectional, EncoderPinning.x264Parameter]
      .joined(separator: ":")
    do throws(CompositorError) {
      return try PieceEncoder(like: source.track, of: source.reader, format: format, options: options, path: path)
    } catch {
      guard error.code == .encodeFailed else { throw error }
      throw CopyObstacles.refusal(
        "Frames at cuts cannot be encoded as this H.264 (\(profile), \(format.name)).",
        "Cut at key frames, or render the movie.",
        at: ErrorLocation(file: source.reader.path))
    }
  }

  private static func check(
    _ parameters: CopyParameters, _ piece: CopyPiece, against first: CopyParameters, _ start: CopyPiece
  ) throws(CompositorError) {
    guard let difference = first.difference(from: parameters) else { return }
    throw Self.difference(difference, start.path, piece.path, piece.start)
  }

  private static func difference(
    _ difference: (name: String, own: String, other: String), _ first: String, _ second: String, _ time: MediaTime
  ) -> CompositorError {
    CopyObstacles.refusal(
      "The \(difference.name) of \(first) is \(difference.own), that of \(second) \(difference.other).",
      "Render the movie, or use files of one camera and setting.", at: ErrorLocation(file: second, time: time))
  }

  /// Checks that the packets of the pieces of an audio track can share one track of the output.
  func checkAudio(_ pieces: [CopyPiece], in container: MovieContainer) throws(CompositorError) {
    guard let start = pieces.first, let first = audio[CopySource(start)] else { return }
    try Self.checkHolding(first, in: container, path: start.path)
    for piece in pieces {
      guard let other = audio[CopySource(piece)], other !== first else { continue }
      try Self.check(other.parameters, piece, against: first.parameters, start)
      guard other.parameters.header == first.parameters.header else {
        throw Self.difference(("audio decoder's header", "one", "another"), start.path, piece.path, piece.start)
      }
    }
  }

  /// The timescale of the video, chosen so that all times are exact if possible.
  func timescale(of plan: CopyPlan) -> Int32 {
    let maximum = 10_000_000
    var scale = 1
    var scales = Set<Int>()
    for piece in plan.video {
      guard let source = video[CopySource(piece)] else { continue }
      scales.insert(Int(source.rate.frameDuration.timescale))
      if source.isVariable { scales.insert(Int(source.clock.timebase.denominator)) }
      scales.formUnion([Int(piece.start.timescale), Int(piece.media.start.timescale)])
    }
    for other in scales.sorted() {
      let common = CopyJob.common(scale, other)
      guard common <= maximum else { return 705_600_000 }
      scale = common
    }
    return Int32(scale)
  }

  /// Space for the index of an MP4 or QuickTime file: an upper bound for the packets' table entries.
  ///
  /// If durations suggest far more packets than the files can have, the packets are counted, which reads the files once.
  func indexByteCount(of plan: CopyPlan) throws(CompositorError) -> Int {
    let estimate = packetCount(of: plan, known: [:])
    var sizes: [String: Int64] = [:]
    for reader in video.values.map(\.reader) + audio.values.map(\.reader) { sizes[reader.path] = reader.byteCount }
    let byteCount = sizes.values.reduce(0) { $0 + Double($1) }
    let isSparse = Self.bytesOfPacket * estimate > max(byteCount / 4, 65_536)
    let packets = isSparse ? packetCount(of: plan, known: try counts()) : estimate
    let headers =
      header.count + video.values.reduce(0) { $0 + $1.parameters.header.count }
      + audio.values.reduce(0) { $0 + $1.parameters.header.count }
    return Int(min(Double(16_384 + headers) + Self.bytesOfPacket * packets, Double(Int32.max)))
  }

  /// Bytes that a packet takes in the tables of a track: duration, offset, size, key frame, position, and its chunk.
  private static let bytesOfPacket = 48.0

  /// Maximum number of packets of all pieces.
  private func packetCount(of plan: CopyPlan, known: [CopyTrack: Int]) -> Double {
    func bounded(_ estimate: Double, _ type: MediaType, _ piece: CopyPiece) -> Double {
      guard let count = known[CopyTrack(type: type, source: CopySource(piece))] else { return estimate }
      // Frames encoded at a cut are no more than those they replace.
      return min(estimate, Double(count + 16))
    }
    let frames = plan.video.reduce(0) {
      $0 + bounded((video[CopySource($1)]?.frameCount(in: $1.media.duration) ?? 0) + 600, .video, $1)
    }
    return plan.audio.joined().reduce(frames) { count, piece in
      guard let source = audio[CopySource(piece)] else { return count }
      let frame = Double(max(source.parameters.frameSize, 256))
      return count + bounded(piece.media.duration.seconds * Double(source.info.sampleRate) / frame + 200, .audio, piece)
    }
  }

  /// The number of packets of each track.
  private func counts() throws(CompositorError) -> [CopyTrack: Int] {
    var counts: [CopyTrack: Int] = [:]
    for (source, coded) in video { counts[CopyTrack(type: .video, source: source)] = try coded.reader.packetCount() }
    for (source, coded) in audio { counts[CopyTrack(type: .audio, source: source)] = try coded.reader.packetCount() }
    return counts
  }
}

/// A track of a file.
private struct CopyTrack: Hashable {
  let type: MediaType
  let source: CopySource
}
