public import CompositorAPI
public import CompositorAudio
public import CompositorMediaIO
public import CompositorMediaWriting

/// A composed frame and its place in the timeline.
public struct RenderedFrame: Sendable {
  /// Number of the frame in the whole timeline, from 0.
  public let index: Int
  /// Composition time at which it starts.
  public let time: MediaTime
  /// How long it is shown.
  public let duration: MediaTime
  /// The frame, titles included, in the delivery format.
  public let frame: Frame

  /// The same frame at another place in the timeline.
  package func moved(to index: Int, time: MediaTime, duration: MediaTime) -> RenderedFrame {
    RenderedFrame(index: index, time: time, duration: duration, frame: frame)
  }
}

/// The frames of a composition, in order, made ahead of the reader as an export makes them: several at a time, with decoders on threads
/// of their own.
///
/// A sequence may be iterated any number of times; each iteration renders anew. Rendering waits while ``RenderSettings/framesInFlight`` frames
/// are ready and not taken. An iteration that is left, or whose task is canceled, stops rendering and closes its decoders.
///
/// ```swift
/// for try await rendered in try composition.frames() {
///   rendered.frame.withUnsafePlanes { planes in send(planes) }
/// }
/// ```
///
/// Frames come from a pool: hold at most 64 of them at a time, or copy what has to stay.
public struct FrameSequence: AsyncSequence, Sendable {
  /// A frame with its time.
  public typealias Element = RenderedFrame
  /// The first error in the order of the timeline; `.cancelled` if the task was canceled.
  public typealias Failure = CompositorError

  let plan: RenderPlan
  let range: Range<Int>
  let settings: RenderSettings
  let delivery: DeliveryFormat

  /// The number of frames.
  public var count: Int { range.count }
  /// Columns and rows of the frames.
  public var size: PixelSize { plan.format.frameSize }
  /// Their pixel format.
  public var format: PixelFormat { delivery.pixelFormat }
  /// Their color, pixel aspect ratio, alpha and HDR metadata.
  public var attributes: FrameAttributes { delivery.attributes }
  /// The composition time of the first frame.
  public var start: MediaTime { plan.schedule.time(ofFrame: range.lowerBound) }

  /// Describes a movie of these frames, for ``CompositorMediaIO/MovieWriter``.
  ///
  /// - Parameter audio: How audio is encoded; `nil` for a movie without.
  public func movie(
    _ container: MovieContainer, video: VideoEncodingSettings = VideoEncodingSettings(), audio: AudioEncodingSettings? = nil
  ) -> MovieDescription {
    movie(container, video: video, audioTracks: audio.map { [AudioTrackDescription(encoding: $0)] } ?? [])
  }

  /// Describes a movie of these frames with any number of audio tracks, for ``CompositorMediaIO/MovieWriter``.
  public func movie(
    _ container: MovieContainer, video: VideoEncodingSettings = VideoEncodingSettings(), audioTracks: [AudioTrackDescription]
  ) -> MovieDescription {
    let frameDuration = plan.composition.edit.videoComposition.frameDuration
    return MovieDescription(
      container: container,
      video: VideoTrackDescription(
        size: size, format: format, attributes: attributes, timing: .constant(frameDuration: frameDuration), encoding: video),
      audioTracks: audioTracks)
  }

  /// Starts an iteration; nothing is opened before the first frame is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// One iteration.
  public struct Iterator: AsyncIteratorProtocol {
    let sequence: FrameSequence
    private var run: FrameRun?

    init(sequence: FrameSequence) { self.sequence = sequence }

    /// The next frame, or `nil` after the last.
    public mutating func next() async throws(CompositorError) -> RenderedFrame? {
      try await next(isolation: nil)
    }

    /// The next frame, or `nil` after the last.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CompositorError) -> RenderedFrame? {
      guard !sequence.range.isEmpty else { return nil }
      let run: FrameRun
      if let begun = self.run {
        run = begun
      } else {
        run = try FrameRun(
          sequence.plan, frames: sequence.range, settings: sequence.settings, delivery: sequence.delivery)
      }
      self.run = run
      return try await run.next()
    }
  }
}

extension ValidatedComposition {
  /// The frames of the composition, as an export to a movie would encode them if nothing else is asked for.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline whose frames are made: those that start inside. `nil` for all.
  ///   - format: The pixel format of the frames; `nil` for the one they are composed in.
  ///   - settings: How frames are made.
  /// - Throws: `.invalidComposition` if the frames cannot be counted. Rendering itself throws from the iteration.
  public func frames(
    in range: TimeRange? = nil, format: PixelFormat? = nil, settings: RenderSettings = RenderSettings()
  ) throws(CompositorError) -> FrameSequence {
    let plan = try RenderPlan(self)
    let delivery = format.map { DeliveryFormat(plan.format, as: $0) } ?? DeliveryFormat(plan.format)
    let frames = plan.frames(in: range ?? TimeRange(start: .zero, end: plan.duration))
    return FrameSequence(plan: plan, range: frames, settings: settings, delivery: delivery)
  }
}

extension ValidatedComposition {
  /// The mixed audio of the composition, or `nil` if nothing plays. It is read at the caller's pace: see ``AudioMixer/mix(_:into:)``.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples a second, 8000 … 384,000.
  ///   - channelCount: Channels, 1 … 8.
  ///   - start: Composition time of the first sample.
  ///   - damaged: What happens if audio that plays is missing from a source. Default fail.
  public func audio(
    sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero, damaged: DamagePolicy = .fail
  ) -> AudioMixer? {
    guard hasAudio else { return nil }
    return AudioMixer(
      edit.composition, mix: edit.audioMix, sources: catalog, sampleRate: sampleRate, channelCount: channelCount, start: start,
      damaged: damaged, processors: registry)
  }
}

extension ValidatedComposition {
  /// The mixed audio of chosen tracks, for a movie with several audio tracks: one mixer for each. Mixers share nothing but the
  /// catalog; each is read at its own pace, on any thread.
  ///
  /// ```swift
  /// let english = try composition.audio(tracks: [dialogueEN, music])
  /// let german = try composition.audio(tracks: [dialogueDE, music])
  /// ```
  ///
  /// - Parameters:
  ///   - tracks: Audio tracks of the composition. Disabled ones are mixed too: being disabled only takes them out of the mix of all,
  ///     and out of validation.
  ///   - sampleRate: Samples a second, 8000 … 384,000.
  ///   - channelCount: Channels, 1 … 8.
  ///   - start: Composition time of the first sample.
  ///   - damaged: What happens if audio that plays is missing from a source. Default fail.
  /// - Throws: `.invalidTrackID` for a track that is not an audio track of the composition.
  public func audio(
    tracks: Set<TrackID>, sampleRate: Int = 48_000, channelCount: Int = 2, start: MediaTime = .zero,
    damaged: DamagePolicy = .fail
  ) throws(CompositorError) -> AudioMixer {
    let known = edit.composition.tracks(.audio).map(\.trackID)
    if let unknown = tracks.subtracting(known).min() {
      throw CompositorError(
        .invalidTrackID, "The composition has no audio track \(unknown).",
        recoverySuggestion: known.isEmpty
          ? "It has no audio." : "Use one of \(known.map(\.description).joined(separator: ", ")).",
        at: ErrorLocation(track: unknown))
    }
    return AudioMixer(
      edit.composition, tracks: tracks, mix: edit.audioMix, sources: catalog, sampleRate: sampleRate,
      channelCount: channelCount, start: start, damaged: damaged, processors: registry)
  }
}
