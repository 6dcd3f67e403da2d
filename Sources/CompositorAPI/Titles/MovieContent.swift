/// Moving images in a layer: a video, an animation, a title tree or anything else that a track can show.
///
/// What shows is a pure function of the layer's own time: at 0 the frame at ``from``, and from there on as the asset plays. So
/// ``LayerTiming`` starts, repeats, reverses and slows it down, a replicator's delay shifts each copy, and any frame can be asked for in
/// any order. Before the first frame of the stretch that plays its first frame shows, after the last frame its last; a layer that should
/// be gone then has a ``LayerTiming/duration``.
///
/// The frame at a time is the last one that starts no later, as on a track. Times of layers are binary fractions of seconds, so that a
/// frame counts as started up to a microsecond early. Audio of the asset isn't played: put it on a track.
///
/// ```swift
/// var card = Layer(frame: Rect(x: 80, y: 80, width: 480, height: 270), content: .movie(MovieContent("dance", loops: true)))
/// (card.cornerRadius, card.masksToBounds) = (24, true)
/// ```
public struct MovieContent: Hashable, Sendable {
  /// The asset: a key of ``Titles/images``.
  public var asset = ""
  /// The media time of the layer's time 0, in seconds; `nil`, the default, is the first frame's.
  public var from: Double?
  /// The length of the stretch that plays, in seconds of the media, > 0; `nil`, the default, is all that the media has from there.
  public var duration: Double?
  /// Whether it starts again at its end. Default false: the last frame is held.
  public var loops = false
  /// Which of the asset's video tracks, from 0.
  public var videoTrack = 0
  /// How the upright video fills the bounds.
  public var gravity = ContentGravity.resize
  /// The part of the upright video that is shown, in fractions of its sides.
  public var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1)

  /// A movie that fills the bounds.
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

  /// Reads a movie; missing keys but `asset` have their defaults.
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
  /// Its place in the layer, as that of an image.
  package var placement: ImageContent {
    var image = ImageContent("", gravity: gravity)
    image.contentsRect = contentsRect
    return image
  }

  /// Whether every number can be used.
  package var isSound: Bool {
    (from ?? 0).isFinite && abs(from ?? 0) < 1e9 && (duration.map { $0 > 0 && $0 < 1e9 } ?? true) && videoTrack >= 0
      && [contentsRect.minX, contentsRect.minY, contentsRect.maxX, contentsRect.maxY].allSatisfy(\.isFinite)
  }
}

/// The titles of an edit: layer trees that are drawn over its composed frames, in movie time.
///
/// Each frame is composed first; titles are then drawn in its own format and color, inside their bounds only. Instructions that disable
/// post-processing show none.
///
/// ```swift
/// var edit = try timeline.edit(catalog: catalog)
/// let magic = TitleTemplate.title("Magic").layer(canvas: edit.videoComposition.renderSize, start: .zero, duration: .seconds(5))
/// edit.titles.layers.append(magic)
/// ```
public struct Titles: Hashable, Sendable, Codable {
  /// Layers, back to front. Their parent is the canvas (``VideoComposition/renderSize``); their time is the
  /// composition's, in seconds.
  public var layers: [Layer]
  /// Font files available beside the system's, by path.
  public var fonts: [String]
  /// Sources of what image and movie layers show, by the name that they use. An image layer shows the first frame of a movie.
  public var images: [String: MediaSource]

  /// Makes titles; by default none.
  public init(layers: [Layer] = [], fonts: [String] = [], images: [String: MediaSource] = [:]) {
    self.layers = layers
    self.fonts = fonts
    self.images = images
  }

  /// Whether nothing is ever drawn.
  public var isEmpty: Bool { layers.isEmpty }

  /// The key path of a layer in an edit.
  package static func path(ofLayer index: Int) -> String { "titles.layers[\(index)]" }

  /// The layer that a key path in an edit leads to or into, and what follows; `nil` for other paths.
  package static func layerIndex(inPath path: String) -> (index: Int, rest: Substring)? {
    let prefix = "titles.layers["
    guard path.hasPrefix(prefix), let end = path.firstIndex(of: "]"),
      let index = Int(path[path.index(path.startIndex, offsetBy: prefix.count)..<end])
    else { return nil }
    return (index, path[path.index(after: end)...])
  }
}
