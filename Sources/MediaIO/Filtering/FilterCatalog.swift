import CCompositorFFmpeg
package import CompositorAPI

/// An option of a filter.
package struct FilterOption: Hashable, Sendable {
  /// The type of an option's value.
  package enum Kind: Hashable, Sendable { case bool, integer, number, seconds, color, text }
  /// The name that sets the option.
  package var name: String
  /// Other names of the option.
  package var aliases: [String]
  /// What the option does, in libavfilter's description.
  package var summary: String
  /// The type of the value.
  package var kind: Kind
  /// Bounds of a numeric value.
  package var minimum, maximum: Double
  /// The default value: a number, or a string for strings and colors.
  package var defaultNumber: Double
  package var defaultText: String?
  /// Named values and their numbers, in libavfilter's order.
  package var words: [(word: String, value: Int)]
  /// Whether only named values are accepted.
  package var isChoice: Bool
  /// Whether the value can change while a graph runs (`T` in ffmpeg's help).
  package var isRuntime: Bool

  package static func == (left: FilterOption, right: FilterOption) -> Bool {
    left.name == right.name && left.kind == right.kind
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A video filter of libavfilter.
package struct FilterDescription: Sendable {
  /// The filter's name.
  package var name: String
  /// What the filter does, in libavfilter's description.
  package var summary: String
  /// Number of input frames that it takes at a time.
  package var inputCount: Int
  /// Whether the filter has the option `enable`.
  package var hasTimeline: Bool
}

/// The filters of the installed libavfilter.
package enum FilterCatalog {
  /// The library's version, `major.minor.micro`.
  package static var version: String {
    let version = cff_filter_version()
    return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }

  /// Filters that take one or two frames, output one, and don't open anything; sorted by name.
  package static let filters: [FilterDescription] = {
    var found: [FilterDescription] = []
    var state: UnsafeMutableRawPointer?
    var filter = cff_filter()
    while cff_filter_next(&state, &filter) {
      let name = String(cString: filter.name)
      guard (1...2).contains(filter.input_count), filter.output_count == 1, FilterAccess.isAllowed(name) else { continue }
      found.append(
        FilterDescription(
          name: name, summary: String(cString: filter.summary), inputCount: Int(filter.input_count),
          hasTimeline: filter.has_timeline))
    }
    return found.sorted { $0.name < $1.name }
  }()

  /// Filters with one audio input and one audio output that don't open anything; sorted by name.
  package static let audioFilters: [FilterDescription] = AudioFilterGraph.audioFilters.compactMap { name in
    var filter = cff_filter()
    guard cff_filter_find(name, &filter) else { return nil }
    return FilterDescription(
      name: name, summary: String(cString: filter.summary), inputCount: 1, hasTimeline: filter.has_timeline)
  }

  /// The options of a filter in libavfilter's order; empty for an unknown filter.
  package static func options(of filter: String) -> [FilterOption] {
    var options: [FilterOption] = []
    var option = cff_option()
    while cff_filter_option(filter, Int32(clamping: options.count), &option) {
      let name = String(cString: option.name)
      options.append(
        FilterOption(option, aliases: aliases(of: name, filter: filter), words: words(of: name, filter: filter)))
    }
    return options
  }

  /// Our pixel formats that a graph takes without conversion.
  package static func formats(of text: String, inputCount: Int) -> [PixelFormat] {
    PixelFormat.all.filter { format in
      let surface = FilterSurface(
        format: format, size: PixelSize(width: 64, height: 64),
        attributes: FrameAttributes(color: format.isRGB ? .sRGB : .bt709, alphaMode: format.hasAlpha ? .straight : .opaque),
        ticksPerSecond: 25)
      let graph = try? FilterGraph(text, surface: surface, inputCount: inputCount)
      return graph?.conversions.isEmpty == true
    }
  }

  private static func aliases(of option: String, filter: String) -> [String] {
    var aliases: [String] = []
    while let alias = cff_option_alias(filter, option, Int32(clamping: aliases.count)) {
      aliases.append(String(cString: alias))
    }
    return aliases
  }

  private static func words(of option: String, filter: String) -> [(word: String, value: Int)] {
    var words: [(String, Int)] = []
    var value: Int64 = 0
    while let word = cff_option_word(filter, option, Int32(clamping: words.count), &value) {
      words.append((String(cString: word), Int(value)))
    }
    return words
  }
}

extension FilterOption {
  init(_ option: cff_option, aliases: [String], words: [(String, Int)]) {
    name = String(cString: option.name)
    self.aliases = aliases
    summary = String(cString: option.summary)
    kind =
      switch option.kind {
      case CFF_OPTION_BOOL: .bool
      case CFF_OPTION_INTEGER: .integer
      case CFF_OPTION_NUMBER: .number
      case CFF_OPTION_SECONDS: .seconds
      case CFF_OPTION_COLOR: .color
      default: .text
      }
    (minimum, maximum) = (option.minimum, option.maximum)
    defaultNumber = option.default_number
    defaultText = option.default_text.map { String(cString: $0) }
    self.words = words.map { (word: $0.0, value: $0.1) }
    isChoice = option.is_choice
    isRuntime = option.is_runtime
  }
}
