import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting
import CompositorValidation

/// Assumptions of one attempt at copying.
struct CopyAttempt: Sendable {
  /// Reordering delay in frames: how far decoding runs ahead of presentation; `nil` for the files' values.
  var delay: Int?
  /// A factor for the usual space reserved for the index.
  var roomFactor = 1
}

/// Writes one file from packets. One owner, one thread at a time.
final class CopyJob {
  /// A summary of what was written.
  struct Summary: Sendable {
    var report: PassthroughReport
    var byteCount: Int
    var audioSampleCount: Int64
  }

  private enum Audio {
    case copied(AudioCopier, sampleRate: Int)
    case encoded(AudioMixer, AudioBlock, sampleRate: Int, CopyingMovieWriter.EncodedTrack)
  }

  /// Reordering delay in frames.
  let delay: Int
  private let roomFactor: Int
  private let plan: CopyPlan
  private let mode: PassthroughMode
  private let path: String
  private let writer: CopyingMovieWriter
  private let output: VideoTrackOutput
  private let video: VideoCopier
  /// The audio tracks in the order of the file, in which they follow the video.
  private var audio: [Audio] = []

  /// Boxes of the first file's video that the copy has, too; `nil` if there are none, or the container has no boxes.
  private let carried: CarriedBoxes?

  /// Number of packets copied before the other media type continues.
  private static let batch = 200

  init(
    _ composition: ValidatedComposition, _ plan: CopyPlan, mode: PassthroughMode, container: MovieContainer, path: String,
    settings: ExportSettings, entries: MovieDescription, attempt: CopyAttempt
  ) throws(CompositorError) {
    (self.plan, self.mode, self.path) = (plan, mode, path)
    let sources = try CopySources(composition, plan, mode: mode, container: container)
    delay = attempt.delay ?? sources.reordering
    roomFactor = attempt.roomFactor
    let model = container.holdsEditLists ? plan.video.first : nil
    carried = model.flatMap { CarriedBoxes(of: $0.path, videoTrack: $0.trackIndex) }
    writer = try CopyingMovieWriter(container, path: path)
    do throws(CompositorError) {
      let timescale = sources.timescale(of: plan)
      let track = try writer.addTrack(
        copying: sources.first.track, of: sources.first.reader, timescale: timescale, header: sources.header, tag: nil)
      let rate = sources.first.rate
      output = VideoTrackOutput(
        writer, track, timescale: timescale, delay: self.delay,
        step: rate.frameDuration.rounded(toUnitsOf: Rational(1, Int(timescale))), closesTrack: container.holdsEditLists)
      video = VideoCopier(
        plan.video, sources: sources.video, isSmart: mode == .smart, output: output, makeEncoder: sources.encoder(path: path))
      // FFmpeg, on which most players are built, plays the whole packet at an end of an edit: copied audio of many pieces would
      // fall behind by up to a packet for each.
      for (index, pieces) in plan.audio.enumerated() {
        let track = try Self.audio(
          composition, plan, pieces, index, sources, writer, settings,
          copies: container.holdsEditLists && pieces.count <= 1, keepsCodec: mode == .editList)
        if let track { audio.append(track) }
      }
      let room = container.holdsEditLists ? try sources.indexByteCount(of: plan) + (carried?.byteCount ?? 0) : 0
      try writer.begin(
        entries, timescale: Self.common(Int(timescale), sources.audio.values.first?.info.sampleRate ?? 1),
        reservedByteCount: room * attempt.roomFactor)
    } catch {
      writer.abandon()
      throw error
    }
  }

  /// Adds an audio track; `nil` without settings for audio.
  private static func audio(
    _ composition: ValidatedComposition, _ plan: CopyPlan, _ pieces: [CopyPiece], _ index: Int, _ sources: CopySources,
    _ writer: CopyingMovieWriter, _ settings: ExportSettings, copies: Bool, keepsCodec: Bool
  ) throws(CompositorError) -> Audio? {
    let output = composition.edit.audioTracks.indices.contains(index) ? composition.edit.audioTracks[index] : nil
    let isDefault = output == nil || index == composition.edit.defaultAudioTrack
    let source = pieces.first.flatMap { sources.audio[CopySource($0)] }
    // Packets run on across the ends of the parts of an edit list.
    let hasParts = pieces.contains { sources.audio[CopySource($0)]?.hasSeveralParts == true }
    if copies, !hasParts, let source, settings.audio?.asksForMore(than: source) != true {
      try sources.checkAudio(pieces, in: writer.container)
      let rate = source.info.sampleRate
      let track = try writer.addTrack(copying: source.track, of: source.reader, timescale: Int32(rate), header: [], tag: nil)
      if let output { try writer.describe(track, language: output.language, title: output.title, isDefault: isDefault) }
      return .copied(
        AudioCopier(pieces, sources: sources.audio, writer: writer, track: track, sampleRate: rate), sampleRate: rate)
    }
    guard var wanted = settings.audio else { return nil }
    if wanted.chosenCodec == nil, let codec = source?.codec, writer.container.audioCodecs.contains(codec),
      keepsCodec || codec.isLossless
    {
      wanted.chosenCodec = codec
    }
    let encoding = wanted.settled(for: writer.container)
    var description =
      output == nil
      ? AudioTrackDescription(encoding: encoding, language: source?.info.language)
      : composition.audioDescriptions(encoding, in: writer.container)[index]
    description.isDefault = isDefault
    let movie = MovieDescription(container: writer.container, audioTracks: [description])
    do throws(CompositorError) { try movie.validate() } catch { throw error.locating(ErrorLocation(file: writer.path)) }
    let track = try writer.addAudio(description)
    let mixer = ExportAudio(
      composition, encoding: encoding, start: plan.range.start, damaged: settings.render.damaged, tracks: output?.trackIDs
    ).mixer()
    let block = AudioBlock(channelCount: encoding.channelCount, capacity: 4096)
    return .encoded(mixer, block, sampleRate: encoding.sampleRate, track)
  }

