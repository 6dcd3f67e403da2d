package import CompositorAPI
import CompositorHost
import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorValidation

extension ExportSettings {
  /// The composition at the size and the frame rate that the settings and the file require.
  ///
  /// - Parameter container: The file; `nil` for images.
  /// - Returns: The composition, and notes on changes that the caller did not request.
  /// - Throws: `.invalidValue` for an invalid size or rate.
  package func fitting(
    _ composition: ValidatedComposition, into container: MovieContainer?
  ) throws(CompositorError) -> (composition: ValidatedComposition, notes: [ExportNote]) {
    var edit = composition.edit
    try resize(&edit)
    keepLayout(&edit, of: composition, in: container)
    keepAlpha(&edit, of: composition, in: container)
    var notes = enlargement(of: composition, to: edit.output.size ?? edit.videoComposition.renderSize)
    notes += try retime(&edit, for: container)
    guard edit != composition.edit else { return (composition, notes) }
    return (composition.replacing(edit), notes)
  }

  /// The largest enlargement factor without a note.
  private static let quietEnlargement = 2.0

  private func resize(_ edit: inout Edit) throws(CompositorError) {
    let canvas = edit.output.size ?? edit.videoComposition.renderSize
    if let size {
      guard size.isRenderable else {
        let longest = PixelSize.renderableSides.upperBound
        throw CompositorError(
          .invalidValue, "Frames of \(size) cannot be made.", recoverySuggestion: "Use 1x1 to \(longest)x\(longest).")
      }
      if size != canvas { edit.output.size = size }
    } else if let box = largestSize, box.width > 0, box.height > 0 {
      edit.output.size = CanvasPlacement.size(of: canvas, within: box) ?? edit.output.size
    }
  }

  /// A note if every source is much smaller than the requested frames.
  private func enlargement(of composition: ValidatedComposition, to frame: PixelSize) -> [ExportNote] {
    guard size != nil else { return [] }
    let factors = RenderFormat.sourceTracks(of: composition).filter { !$0.source.isGenerated }.map { track in
      let shown = track.info.displaySize
      let sides = (long: max(shown.width, shown.height), short: min(shown.width, shown.height))
      return min(Double(max(frame.width, frame.height)) / sides.long, Double(min(frame.width, frame.height)) / sides.short)
    }
    guard let factor = factors.min(), factor > Self.quietEnlargement else { return [] }
    let times = Rational(Int(factor * 10), 10).readable
    return [ExportNote(.enlarged, "the sources are enlarged \(times) times to \(frame): they gain no detail")]
  }

  private func retime(_ edit: inout Edit, for container: MovieContainer?) throws(CompositorError) -> [ExportNote] {
    let frame = edit.videoComposition.frameDuration
    guard frame.isNumeric, frame.value > 0, frame.timescale > 0 else { return [] }
    let rate = frame.frameRate
    var wanted = frameRate ?? rate
    if let frameRate {
      let limits = 1...Int(Int32.max)
      guard limits.contains(frameRate.numerator), limits.contains(frameRate.denominator),
        ExportSettings.frameRates.contains(frameRate.value)
      else {
        throw CompositorError(
          .invalidValue, "\(frameRate) frames a second cannot be made.", recoverySuggestion: "Use 0.01 to 1000.")
      }
    } else if let highestFrameRate {
      wanted = rate.divided(below: highestFrameRate)
    }
    var notes: [ExportNote] = []
    if container == .gif {
      let highest = 50
      if wanted.value > Double(highest) {
        let shown = wanted.divided(below: highest).readable
        notes.append(
          ExportNote(
            .frameRate, "a GIF shows at most \(highest) frames a second: \(shown) of \(wanted.readable) are written"))
        wanted = wanted.divided(below: highest)
      }
      // Integer hundredths of a second need no note.
      if (100 * wanted.denominator) % wanted.numerator != 0 {
        notes.append(
          ExportNote(
            .frameRate,
            "a GIF counts time in 1/100 s: frames at \(wanted.readable) a second are each shown at the nearest one"))
      }
    }
    guard wanted != rate, let timescale = Int32(exactly: wanted.numerator) else { return notes }
    edit.videoComposition.frameDuration = MediaTime(value: Int64(wanted.denominator), timescale: timescale)
    edit.videoComposition.sourceTrackIDForFrameTiming = nil
    return notes
  }
}

extension Rational {
  /// The number with at most two decimals, for people.
  fileprivate var readable: String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    return rest == 0 ? "\(whole)" : "\(whole).\(rest < 10 ? "0" : "")\(rest % 10 == 0 ? rest / 10 : rest)"
  }

  /// The rate that shows every n-th frame, for the smallest n with which it doesn't exceed a limit.
  fileprivate func divided(below limit: Int) -> Rational {
    let step = max(1, Int((value / Double(max(limit, 1)) - 1e-9).rounded(.up)))
    return Rational(numerator, denominator * step).reduced
  }
}
