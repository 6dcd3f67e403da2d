public import CompositorAPI

extension Timeline {
  /// Adds a clip after the last one of a track.
  ///
  /// ```swift
  /// var movie = Timeline()
  /// movie.append("church.mov", from: .seconds(2), for: .seconds(5))
  /// movie.append("dance.mp4", transition: .dissolve(.seconds(1)))
  /// ```
  ///
  /// - Parameters:
  ///   - source: The media. A string literal is a path.
  ///   - start: The media time to start at; `nil` for its beginning.
  ///   - duration: The duration on the timeline; `nil` for all media from `start` on. A still requires a duration.
  ///   - transition: The transition from the previous clip, which overlaps it; its audio is cross-faded. `nil` for a cut.
  ///   - track: The index of the track, from 0. Missing tracks up to it are added.
  ///   - change: Changes the clip before it is added: speed, fit, opacity, placement, volume, effects.
  public mutating func append(
    _ source: MediaSource, from start: MediaTime? = nil, for duration: MediaTime? = nil, transition: Transition? = nil,
    track: Int = 0, _ change: (inout TimelineClip) -> Void = { _ in }
  ) {
    while tracks.count <= track { tracks.append(TimelineTrack(clips: [])) }
    var clip = TimelineClip(source, sourceStart: start, duration: duration, transition: transition)
    change(&clip)
    tracks[track].clips.append(clip)
  }

  /// Adds a template title on top of all existing titles.
  ///
  /// ```swift
  /// movie.overlay(.lowerThird("Ada Lovelace", role: "Mathematician"), at: .seconds(0.5), for: .seconds(4))
  /// ```
  ///
  /// - Parameters:
  ///   - start: The time at which it appears.
  ///   - duration: How long it is shown; `nil` for until the timeline ends.
  ///   - style: Font, colors and position.
  public mutating func overlay(
    _ title: TitleTemplate, at start: MediaTime = .zero, for duration: MediaTime? = nil, style: TitleStyle = TitleStyle()
  ) {
    titles.append(TimelineTitle(title, style: style, start: start, duration: duration))
  }

  /// Adds a layer tree, in pixels of the canvas, on top of all existing titles. Its time is relative to `start`, in seconds.
  ///
  /// - Parameters:
  ///   - start: The time at which it appears.
  ///   - duration: How long it is shown; `nil` for until the timeline ends.
  public mutating func overlay(_ layer: Layer, at start: MediaTime = .zero, for duration: MediaTime? = nil) {
    titles.append(TimelineTitle(layer, start: start, duration: duration))
  }
}

extension Transition {
  /// A dissolve: the new frame fades in as the old one fades out.
  ///
  /// - Parameter easing: The easing of its progress.
  public static func dissolve(_ duration: MediaTime, easing: Easing = .linear) -> Transition {
    Transition(.dissolve, duration: duration, easing: easing)
  }

  /// A transition by a compositor of your own, which receives the old clip's frame first, then the new one's, both at
  /// opacity 1, and the request's `progress`.
  ///
  /// - Parameters:
  ///   - id: The compositor's identifier; register its type in the registry of the export.
  ///   - duration: The time during which both clips play, > 0.
  ///   - parameters: Values of its parameters; absent ones have their defaults.
  public static func compositor(
    _ id: CompositorID, _ duration: MediaTime, parameters: ParameterValues = [:]
  ) -> Transition {
    Transition(.compositor(id, parameters), duration: duration)
  }

  /// A push: the new frame pushes the old one out of the canvas.
  ///
  /// - Parameters:
  ///   - direction: The direction in which the frames move.
  ///   - easing: The easing of its progress.
  public static func push(_ direction: Direction, _ duration: MediaTime, easing: Easing = .linear) -> Transition {
    Transition(.push(direction), duration: duration, easing: easing)
  }

  /// The transition with a name used in projects (``Timeline/transitionNames``): `wipe-left`, `iris-circle`, `dip-to-white`.
  ///
  /// - Throws: `.invalidValue` if the name doesn't exist; the recovery suggestion contains the nearest one.
  public static func named(_ name: String, _ duration: MediaTime) throws(CompositorError) -> Transition {
    guard let kind = TransitionName.kind(name) else {
      throw CompositorError(
        .invalidValue, "There is no transition \(quoted(name)).",
        recoverySuggestion: recoverySuggestion(for: name, among: TransitionName.all))
    }
    return Transition(kind, duration: duration)
  }
}