  /// Assumptions for another attempt, if copying failed because the file states the order or the number of its frames
  /// incorrectly; `nil` otherwise.
  var nextAttempt: CopyAttempt? {
    if output.needsMoreDelay { return delay < 16 ? CopyAttempt(delay: delay + 2, roomFactor: roomFactor) : nil }
    return writer.needsMoreRoom && roomFactor < 64 ? CopyAttempt(delay: delay, roomFactor: roomFactor * 4) : nil
  }

  /// Copies some packets of the track that is behind. Returns the number of frames done; `nil` once all are.
  func work() throws(CompositorError) -> Int? {
    var goesOn = true
    for _ in 0..<Self.batch where goesOn { goesOn = try step() }
    return goesOn ? video.copiedFrameCount + video.encodedFrameCount : nil
  }

  private func step() throws(CompositorError) -> Bool {
    for track in audio {
      switch track {
      case .copied(let copier, _):
        if copier.position < video.position, try copier.step() { return true }
      case .encoded(_, _, let rate, let track):
        let seconds = min(video.position, plan.duration.seconds)
        if Double(writer.sampleCount(of: track)) / Double(rate) < seconds, try encode(of: audio, track) { return true }
      }
    }
    if try video.step() { return true }
    // What is left of the audio.
    for track in audio {
      switch track {
      case .copied(let copier, _): if try copier.step() { return true }
      case .encoded(_, _, _, let track): if try encode(of: audio, track) { return true }
      }
    }
    return false
  }

  /// Encodes a block of an audio track. Returns false once all of it is encoded.
  private func encode(of tracks: [Audio], _ wanted: CopyingMovieWriter.EncodedTrack) throws(CompositorError) -> Bool {
    for case .encoded(let mixer, let block, let rate, let track) in tracks where track == wanted {
      let left = Int64((plan.duration.seconds * Double(rate)).rounded()) - writer.sampleCount(of: track)
      guard left > 0 else { return false }
      let count = Int(min(Int64(block.capacity), left))
      try mixer.mix(count, into: block)
      try writer.append(block, count: count, to: track)
      return true
    }
    return false
  }

  func finish() throws(CompositorError) -> Summary {
    let byteCount = try writer.finish()
    if writer.container.holdsEditLists {
      try EditListBoxes.write(editLists, carrying: carried.map { [0: $0] } ?? [:], to: path)
    }
    var report = PassthroughReport(mode: mode)
    (report.copiedFrameCount, report.encodedFrameCount) = (video.copiedFrameCount, video.encodedFrameCount)
    (report.encodedStretchCount, report.pieceCount) = (video.encodedStretchCount, plan.video.count)
    let counts = audio.map { track -> Int64 in
      switch track {
      case .encoded(_, _, _, let track): return writer.sampleCount(of: track)
      case .copied(let copier, let rate):
        return copier.entries.reduce(0) { $0 + ($1.start == nil ? 0 : $1.duration.rounded(toUnitsOf: Rational(1, rate))) }
      }
    }
    if !audio.isEmpty { report.audio = audio.contains { if case .encoded = $0 { true } else { false } } ? .encoded : .copied }
    return Summary(report: report, byteCount: Int(byteCount), audioSampleCount: counts.first ?? 0)
  }

  func abandon() { writer.abandon() }

  private var editLists: [Int: [EditListEntry]] {
    let origin = output.firstDecodeTime ?? 0
    var lists = [
      0: video.entries.map {
        EditListEntry(mediaStart: MediaTime(value: $0.start - origin, timescale: output.timescale), duration: $0.duration)
      }
    ]
    for (index, track) in audio.enumerated() {
      guard case .copied(let copier, let rate) = track else { continue }
      lists[index + 1] = copier.entries.map { entry in
        EditListEntry(mediaStart: entry.start.map { MediaTime(value: $0, timescale: Int32(rate)) }, duration: entry.duration)
      }
    }
    return lists
  }

  /// The least common multiple; the first if that is too large.
  static func common(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    let multiple = first / a * second
    return multiple <= Int(Int32.max) ? multiple : first
  }
}
