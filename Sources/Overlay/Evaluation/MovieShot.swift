package import CompositorAPI

/// A moment of a movie that a tree shows.
package struct MovieShot: Hashable, Sendable {
  /// What the layer says.
  package let content: MovieContent
  /// The layer's own time, in seconds.
  package let time: Double
}

/// A frame of a movie as it was decoded, with what placing it takes. Two are equal if they are the same memory.
package struct MovieFrame: Hashable, Sendable {
  /// The frame.
  package let frame: Frame
  /// The orientation that the media asks for.
  package let preferredTransform: AffineMatrix
  /// Tells movies apart while their layer is divided; see ``MoviePlate``. Not part of its identity.
  var number = 0

  package init(_ frame: Frame, preferredTransform: AffineMatrix) {
    (self.frame, self.preferredTransform) = (frame, preferredTransform)
  }

  package static func == (left: MovieFrame, right: MovieFrame) -> Bool {
    left.frame.isSameMemory(as: right.frame) && left.frame.attributes == right.frame.attributes
      && left.preferredTransform == right.preferredTransform
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(frame.memoryID) }

  /// Its shape.
  package var shape: SourcePlacement {
    SourcePlacement(
      size: frame.size, pixelAspectRatio: frame.attributes.pixelAspectRatio, preferredTransform: preferredTransform)
  }
}

/// What a movie layer shows: first a time, then the frame that was found for it.
///
/// Kept apart from the node, of which a tree may have a hundred thousand.
package indirect enum MovieState: Hashable, Sendable {
  /// Nothing: another kind of layer, or a movie without a frame there.
  case nothing
  /// The frame at a time of the layer, in seconds.
  case at(Double)
  /// A frame.
  case frame(MovieFrame)
  /// Any frame of a shape: what a plate depends on.
  case shape(SourcePlacement)

  /// The frame, once it is found.
  var frame: MovieFrame? { if case .frame(let frame) = self { frame } else { nil } }
}

/// Makes pictures of the frames of movies: turns them upright, scales them, and converts their color by the rules in use for clips.
package protocol MovieConverter: Sendable {
  /// A movie's frame stretched over a picture of packed R, G, B, A of 16 bits, premultiplied, upright, in square pixels.
  func picture(_ movie: MovieFrame, size: PixelSize, color: ColorTags) throws(CompositorError) -> Frame

  /// A movie's frame as a clip of a track shows it on a canvas in the format and color of composed frames.
  ///
  /// - Parameter matrix: From the upright frame, in its display pixels, to the canvas.
  func placed(_ movie: MovieFrame, on canvas: PixelSize, _ matrix: AffineMatrix) throws(CompositorError) -> Frame
}

extension PresentationTree {
  /// The moments of movies that the tree shows, each once.
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

  /// The tree with the frames that were found for its shots; a movie without one shows nothing.
  package func showing(_ frames: [MovieShot: MovieFrame]) -> PresentationTree {
    guard needsMovies else { return self }
    var result = self
    result.node.resolveMovies(frames)
    return result
  }
}

extension PresentationNode {
  private var movieContent: MovieContent? { if case .movie(let content) = layer.content { content } else { nil } }

  /// Whether it, its mask or a layer above it shows a movie.
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
