import CompositorPlugins
import BuiltinCompositors
import CompositorAPI
import CompositorConversion
import CompositorMediaIO

/// Checks whether each source's color can be converted to the input of its instructions' compositors, and whether the frames
/// can represent the output's color.
struct ColorChecks {
  private struct Case: Hashable {
    let source: MediaSource
    let track: Int
    let color: ColorTags
  }

  /// Uses the same code as rendering: a tiny frame of each source's kind is converted.
  static func run(
    _ composition: ValidatedComposition, _ format: RenderFormat, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    try checkOutput(format, into: &diagnostics)
    // A track that is only used by compositors which convert colors themselves needs no conversion by the host. The built-in
    // ones convert by the same rules.
    let builtin = Set(Builtins.all.map { $0.descriptor.id })
    let conforming = Set(
      composition.registry.descriptors.filter { $0.colorHandling == .conformsItself && !builtin.contains($0.id) }.map(\.id))
    var seen = Set<TrackID>()
    for instruction in composition.edit.videoComposition.instructions
    where conforming.isEmpty || !conforming.contains(instruction.compositor) {
      for trackID in instruction.requiredTrackIDs { seen.insert(trackID) }
    }
    var done = Set<Case>()
    for track in composition.edit.composition.tracks(.video) where seen.contains(track.trackID) {
      for segment in track.segments {
        guard let source = segment.source, let info = composition.videoTrack(segment.sourceTrackIndex, of: source),
          done.insert(Case(source: source, track: segment.sourceTrackIndex, color: info.attributes.color)).inserted
        else { continue }
        guard let error = failure(info, to: format, policy: composition.edit.videoComposition.colorConversion) else {
          try warnOfUnknownMatrix(info, of: source, on: track.trackID, into: &diagnostics)
          continue
        }
        try diagnostics.add(
          ValidationDiagnostic(
            .colorNotConvertible, "\(Named.source(source)): \(error.message)", track: track.trackID,
            recoverySuggestion: error.recoverySuggestion, source: source))
      }
    }
    try checkTitles(composition, format, &done, into: &diagnostics)
  }

  private static func checkTitles(
    _ composition: ValidatedComposition, _ format: RenderFormat, _ done: inout Set<Case>,
    into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    for movie in (composition.titles?.movies.values.map(\.self) ?? []).sorted(by: {
      $0.source.description < $1.source.description
    })
    where done.insert(Case(source: movie.source, track: movie.info.index, color: movie.info.attributes.color)).inserted {
      guard let error = failure(movie.info, to: format, policy: composition.edit.videoComposition.colorConversion) else {
        continue
      }
      try diagnostics.add(
        ValidationDiagnostic(
          .colorNotConvertible, "\(movie.source), shown by a title: \(error.message)",
          recoverySuggestion: error.recoverySuggestion, source: movie.source))
    }
  }

