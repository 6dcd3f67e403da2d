public import CompositorAPI
import CompositorOverlay
import Synchronization

/// What is drawn over the frames of a render, one thing after another.
struct OverlayStack {
  private let overlays: [any FrameOverlay]
  /// The edit's titles, if they show movies: these have to be read before anything can be drawn.
  private let movieTitles: TitleOverlay?

  /// The edit's titles and captions, then overlays of the caller's own.
  init(_ composition: ValidatedComposition, _ settings: RenderSettings) {
    overlays = (composition.titles.map { [$0] } ?? []) + composition.captions + settings.overlays
    movieTitles = composition.titles.flatMap { $0.movies.isEmpty ? nil : $0 }
  }

  /// Whether movies have to be read for what is drawn.
  var hasMovies: Bool { movieTitles != nil }

  /// What the edit's titles show at a time, and which frames of movies; nil if they show no movies at any time.
  func movieScene(at time: MediaTime) throws(CompositorError) -> MovieScene? {
    guard let movieTitles else { return nil }
    let tree = try movieTitles.appearance(at: time)
    return MovieScene(titles: movieTitles, tree: tree, requests: tree.map(movieTitles.movieRequests) ?? [])
  }

  /// Whether nothing is ever drawn.
  var isEmpty: Bool { overlays.isEmpty }

  /// What shows at a time; nothing is found out yet.
  ///
  /// - Parameter scene: What the edit's titles show, with the movies that were read.
  func appearances(at time: MediaTime, scene: MovieScene?) -> OverlayAppearances {
    OverlayAppearances(overlays, at: time, scene: scene)
  }
}

/// What an edit's titles show at one time, and the frames of movies in it.
struct MovieScene: Sendable {
  let titles: TitleOverlay
  var tree: PresentationTree?
  let requests: [MovieRequest]

  /// The same with the frames that were read.
  func showing(_ frames: [MovieShot: MovieFrame]) -> MovieScene {
    var result = self
    result.tree = tree?.showing(frames)
    return result
  }
}

/// What overlays show at the time of one frame: found out once, by whoever wants to know first. That is the thread that composes the
/// frame, unless the frame may be the same as the one before.
final class OverlayAppearances: Sendable {
  private let overlays: [any FrameOverlay]
  private let time: MediaTime
  /// What the first of them shows, if that is known already.
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

  /// Whether the same is drawn at the time of another frame. What cannot be evaluated differs, so that drawing it says why.
  func isSame(as other: OverlayAppearances) -> Bool {
    guard let mine = try? visible(), let others = try? other.visible() else { return false }
    return mine.count == others.count && zip(mine, others).allSatisfy { $0.isSame(as: $1) }
  }

  /// The frame with everything drawn over it that shows. A frame that nobody else holds is drawn into.
  func draw(over frame: consuming Frame, context: RenderContext) throws(CompositorError) -> Frame {
    // Consumed each time: a frame that is held here a second time would be copied.
    var drawn = consume frame
    for overlay in try visible() { drawn = try overlay.draw(over: consume drawn, context: context) }
    return drawn
  }
}

/// An overlay with what it shows at one time.
private protocol VisibleOverlay: Sendable {
  func isSame(as other: any VisibleOverlay) -> Bool
  func draw(over frame: consuming Frame, context: RenderContext) throws(CompositorError) -> Frame
}

private struct Visible<Overlay: FrameOverlay>: VisibleOverlay {
  let overlay: Overlay
  let appearance: Overlay.Appearance
  /// Position in the stack, from 0.
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
  /// What kept an overlay from being drawn, as an error of ours.
  fileprivate init(drawing error: any Error) {
    self =
      error as? CompositorError
      ?? CompositorError(.compositorFailed, "The titles could not be drawn.", cause: String(describing: error))
  }
}

/// Draws over composed frames: titles, burnt-in time codes, logos.
///
/// What shows at a time (``appearance(at:)``) is found out once for each frame, and drawn (``draw(_:over:context:)``) after the compositor, in
/// the frame's own format, for instructions that enable post-processing. Both may be called on any thread and for several frames at a time,
/// and depend on nothing but their arguments.
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
  /// What is drawn at one time. Equal appearances draw the same over the same frame.
  associatedtype Appearance: Equatable & Sendable

  /// What is drawn at a composition time; `nil` if nothing is. A frame over which nothing is drawn is not copied, and one whose sources and
  /// appearance are those of the frame before is not made again.
  func appearance(at time: MediaTime) throws -> Appearance?

  /// The frame with an appearance drawn over it: of the same size, format and attributes. A frame that nobody else holds may be drawn into.
  func draw(_ appearance: Appearance, over frame: consuming Frame, context: RenderContext) throws -> Frame
}
