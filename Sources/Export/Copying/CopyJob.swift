import CompositorAPI
import CompositorHost
import CompositorAudio
import CompositorMediaIO
import CompositorMediaWriting

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
    case none
    case copied(AudioCopier, track: Int, sampleRate: Int)
    case encoded(AudioMixer, AudioBlock, sampleRate: Int)
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
  private var audio = Audio.none

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
      audio = try Self.audio(
        composition, plan, sources, writer, settings, copies: container.holdsEditLists && plan.audio.count <= 1,
        keepsCodec: mode == .editList)
      let room = container.holdsEditLists ? try sources.indexByteCount(of: plan) : 0
      try writer.begin(
        entries, timescale: Self.common(Int(timescale), sources.audio.values.first?.info.sampleRate ?? 1),
        reservedByteCount: room * attempt.roomFactor)
    } catch {
      writer.abandon()
      throw error
    }
  }

  private static func audio(
    _ composition: ValidatedComposition, _ plan: CopyPlan, _ sources: CopySources, _ writer: CopyingMovieWriter,
    _ settings: ExportSettings, copies: Bool, keepsCodec: Bool
  ) throws(CompositorError) -> Audio {
    guard let first = plan.audio.first, let source = sources.audio[CopySource(first)] else { return .none }
    if copies, settings.audio?.asksForMore(than: source) != true {
      try sources.checkAudio(plan, in: writer.container)
      let rate = source.info.sampleRate
      let track = try writer.addTrack(copying: source.track, of: source.reader, timescale: Int32(rate), header: [], tag: nil)
      return .copied(
        AudioCopier(plan.audio, sources: sources.audio, writer: writer, track: track, sampleRate: rate), track: 1,
        sampleRate: rate)
    }
    guard var wanted = settings.audio else { return .none }
    if keepsCodec, wanted.chosenCodec == nil, let codec = source.codec, writer.container.audioCodecs.contains(codec) {
      wanted.chosenCodec = codec
    }
    let encoding = wanted.settled(for: writer.container)
    let description = MovieDescription(container: writer.container, audioTracks: [AudioTrackDescription(encoding: encoding)])
    do throws(CompositorError) { try description.validate() } catch { throw error.locating(ErrorLocation(file: writer.path)) }
    try writer.addAudio(encoding, language: source.info.language)
    let mixer = ExportAudio(composition, encoding: encoding, start: plan.range.start, damaged: settings.render.damaged).mixer()
    return .encoded(mixer, AudioBlock(channelCount: encoding.channelCount, capacity: 4096), sampleRate: encoding.sampleRate)
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
    switch audio {
    case .none: return try video.step()
    case .copied(let copier, _, _):
      if copier.position < video.position, try copier.step() { return true }
      if try video.step() { return true }
      return try copier.step()
    case .encoded(let mixer, let block, let rate):
      let seconds = min(video.position, plan.duration.seconds)
      let left = Int64((plan.duration.seconds * Double(rate)).rounded()) - writer.audioSampleCount
      if left > 0, Double(writer.audioSampleCount) / Double(rate) < seconds {
        let count = Int(min(Int64(block.capacity), left))
        try mixer.mix(count, into: block)
        try writer.append(block, count: count)
        return true
      }
      if try video.step() { return true }
      return left > 0
    }
  }

  func finish() throws(CompositorError) -> Summary {
    let byteCount = try writer.finish()
    if writer.container.holdsEditLists { try EditListBoxes.write(editLists, to: path) }
    var report = PassthroughReport(mode: mode)
    (report.copiedFrameCount, report.encodedFrameCount) = (video.copiedFrameCount, video.encodedFrameCount)
    (report.encodedStretchCount, report.pieceCount) = (video.encodedStretchCount, plan.video.count)
    var sampleCount = writer.audioSampleCount
    switch audio {
    case .none: break
    case .encoded: report.audio = .encoded
    case .copied(let copier, _, let rate):
      report.audio = .copied
      sampleCount = copier.entries.reduce(0) { $0 + ($1.start == nil ? 0 : $1.duration.rounded(toUnitsOf: Rational(1, rate))) }
    }
    return Summary(report: report, byteCount: Int(byteCount), audioSampleCount: sampleCount)
  }

  func abandon() { writer.abandon() }

  private var editLists: [Int: [EditListEntry]] {
    let origin = output.firstDecodeTime ?? 0
    var lists = [
      0: video.entries.map {
        EditListEntry(mediaStart: MediaTime(value: $0.start - origin, timescale: output.timescale), duration: $0.duration)
      }
    ]
    if case .copied(let copier, let track, let rate) = audio {
      lists[track] = copier.entries.map { entry in
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
