/// A movie in a layer: a video, an animation, a title tree or anything else that a track can show.
///
/// What it shows is a pure function of the layer's own time: the frame at ``from`` at time 0, and from there on as the asset
/// plays. ``LayerTiming`` therefore starts, repeats, reverses and slows it, a replicator's delay offsets each copy, and frames
/// may be requested in any order. Before the stretch that plays, its first frame is shown, and after it its last. Set
/// ``LayerTiming/duration`` to hide the layer then.
///
/// The frame at a given time is the last one that starts no later, as on a track. Times in media may be rounded, so a frame is
/// considered started up to a microsecond early. Audio of the asset isn't played; put it on a track.
///
/// ```swift
/// var card = Layer(frame: Rect(x: 80, y: 80, width: 480, height: 270), content: .movie(MovieContent("dance", loops: true)))
/// (card.cornerRadius, card.masksToBounds) = (24, true)
/// ```
public struct MovieContent: Hashable, Sendable {
  /// The key of the asset in ``Titles/images``.
  public var asset = ""
  /// The media time at the layer's time 0, in seconds; `nil`, the default, for that of the first frame.
  public var from: Double?
  /// The length of media to play, in seconds, > 0; `nil`, the default, for the rest.
  public var duration: Double?
  /// Whether the movie starts over at its end. Default `false`: the last frame is held.
  public var loops = false
  /// The index of the video track in the asset, from 0.
  public var videoTrack = 0
  /// How the upright video fills the bounds.
  public var gravity = ContentGravity.resize
  /// The part of the upright video that is shown, in fractions of its sides.
  public var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1)

  /// Creates a movie that fills the bounds.
  public init(
    _ asset: String = "", from: Double? = nil, duration: Double? = nil, loops: Bool = false, gravity: ContentGravity = .resize
  ) {
    (self.asset, self.from, self.duration, self.loops, self.gravity) = (asset, from, duration, loops, gravity)
  }
}

extension MovieContent: Codable {
  private enum CodingKeys: String, CodingKey {
    case asset, from, duration, loops = "loop", videoTrack, gravity, contentsRect
  }

  /// Decodes a movie. Missing keys except `asset` have their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    guard let asset = try values.decodeIfPresent(String.self, forKey: .asset), !asset.isEmpty else {
      throw CompositorError(.invalidValue, "A movie layer names no asset.", recoverySuggestion: "Give it an \"asset\".")
    }
    self.asset = asset
    from = try values.decodeIfPresent(Double.self, forKey: .from)
    duration = try values.decodeIfPresent(Double.self, forKey: .duration)
    loops = try values.read(.loops, or: loops)
    videoTrack = try values.read(.videoTrack, or: videoTrack)
    gravity = try values.read(.gravity, or: gravity)
    contentsRect = try values.decodeIfPresent(RectNotation.self, forKey: .contentsRect)?.rect ?? contentsRect
  }
}

extension MovieContent {
  /// The placement in the layer, as that of an image.
  package var placement: ImageContent {
    var image = ImageContent("", gravity: gravity)
    image.contentsRect = contentsRect
    return image
  }

  /// Whether all numbers are valid.
  package var isSound: Bool {
    (from ?? 0).isFinite && abs(from ?? 0) < 1e9 && (duration.map { $0 > 0 && $0 < 1e9 } ?? true) && videoTrack >= 0
      && [contentsRect.minX, contentsRect.minY, contentsRect.maxX, contentsRect.maxY].allSatisfy(\.isFinite)
  }
}

/// The titles of an edit: layer trees that are drawn over its composed frames, in movie time.
///
/// Titles are drawn in the format and color of the composed frame, and only within their bounds. Instructions that disable
/// post-processing show none.
///
/// ```swift
/// var edit = try timeline.edit(catalog: catalog)
/// let magic = TitleTemplate.title("Magic").layer(canvas: edit.videoComposition.renderSize, start: .zero, duration: .seconds(5))
/// edit.titles.layers.append(magic)
/// ```
public struct Titles: Hashable, Sendable, Codable {
  /// The layers, back to front. Their parent is the canvas (``VideoComposition/renderSize``); their time is that of the
  /// composition, in seconds.
  public var layers: [Layer]
  /// Paths of font files to use in addition to the system's.
  public var fonts: [String]
  /// The sources of image and movie layers, by the name that the layers use. An image layer shows the first frame of a movie.
  public var images: [String: MediaSource]

  /// Creates titles.
  public init(layers: [Layer] = [], fonts: [String] = [], images: [String: MediaSource] = [:]) {
    self.layers = layers
    self.fonts = fonts
    self.images = images
  }

  /// Whether there are no layers.
  public var isEmpty: Bool { layers.isEmpty }

  /// The key path of a layer in an edit.
  package static func path(ofLayer index: Int) -> String { "titles.layers[\(index)]" }

  /// The layer that a key path in an edit refers to or into, and the rest of the path; `nil` for other paths.
  package static func layerIndex(inPath path: String) -> (index: Int, rest: DocumentPath)? {
    let steps = DocumentPath(path)
    guard steps.key(at: 0) == "titles", let index = steps.index(of: "layers", at: 1) else { return nil }
    return (index, steps.dropFirst(3))
  }
}
