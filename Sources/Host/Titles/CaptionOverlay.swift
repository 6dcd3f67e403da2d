public import CompositorAPI
import CompositorCaptions
public import CompositorOverlay
import Synchronization

/// Captions drawn over composed frames as title layers, in the frames' own format and color.
///
/// Only cues that show are evaluated: a frame costs the same with ten of them as with ten thousand.
public final class CaptionOverlay: FrameOverlay {
  /// The cues that show, as indices in the order of their starts.
  public struct Appearance: Equatable, Sendable {
    let cues: [Int]
  }

  private let layout: CaptionLayout
  private let canvas: PixelSize
  private let fonts: FontLibrary
  /// Captions that were shown last, ready to be drawn; the latest at the end.
  private let scenes = Mutex<[(cues: [Int], overlay: TitleOverlay)]>([])

  /// As many frames as are on their way may show other captions each.
  private static let sceneCount = 8

  /// Makes an overlay of a track, whatever its presentation.
  ///
  /// - Parameters:
  ///   - canvas: The composition's render size.
  ///   - fonts: Loaded fonts; `nil` loads the system's.
  /// - Throws: `.invalidValue` for times or a style out of range; `.fileNotFound` for a font, or characters that no font has.
  public init(_ track: CaptionTrack, canvas: PixelSize, fonts: FontLibrary? = nil) throws(CompositorError) {
    try track.validate()
    if let fonts { self.fonts = fonts } else { self.fonts = try FontLibrary() }
    self.canvas = canvas
    layout = try CaptionLayout(track, canvas: canvas, fonts: self.fonts)
  }

  /// The cues that show at a time; `nil` if none does.
  public func appearance(at time: MediaTime) -> Appearance? {
    let cues = layout.active(at: time)
    return cues.isEmpty ? nil : Appearance(cues: cues)
  }

  /// Draws cues.
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
    let made = try TitleOverlay(Layer(canvas: canvas) { layers }, canvas: canvas, fonts: fonts)
    scenes.withLock { scenes in
      scenes.append((cues, made))
      if scenes.count > CaptionOverlay.sceneCount { scenes.removeFirst() }
    }
    return made
  }
}

/// A script of ASS, drawn over composed frames by libass in its own styles.
///
/// Its colors are blended in the signal of the frames, as players do, also where a composition blends in linear light.
public final class ScriptOverlay: FrameOverlay {
  /// What shows.
  public struct Appearance: Equatable, Sendable {
    let shown: CaptionScript.Appearance
  }

  private let script: CaptionScript

  /// Makes an overlay.
  ///
  /// - Parameters:
  ///   - script: ASS or SSA, with the fonts that are in it.
  ///   - offset: Added to the script's times.
  ///   - canvas: The composition's render size.
  ///   - frameDuration: The distance of the composition's frames, > 0.
  ///   - fonts: Fonts beside those in the script.
  /// - Throws: `.unreadableMedia` if the text is no script.
  public init(
    _ script: String, offset: MediaTime = .zero, canvas: PixelSize, frameDuration: MediaTime,
    fonts: FontProvider = .system
  ) throws(CompositorError) {
    self.script = try CaptionScript(
      script, offset: offset, canvas: canvas, frameDuration: frameDuration, fonts: fonts.files.map { ($0.name, $0.bytes) },
      defaultFamily: fonts.defaultFamily)
  }

  /// What shows at a time; `nil` if nothing does.
  public func appearance(at time: MediaTime) -> Appearance? {
    script.appearance(at: time).map { Appearance(shown: $0) }
  }

  /// Draws the events that show.
  public func draw(
    _ appearance: Appearance, over frame: consuming Frame, context: RenderContext
  ) throws(CompositorError) -> Frame {
    try script.draw(appearance.shown, over: frame, policy: context.colorConversion, pool: context.pool)
  }
}
