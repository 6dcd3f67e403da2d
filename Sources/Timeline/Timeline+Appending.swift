public import CompositorAPI

extension Timeline {
  /// Puts a clip after the last one of a track.
  ///
  /// ```swift
  /// var movie = Timeline()
  /// movie.append("church.mov", from: .seconds(2), for: .seconds(5))
  /// movie.append("dance.mp4", transition: .dissolve(.seconds(1)))
  /// ```
  ///
  /// - Parameters:
  ///   - source: The media; a string literal is a path.
  ///   - start: The media time it starts with; `nil` for its beginning.
  ///   - duration: How long it takes on the timeline; `nil` for all that the media has from `start` on. A still needs one.
  ///   - transition: How the clip before it gives way to it, overlapping it; the audio is cross-faded along. `nil` is a cut.
  ///   - track: Which track, from 0; tracks up to it are added.
  ///   - change: Changes the clip before it is put there: speed, fit, opacity, placement, volume, effects.
  public mutating func append(
    _ source: MediaSource, from start: MediaTime? = nil, for duration: MediaTime? = nil, transition: Transition? = nil,
    track: Int = 0, _ change: (inout TimelineClip) -> Void = { _ in }
  ) {
    while tracks.count <= track { tracks.append(TimelineTrack(clips: [])) }
    var clip = TimelineClip(source, sourceStart: start, duration: duration, transition: transition)
    change(&clip)
    tracks[track].clips.append(clip)
  }

  /// Lays a ready-made title over everything that is there.
  ///
  /// ```swift
  /// movie.overlay(.lowerThird("Ada Lovelace", role: "Mathematician"), at: .seconds(0.5), for: .seconds(4))
  /// ```
  ///
  /// - Parameters:
  ///   - start: When it appears.
  ///   - duration: How long it is shown; `nil` until the timeline ends.
  ///   - style: Font, colors, position.
  public mutating func overlay(
    _ title: TitleTemplate, at start: MediaTime = .zero, for duration: MediaTime? = nil, style: TitleStyle = TitleStyle()
  ) {
    titles.append(TimelineTitle(title, style: style, start: start, duration: duration))
  }

  /// Lays a layer tree over everything that is there, in pixels of the canvas. Its time counts from `start`, in seconds.
  ///
  /// - Parameters:
  ///   - start: When it appears.
  ///   - duration: How long it is shown; `nil` until the timeline ends.
  public mutating func overlay(_ layer: Layer, at start: MediaTime = .zero, for duration: MediaTime? = nil) {
    titles.append(TimelineTitle(layer, start: start, duration: duration))
  }
}

extension Transition {
  /// A dissolve: the new frame is mixed in as the old one goes.
  ///
  /// - Parameter easing: How its progress is eased.
  public static func dissolve(_ duration: MediaTime, easing: Easing = .linear) -> Transition {
    Transition(.dissolve, duration: duration, easing: easing)
  }

  /// A push: the new frame pushes the old one out of the canvas.
  ///
  /// - Parameters:
  ///   - direction: Where the frames move to.
  ///   - easing: How its progress is eased.
  public static func push(_ direction: Direction, _ duration: MediaTime, easing: Easing = .linear) -> Transition {
    Transition(.push(direction), duration: duration, easing: easing)
  }

  /// A transition by the name that projects use (``Timeline/transitionNames``): `wipe-left`, `iris-circle`, `dip-to-white`.
  ///
  /// - Throws: `.invalidValue` for a name that doesn't exist; the recovery suggestion names the nearest.
  public static func named(_ name: String, _ duration: MediaTime) throws(CompositorError) -> Transition {
    guard let kind = TransitionName.kind(name) else {
      throw CompositorError(
        .invalidValue, "There is no transition \(quoted(name)).",
        recoverySuggestion: recoverySuggestion(for: name, among: TransitionName.all))
    }
    return Transition(kind, duration: duration)
  }
}
