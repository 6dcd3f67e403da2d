import CompositorAPI
import CompositorMediaWriting

/// The presets as a table, which `compositor presets` prints and `docs/export.md` shows.
public enum PresetTable {
  /// Names of the columns.
  public static let heading = ["preset", "file", "video", "color", "at most", "audio", "for"]

  /// One row per preset, in the order of `ExportPreset`.
  public static var rows: [[String]] {
    ExportPreset.allCases.map { preset in
      let definition = preset.definition
      return [
        preset.rawValue, definition.containers.map { ".\($0.rawValue)" }.joined(separator: " "), definition.videoWords,
        definition.colorWords, definition.limitWords, definition.audioWords, definition.summary,
      ]
    }
  }

  /// The table for programs: objects of strings, numbers, lists and null.
  public static var objects: [[String: any Sendable]] {
    ExportPreset.allCases.map { preset in
      let definition = preset.definition
      var object: [String: any Sendable] = [
        "name": preset.rawValue, "containers": definition.containers.map(\.rawValue), "for": definition.summary,
      ]
      if let video = definition.video {
        object["video"] = video.codec.rawValue
        if let profile = video.profileName { object["profile"] = profile }
        object["rate"] = video.rateWords
        object["alpha"] = definition.keepsAlpha
      }
      if let depth = definition.format?.bitDepth ?? definition.bitDepth { object["depth"] = depth }
      if let format = definition.format { object["format"] = format.name }
      if let color = definition.color { object["color"] = color.shortName }
      if let size = definition.largestSize { object["largestSize"] = "\(size)" }
      if let rate = definition.highestFrameRate { object["highestFrameRate"] = rate }
      if let audio = definition.audio {
        object["audio"] = audio.codec.rawValue
        if let rate = audio.bitRate { object["audioBitRate"] = rate }
      }
      return object
    }
  }
}

extension ExportPreset.Definition {
  fileprivate var videoWords: String {
    guard let video else { return "none" }
    let profile = video.profileName.map { " \($0)" } ?? ""
    let layout = format.map { ", \($0.name)" } ?? bitDepth.map { ", \($0) bits" } ?? ""
    let rate = video.rateWords.isEmpty ? "" : ", \(video.rateWords)"
    return video.codec.rawValue + profile + layout + rate
  }

  fileprivate var colorWords: String {
    guard let video else { return "" }
    return video.codec.isAnimation ? "sRGB" : color?.shortName ?? "the sources'"
  }

  fileprivate var limitWords: String {
    [largestSize.map { "\($0)" }, highestFrameRate.map { "\($0)/s" }].compactMap { $0 }.joined(separator: ", ")
  }

  fileprivate var audioWords: String {
    guard let audio else { return containers.allSatisfy(\.audioCodecs.isEmpty) ? "none" : "the file's usual" }
    return audio.codec.rawValue + (audio.bitRate.map { " \($0 / 1000)k" } ?? "")
  }
}

extension VideoEncodingSettings {
  fileprivate var profileName: String? {
    switch codec {
    case .proRes: proResProfile?.rawValue
    case .dnxhr: dnxhrProfile?.rawValue
    case .h264, .hevc, .av1, .vp9, .ffv1, .gif, .webp, .raw: nil
    }
  }

  /// The setting that controls the size, in the encoders' terms.
  fileprivate var rateWords: String {
    switch (codec, quality) {
    case (_, .bitRate(let rate)): "\(rate / 1000)k"
    case (_, .constant(let value)): "quality \(value)"
    case (.h264, _): "CRF 23"
    case (.hevc, _): "CRF 28"
    case (.av1, _): "CRF 32"
    case (.vp9, _): "CRF 31"
    case (.webp, _): "quality 75"
    case (.ffv1, _), (.raw, _): "lossless"
    case (.proRes, _), (.dnxhr, _): ""
    case (.gif, _): "256 colors"
    }
  }
}
