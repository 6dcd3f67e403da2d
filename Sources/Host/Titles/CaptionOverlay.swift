public import CompositorAPI
import CompositorCaptions
public import CompositorOverlay
import Synchronization

/// Captions that are drawn over composed frames as title layers, in the frames' own format and color.
///
/// Only visible cues are evaluated, so the cost of a frame doesn't depend on the number of cues.
public final class CaptionOverlay: FrameOverlay {
  /// The visible cues, as indices in the order of their starts.
  public struct Appearance: Equatable, Sendable {
    let cues: [Int]
  }

  private let layout: CaptionLayout
  /// Recently shown captions, ready to be drawn; the latest at the end.
  private let scenes = Mutex<[(cues: [Int], overlay: TitleOverlay)]>([])

  /// Each frame in flight may show different captions.
  private static let sceneCount = 8

  /// Creates an overlay for a caption track, regardless of its presentation.
  ///
  /// - Parameters:
  ///   - canvas: The composition's render size.
  ///   - fonts: Loaded fonts; `nil` to load the system's.
  /// - Throws: `.invalidValue` if times or the style are out of range; `.fileNotFound` if a font is missing, or no font has
  ///   some characters.
  public convenience init(_ track: CaptionTrack, canvas: PixelSize, fonts: FontLibrary? = nil) throws(CompositorError) {
    try track.validate()
    let library: FontLibrary
    if let fonts { library = fonts } else { library = try FontLibrary() }
    self.init(try CaptionLayout(track, canvas: canvas, fonts: library))
  }

  /// Creates an overlay for captions that were laid out by validation.
  init(_ layout: CaptionLayout) { self.layout = layout }

  /// The visible cues at a given time; `nil` if there are none.
  public func appearance(at time: MediaTime) -> Appearance? {
    let cues = layout.active(at: time)
    return cues.isEmpty ? nil : Appearance(cues: cues)
  }

  /// Draws the cues.
  public func draw(
    _ appearance: Appearance, over frame: consuming Frame, context: RenderContext
  ) throws(CompositorError) -> Frame {
    let overlay = try scene(appearance.cues)
    guard let tree = try overlay.appearance(at: .zero) else { return frame }
    return try overlay.draw(tree, over: frame, context: context)
  }

  private func scene(_ cues: [Int]) throws(CompositorError) -> TitleOverlay {
    let known = scenes.withLock { scenes in scenes.last { $0.cues == cues }?.overlay }
    if let known { return known }
    let layers = try layout.layers(of: cues)
    let made = try TitleOverlay(Layer(canvas: layout.canvas) { layers }, canvas: layout.canvas, fonts: layout.fonts)
    scenes.withLock { scenes in
      scenes.append((cues, made))
      if scenes.count > CaptionOverlay.sceneCount { scenes.removeFirst() }
    }
    return made
  }
}

/// An ASS script that libass draws over composed frames in its own styles.
///
/// Its colors are blended in the frames' encoded signal, as players do, even if a composition blends in linear light.
public final class ScriptOverlay: FrameOverlay {
  /// The visible events.
  public struct Appearance: Equatable, Sendable {
    let shown: CaptionScript.Appearance
  }

  private let script: CaptionScript

  /// Creates an overlay for a script that validation has read.
  init(_ script: CaptionScript) { self.script = script }

  /// Creates an overlay.
  ///
  /// - Parameters:
  ///   - script: An ASS or SSA script, with embedded fonts.
  ///   - offset: The offset added to the script's times.
  ///   - canvas: The composition's render size.
  ///   - frameDuration: The duration of the composition's frames, > 0.
  ///   - fonts: Fonts in addition to those in the script.
  /// - Throws: `.unreadableMedia` if the string isn't an ASS script.
  public convenience init(
    _ script: String, offset: MediaTime = .zero, canvas: PixelSize, frameDuration: MediaTime,
    fonts: FontProvider = .system
  ) throws(CompositorError) {
    self.init(
      try CaptionScript(
        script, offset: offset, canvas: canvas, frameDuration: frameDuration, fonts: fonts.files.map { ($0.name, $0.bytes) },
        defaultFamily: fonts.defaultFamily))
  }

  /// The visible events at a given time; `nil` if there are none.
  public func appearance(at time: MediaTime) -> Appearance? {
    script.appearance(at: time).map { Appearance(shown: $0) }
  }

  /// Draws the events.
  public func draw(
    _ appearance: Appearance, over frame: consuming Frame, context: RenderContext
  ) throws(CompositorError) -> Frame {
    try script.draw(appearance.shown, over: frame, policy: context.colorConversion, pool: context.pool)
  }
}