  /// Frames of a matrix without a definition are what their file has as long as nothing is drawn, scaled or converted.
  private static func warnOfUnknownMatrix(
    _ info: VideoTrackInfo, of source: MediaSource, on track: TrackID, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let matrix = info.attributes.color.resolved(for: info.size).matrix
    guard !info.format.isRGB, matrix != .identity, matrix.rgbToYCbCr == nil else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .colorNotConvertible, severity: .warning,
        "\(Named.source(source)) has matrix coefficients \(matrix.rawValue) (H.273), which are not known here: its frames can be "
          + "passed on whole in their own format \(info.format), and nothing else.",
        track: track,
        recoverySuggestion: "If the file is tagged wrongly, say the asset's color; else convert it to BT.709 or BT.2020 first.",
        source: source))
  }

  private static func checkOutput(_ format: RenderFormat, into diagnostics: inout DiagnosticCollector) throws(ValidationStopped)
  {
    let color = format.attributes.color
    let transfer = color.transfer
    if color.primaries.chromaticities == nil {
      try diagnostics.add(
        ValidationDiagnostic(
          .colorNotConvertible, "The output's color primaries \(color.primaries.rawValue) (H.273) have no definition here.",
          recoverySuggestion: "Leave them out, or choose others, for example BT.709."))
    }
    if !color.isCodePoint {
      try diagnostics.add(
        ValidationDiagnostic(
          .colorNotConvertible,
          "\(color.shortName) is a color that sources can have and outputs cannot: files cannot specify it.",
          recoverySuggestion: "Choose another for the output, for example BT.709, HLG or PQ."))
    }
    if color.matrix == .identity, !format.pixelFormat.isRGB, format.pixelFormat.subsampling != .s444 {
      try diagnostics.add(
        ValidationDiagnostic(
          .colorNotConvertible, "The output is R, G, B by its matrix, which \(format.pixelFormat) frames cannot be.",
          recoverySuggestion: "Choose a matrix for Y′CbCr, or a format such as rgba or yuv444p."))
    }
    guard transfer.isHDR, format.pixelFormat.bitDepth < 10 else { return }
    try diagnostics.add(
      ValidationDiagnostic(
        .colorNotConvertible,
        "\(transfer.name) needs 10 bits, and the output's format \(format.pixelFormat) has \(format.pixelFormat.bitDepth)."
      ).advising(
        "Leave the format out, or choose one of 10 bits such as yuv420p10; if a preset chose it, choose a preset of 10 bits, such as \(setting: .preset, value: transfer == .pq ? "hevc-pq" : "hevc-hlg")."
      ))
  }

  private static func failure(
    _ info: VideoTrackInfo, to format: RenderFormat, policy: ColorConversionPolicy
  ) -> CompositorError? {
    let pool = FramePool(maximumOutstanding: 16)
    if let dynamic = info.dynamicMetadata.first(where: \.hasNoBaseLayer) {
      return CompositorError(
        .conversionNotPossible, dynamic.loss,
        recoverySuggestion: "Use a file of profile 8.1, 8.2 or 8.4, or one without Dolby Vision.")
    }
    if info.attributes.color.primaries == .cieXYZ {
      return CompositorError(
        .conversionNotPossible,
        "The video is CIE XYZ as in digital cinema (primaries 10 of H.273), which cannot be converted.",
        recoverySuggestion: "If that is wrong, say the asset's color; else convert the file to R, G, B first.")
    }
    do throws(CompositorError) {
      var frame = try pool.makeFrame(
        format: info.format, size: PixelSize(width: 4, height: 4), attributes: info.attributes)
      frame.fill(codes: [0, 0, 0, 0])
      _ = try FrameConverter.convert(
        frame.freeze(), to: format.pixelFormat, attributes: format.attributes, pool: pool, policy: policy)
      return nil
    } catch {
      return error.code == .conversionNotPossible ? error : nil
    }
  }
}

/// Checks that `blending: linear` is possible everywhere that blending occurs. It isn't for filters that blend code values
/// which cannot be converted to light, and for blend modes whose formulas end at white, in HDR.
enum BlendingChecks {
  static func run(
    _ composition: ValidatedComposition, _ format: RenderFormat, into diagnostics: inout DiagnosticCollector
  ) throws(ValidationStopped) {
    let edit = composition.edit
    guard edit.videoComposition.blending == .linear else { return }
    let isHDR = format.attributes.color.transfer.isHDR
    for (index, instruction) in edit.videoComposition.instructions.enumerated() {
      let id = instruction.compositor
      if id.mixesCodes, Set(instruction.requiredTrackIDs).count > 1 {
        try diagnostics.add(
          ValidationDiagnostic(
            .blendingNotLinear,
            "\(Named.instruction(index).capitalizedName): \(id) mixes code values, not light, as blending: linear asks.",
            instruction: index
          ).advising("Use a built-in transition or blend, or \(setting: .blending, value: "encoded")."))
      }
      guard isHDR, id == "builtin.blend", case .string(let mode)? = instruction.parameters["mode"], mode != "normal" else {
        continue
      }
      try diagnostics.add(refusal(ofMode: mode, "\(Named.instruction(index).capitalizedName)", instruction: index))
    }
    guard isHDR else { return }
    for (index, layer) in edit.titles.layers.enumerated() {
      guard let (mode, path) = layer.blendMode(at: Titles.path(ofLayer: index)) else { continue }
      try diagnostics.add(refusal(ofMode: mode.rawValue, "A title", path: path))
    }
  }

  private static func refusal(
    ofMode mode: String, _ owner: String, instruction: Int? = nil, path: String? = nil
  ) -> ValidationDiagnostic {
    ValidationDiagnostic(
      .blendingNotLinear, "\(owner): the blend mode \(mode) ends at white, and the light of an HDR output does not.",
      instruction: instruction, path: path
    ).advising("Use the mode normal, an SDR output, or \(setting: .blending, value: "encoded").")
  }
}

extension CompositorID {
  /// Whether it is an external filter that only processes code values.
  fileprivate var mixesCodes: Bool { collection != nil }
}

extension Layer {
  /// The first blend mode other than normal in a tree, and its key path.
  fileprivate func blendMode(at path: String) -> (BlendMode, String)? {
    if blendMode != .normal { return (blendMode, path + ".blendMode") }
    for (index, layer) in sublayers.enumerated() {
      if let found = layer.blendMode(at: "\(path).sublayers[\(index)]") { return found }
    }
    return mask?.blendMode(at: path + ".mask")
  }
}
