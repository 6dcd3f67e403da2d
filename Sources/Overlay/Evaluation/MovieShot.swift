package import CompositorAPI

/// A movie at a given time, as used by a tree.
package struct MovieShot: Hashable, Sendable {
  /// The layer's movie.
  package let content: MovieContent
  /// The layer's own time, in seconds.
  package let time: Double
}

/// A decoded frame of a movie, with the properties needed to place it. Frames are equal if they share the same memory.
package struct MovieFrame: Hashable, Sendable {
  /// The frame.
  package let frame: Frame
  /// The orientation that the media asks for.
  package let preferredTransform: AffineMatrix
  /// Distinguishes movies while their layer is divided; see ``MoviePlate``. Not part of its identity.
  var number = 0

  package init(_ frame: Frame, preferredTransform: AffineMatrix) {
    (self.frame, self.preferredTransform) = (frame, preferredTransform)
  }

  package static func == (left: MovieFrame, right: MovieFrame) -> Bool {
    left.frame.isSameMemory(as: right.frame) && left.frame.attributes == right.frame.attributes
      && left.preferredTransform == right.preferredTransform
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(frame.memoryID) }

  /// Its size and orientation.
  package var shape: SourcePlacement {
    SourcePlacement(
      size: frame.size, pixelAspectRatio: frame.attributes.pixelAspectRatio, preferredTransform: preferredTransform)
  }
}

/// The state of a movie layer: first a time, then the frame found for it.
///
/// Indirect, because a tree may have a hundred thousand nodes.
package indirect enum MovieState: Hashable, Sendable {
  /// Not a movie layer, or a movie without a frame at the time.
  case nothing
  /// The frame at a given time of the layer, in seconds.
  case at(Double)
  /// A frame.
  case frame(MovieFrame)
  /// Any frame of a size and orientation, as a plate depends on it.
  case shape(SourcePlacement)

  /// The frame, if it is known.
  var frame: MovieFrame? { if case .frame(let frame) = self { frame } else { nil } }
}

/// Converts frames of movies to images: rotates them upright, scales them, and converts their color by the same rules as
/// clips.
package protocol MovieConverter: Sendable {
  /// A movie's frame stretched over an image of packed R, G, B, A of 16 bits: premultiplied, upright, with square pixels.
  func picture(_ movie: MovieFrame, size: PixelSize, color: ColorTags) throws(CompositorError) -> Frame

  /// A movie's frame as a clip of a track would appear on a canvas, in the format and color of composed frames.
  ///
  /// - Parameter matrix: From the upright frame, in its display pixels, to the canvas.
  func placed(_ movie: MovieFrame, on canvas: PixelSize, _ matrix: AffineMatrix) throws(CompositorError) -> Frame
}

extension PresentationTree {
  /// The movie frames that the tree needs, without duplicates.
  package var movieShots: [MovieShot] {
    guard needsMovies else { return [] }
    var shots: [MovieShot] = []
    node.forEachMovie { content, state in
      guard case .at(let time) = state else { return }
      let shot = MovieShot(content: content, time: time)
      if !shots.contains(shot) { shots.append(shot) }
    }
    return shots
  }

  /// The tree with the frames found for its shots; a movie without a frame shows nothing.
  package func showing(_ frames: [MovieShot: MovieFrame]) -> PresentationTree {
    guard needsMovies else { return self }
    var result = self
    result.node.resolveMovies(frames)
    return result
  }
}

extension PresentationNode {
  private var movieContent: MovieContent? { if case .movie(let content) = layer.content { content } else { nil } }

  /// Whether it, its mask or a sublayer shows a movie.
  var showsMovie: Bool {
    movieContent != nil || mask?.showsMovie == true || children.contains(where: \.showsMovie)
  }

  fileprivate func forEachMovie(_ body: (MovieContent, MovieState) -> Void) {
    if let movieContent { body(movieContent, movie) }
    mask?.forEachMovie(body)
    for child in children { child.forEachMovie(body) }
  }

  fileprivate mutating func resolveMovies(_ frames: [MovieShot: MovieFrame]) {
    if let content = movieContent, case .at(let time) = movie {
      movie = frames[MovieShot(content: content, time: time)].map(MovieState.frame) ?? .nothing
    }
    mask?.resolveMovies(frames)
    for index in children.indices { children[index].resolveMovies(frames) }
  }
}

extension Layer {
  /// The movie that it shows.
  package var movie: MovieContent? { if case .movie(let movie) = content { movie } else { nil } }
}

extension Layer {
  /// Whether a layer of the tree shows a movie.
  package var showsMovies: Bool { contains { $0.movie != nil } }
}
