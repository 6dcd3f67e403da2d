public import CompositorAPI
public import CompositorAudio
public import CompositorMediaIO
public import CompositorValidation

/// A composed frame and its position in the timeline.
public struct RenderedFrame: Sendable {
  /// The index of the frame in the whole timeline, from 0.
  public let index: Int
  /// The composition time at which it starts.
  public let time: MediaTime
  /// The duration of the frame.
  public let duration: MediaTime
  /// The frame, titles included, in the delivery format.
  public let frame: Frame
  /// The view that ``frame`` is for: mono, or in stereo the left eye.
  public internal(set) var view = StereoView.mono
  /// The frames of the other views; empty in mono.
  public internal(set) var otherViews: [StereoView: Frame] = [:]

  /// The frame of a view; in mono, that of both eyes.
  public func frame(for view: StereoView) -> Frame? {
    self.view == view || self.view == .mono ? frame : otherViews[view]
  }

  /// The same frame at another position in the timeline.
  package func moved(to index: Int, time: MediaTime, duration: MediaTime) -> RenderedFrame {
    RenderedFrame(index: index, time: time, duration: duration, frame: frame, view: view, otherViews: otherViews)
  }
}

/// The frames of a composition, in order. Like an export, it makes several frames ahead of the reader at a time, with decoders
/// on separate threads.
///
/// A sequence may be iterated any number of times; each iteration renders again. Rendering pauses while
/// ``RenderSettings/framesInFlight`` frames are ready and not taken. If the loop is exited or its task is canceled, rendering
/// stops and its decoders are closed.
///
/// ```swift
/// for try await rendered in try composition.frames() {
///   rendered.frame.withUnsafePlanes { planes in send(planes) }
/// }
/// ```
///
/// Frames come from a pool: keep at most 64 of them at a time, or copy those that must live longer.
public struct FrameSequence: AsyncSequence, Sendable {
  /// A frame with its time.
  public typealias Element = RenderedFrame
  /// The first error in timeline order; `.cancelled` if the task was canceled.
  public typealias Failure = CompositorError

  package let plan: RenderPlan
  let range: Range<Int>
  let settings: RenderSettings
  let delivery: DeliveryFormat

  /// The number of frames.
  public var count: Int { range.count }
  /// The frame size in pixels.
  public var size: PixelSize { plan.format.frameSize }
  /// The pixel format of the frames.
  public var format: PixelFormat { delivery.pixelFormat }
  /// The color, pixel aspect ratio, alpha mode and HDR metadata of the frames.
  public var attributes: FrameAttributes { delivery.attributes }
  /// The composition time of the first frame.
  public var start: MediaTime { plan.schedule.time(ofFrame: range.lowerBound) }

  /// Starts an iteration. Nothing is opened before the first frame is requested.
  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

  /// An iteration over the frames.
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
  /// The frames of the composition as they are composed, with its constant frame duration. An export may compose them in another
  /// bit depth, for its codec, and at other times, those of the sources.
  ///
  /// - Parameters:
  ///   - range: The part of the timeline; frames that start inside are made. `nil` for all.
  ///   - format: The pixel format of the frames; `nil` for the format in which they are composed.
  ///   - settings: The render settings.
  /// - Throws: `.invalidComposition` if the frames cannot be counted. Rendering errors are thrown by the iteration.
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
  /// The mixed audio of the composition, or `nil` if it has none. It is read at the caller's pace: see
  /// `AudioMixer.mix(_:into:)`.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in hertz, 8000 … 384,000.
  ///   - channelCount: The number of channels, 1 … 8.
  ///   - start: The composition time of the first sample.
  ///   - damaged: How audio that is missing from a source is handled. Default fail.
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
  /// The mixed audio of selected tracks, for a movie with several audio tracks: one mixer for each. Mixers share only the
  /// catalog; each is read at its own pace, on any thread.
  ///
  /// ```swift
  /// let english = try composition.audio(tracks: [dialogueEN, music])
  /// let german = try composition.audio(tracks: [dialogueDE, music])
  /// ```
  ///
  /// - Parameters:
  ///   - tracks: Audio tracks of the composition. Disabled ones are mixed too, because disabling a track only excludes it from
  ///     the default mix and from validation.
  ///   - sampleRate: The sample rate in hertz, 8000 … 384,000.
  ///   - channelCount: The number of channels, 1 … 8.
  ///   - start: The composition time of the first sample.
  ///   - damaged: How audio that is missing from a source is handled. Default fail.
  /// - Throws: `.invalidTrackID` if a track isn't an audio track of the composition.
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
