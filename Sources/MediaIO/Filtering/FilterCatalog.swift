import CCompositorFFmpeg
package import CompositorAPI

/// Something that can be set on a filter.
package struct FilterOption: Hashable, Sendable {
  /// What kind of value it takes.
  package enum Kind: Hashable, Sendable { case bool, integer, number, seconds, color, text }
  /// The name to set it by.
  package var name: String
  /// Other names of the same option.
  package var aliases: [String]
  /// What it does, in libavfilter's words.
  package var summary: String
  /// What kind of value it takes.
  package var kind: Kind
  /// Bounds of a number.
  package var minimum, maximum: Double
  /// The value where none is given, as a number; of texts and colors, as a text.
  package var defaultNumber: Double
  package var defaultText: String?
  /// Words that stand for numbers, in libavfilter's order.
  package var words: [(word: String, value: Int)]
  /// Whether only the words are values.
  package var isChoice: Bool
  /// Whether a graph takes new values while it works (`T` in ffmpeg's help).
  package var isRuntime: Bool

  package static func == (left: FilterOption, right: FilterOption) -> Bool {
    left.name == right.name && left.kind == right.kind
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A filter of libavfilter that works on pictures.
package struct FilterDescription: Sendable {
  /// Its name.
  package var name: String
  /// What it does, in libavfilter's words.
  package var summary: String
  /// Pictures that it takes at a time.
  package var inputCount: Int
  /// Whether it has the option `enable`.
  package var hasTimeline: Bool
}

/// The filters that the libavfilter of this machine has.
package enum FilterCatalog {
  /// Version of the library, `major.minor.micro`.
  package static var version: String {
    let version = cff_filter_version()
    return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }

  /// Filters that take one or two pictures, give one, and open nothing; sorted by name.
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

  /// Filters that take one audio input, give one audio output, and open nothing; sorted by name.
  package static let audioFilters: [FilterDescription] = AudioFilterGraph.audioFilters.compactMap { name in
    var filter = cff_filter()
    guard cff_filter_find(name, &filter) else { return nil }
    return FilterDescription(
      name: name, summary: String(cString: filter.summary), inputCount: 1, hasTimeline: filter.has_timeline)
  }

  /// Everything that can be set on a filter, in its own order; none for a filter there is not.
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

  /// Formats that a graph takes without conversion, among all of ours.
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
