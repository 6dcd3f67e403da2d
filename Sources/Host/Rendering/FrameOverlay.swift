public import CompositorAPI
import CompositorOverlay
import CompositorValidation
import Synchronization

/// The overlays of a render, in drawing order.
struct OverlayStack {
  private let overlays: [any FrameOverlay]
  /// The edit's titles if they show movies, whose frames must be read before drawing.
  private let movieTitles: TitleOverlay?

  /// Creates a stack of the edit's titles and captions, followed by the caller's own overlays.
  ///
  /// - Throws: `.resourceExhausted`.
  init(_ composition: ValidatedComposition, _ settings: RenderSettings) throws(CompositorError) {
    var titles: TitleOverlay?
    if let resolved = composition.titles { titles = try TitleOverlay(resolved) }
    let captions = composition.captions.map { captions -> any FrameOverlay in
      switch captions {
      case .cues(let layout): CaptionOverlay(layout)
      case .script(let script): ScriptOverlay(script)
      }
    }
    overlays = (titles.map { [$0] } ?? []) + captions + settings.overlays
    movieTitles = titles.flatMap { $0.movies.isEmpty ? nil : $0 }
  }

  /// Whether movies must be read to draw the overlays.
  var hasMovies: Bool { movieTitles != nil }

  /// The appearance of the edit's titles at a given time, with the movie frames they need; `nil` if they never show movies.
  func movieScene(at time: MediaTime) throws(CompositorError) -> MovieScene? {
    guard let movieTitles else { return nil }
    let tree = try movieTitles.appearance(at: time)
    return MovieScene(titles: movieTitles, tree: tree, requests: tree.map(movieTitles.movieRequests) ?? [])
  }

  /// Whether nothing is ever drawn.
  var isEmpty: Bool { overlays.isEmpty }

  /// The appearances of the overlays at a given time, which are evaluated lazily.
  ///
  /// - Parameter scene: The appearance of the edit's titles, with the movie frames that were read.
  func appearances(at time: MediaTime, scene: MovieScene?) -> OverlayAppearances {
    OverlayAppearances(overlays, at: time, scene: scene)
  }
}

/// The appearance of an edit's titles at one time, with its movie frames.
struct MovieScene: Sendable {
  let titles: TitleOverlay
  var tree: PresentationTree?
  let requests: [MovieRequest]

  /// The scene with the frames that were read.
  func showing(_ frames: [MovieShot: MovieFrame]) -> MovieScene {
    var result = self
    result.tree = tree?.showing(frames)
    return result
  }
}

/// The appearances of all overlays at the time of one frame. They are evaluated once, on first use: on the thread that composes
/// the frame, unless the frame may be equal to the previous one.
final class OverlayAppearances: Sendable {
  private let overlays: [any FrameOverlay]
  private let time: MediaTime
  /// The appearance of the first overlay, if it is known.
  private let scene: MovieScene?
  private let known = Mutex<Result<[any VisibleOverlay], CompositorError>?>(nil)

  init(_ overlays: [any FrameOverlay], at time: MediaTime, scene: MovieScene?) {
    (self.overlays, self.time, self.scene) = (overlays, time, scene)
  }

  private func visible() throws(CompositorError) -> [any VisibleOverlay] {
    let found = known.withLock { known in
      if let known { return known }
      let found = Result { () throws(CompositorError) in
        var visible: [any VisibleOverlay] = []
        for (place, overlay) in overlays.enumerated() {
          if place == 0, let scene {
            if let tree = scene.tree { visible.append(Visible(overlay: scene.titles, appearance: tree, place: place)) }
            continue
          }
          if let found = try overlay.visible(at: time, place: place) { visible.append(found) }
        }
        return visible
      }
      known = found
      return found
    }
    return try found.get()
  }

  /// Whether the same is drawn at the time of another frame. Appearances that fail to evaluate differ, so that drawing reports
  /// the error.
  func isSame(as other: OverlayAppearances) -> Bool {
    guard let mine = try? visible(), let others = try? other.visible() else { return false }
    return mine.count == others.count && zip(mine, others).allSatisfy { $0.isSame(as: $1) }
  }

  /// Draws all visible overlays over the frame. The frame is modified in place if it isn't shared.
  func draw(over frame: consuming Frame, context: RenderContext) throws(CompositorError) -> Frame {
    // Consumed each time, because a second reference would force a copy.
    var drawn = consume frame
    for overlay in try visible() {
      if !drawn.isInHostMemory { drawn = try drawn.downloaded(for: "titles", pool: context.pool) }
      drawn = try overlay.draw(over: consume drawn, context: context)
    }
    return drawn
  }
}

/// An overlay with its appearance at one time.
private protocol VisibleOverlay: Sendable {
  func isSame(as other: any VisibleOverlay) -> Bool
  func draw(over frame: consuming Frame, context: RenderContext) throws(CompositorError) -> Frame
}

private struct Visible<Overlay: FrameOverlay>: VisibleOverlay {
  let overlay: Overlay
  let appearance: Overlay.Appearance
  /// The position in the stack, from 0.
  let place: Int

  func isSame(as other: any VisibleOverlay) -> Bool {
    guard let other = other as? Visible<Overlay> else { return false }
    return place == other.place && appearance == other.appearance
  }

  func draw(over frame: consuming Frame, context: RenderContext) throws(CompositorError) -> Frame {
    do {
      return try overlay.draw(appearance, over: frame, context: context)
    } catch {
      throw CompositorError(drawing: error)
    }
  }
}

extension FrameOverlay {
  fileprivate func visible(at time: MediaTime, place: Int) throws(CompositorError) -> (any VisibleOverlay)? {
    do {
      return try appearance(at: time).map { Visible(overlay: self, appearance: $0, place: place) }
    } catch {
      throw CompositorError(drawing: error)
    }
  }
}

extension CompositorError {
  /// Wraps any error of an overlay in a `CompositorError`.
  fileprivate init(drawing error: any Error) {
    self =
      error as? CompositorError
      ?? CompositorError(.compositorFailed, "The titles could not be drawn.", cause: String(describing: error))
  }
}

/// An overlay that is drawn over composed frames, such as titles, a burned-in timecode or a logo.
///
/// The appearance at a given time (``appearance(at:)``) is evaluated once for each frame and drawn (``draw(_:over:context:)``)
/// after the compositor, in the frame's own format, for instructions that enable post-processing. Both may be called on any
/// thread and for several frames at a time, and must depend only on their arguments.
///
/// ```swift
/// struct Clock: FrameOverlay {
///   func appearance(at time: MediaTime) -> Int? { Int(time.seconds) }
///   func draw(_ second: Int, over frame: consuming Frame, context: RenderContext) throws -> Frame {
///     try stamp(frame, with: "\(second) s", pool: context.pool)
///   }
/// }
/// ```
public protocol FrameOverlay: Sendable {
  /// The appearance at one time. Equal appearances draw the same over the same frame.
  associatedtype Appearance: Equatable & Sendable

  /// The appearance at a composition time; `nil` if nothing is drawn. A frame without overlays isn't copied, and a frame with
  /// the same sources and appearance as the previous one isn't made again.
  func appearance(at time: MediaTime) throws -> Appearance?

  /// Draws an appearance over a frame, and returns a frame of the same size, format and attributes. It may modify the frame in
  /// place if it isn't shared.
  func draw(_ appearance: Appearance, over frame: consuming Frame, context: RenderContext) throws -> Frame
}
