import Compositor
import CompositorBenchmark

/// A native transition that has an equivalent in FFmpeg's xfade.
struct XfadeEquivalent {
  /// The transition's JSON5 in a project, on one line.
  let written: String
  let timing: TransitionTiming.Case

  /// The equivalents by xfade's names.
  private static let list: [(name: String, written: String)] = [
    ("fade", "type: 'dissolve'"), ("wipeleft", "type: 'wipe-left'"), ("wiperight", "type: 'wipe-right'"),
    ("wipeup", "type: 'wipe-up'"), ("wipedown", "type: 'wipe-down'"),
    ("smoothleft", "type: 'wipe-left', softness: 1"), ("smoothup", "type: 'wipe-up', softness: 1"),
    ("diagtl", "type: 'wipe-up-left', softness: 1"), ("slideleft", "type: 'push-left'"), ("slideup", "type: 'push-up'"),
    ("circleopen", "type: 'iris-circle', softness: 0.5"),
    ("circleclose", "type: 'iris-circle', direction: 'close', softness: 0.5"),
    ("vertopen", "type: 'barn-door-vertical', softness: 1"),
    ("horzclose", "type: 'barn-door-horizontal', direction: 'close', softness: 1"),
    ("radial", "type: 'clock', softness: 0.1"), ("hlslice", "type: 'blinds-vertical', count: 10, softness: 1"),
    ("dissolve", "type: 'noise-dissolve'"), ("fadeblack", "type: 'dip-to-black'"), ("fadewhite", "type: 'dip-to-white'"),
    ("squeezeh", "type: 'squeeze-horizontal'"), ("squeezev", "type: 'squeeze-vertical'"), ("zoomin", "type: 'zoom-in'"),
    ("hblur", "type: 'blur-through'"),
  ]

  /// All equivalents, each as the instruction of a project with its JSON5.
  static func all(size: PixelSize) throws -> [XfadeEquivalent] {
    try list.map { name, text in
      let written = "{ \(text), duration: '1s' }"
      let project = try ProjectFile(
        """
        { version: 1, output: { size: '\(size)', frameRate: 30 }, assets: { a: { generate: 'bars', size: '\(size)' } },
          tracks: [{ clips: [{ asset: 'a', duration: '1s' }, { asset: 'a', duration: '1s', transition: \(written) }] }] }
        """)
      let instruction = try project.edit(catalog: MediaCatalog()).videoComposition.instructions[0]
      guard let factory = CompositorRegistry.builtIn[instruction.compositor] else {
        throw CompositorError(.compositorNotFound, "There is no compositor “\(instruction.compositor)”.")
      }
      return XfadeEquivalent(written: written, timing: .init(name, factory, instruction))
    }
  }
}
