package import CompositorAPI
import CompositorMediaIO

/// The audio processors of libavfilter: one for each filter with one audio input that returns one sample per input sample.
///
/// Filters run in this process, like those that retime and measure audio: they process samples and numbers, and open no
/// files.
package enum AVFilterProcessors {
  /// The factories, sorted by ID.
  package static let factories: [AudioProcessorFactory] = FilterCatalog.audioFilters
    .filter { unsuitability(of: $0.name) == nil }.map(factory)
    .sorted { $0.descriptor.id.rawValue < $1.descriptor.id.rawValue }

  private static let byID = Dictionary(factories.map { ($0.descriptor.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// The processor of a name such as `avfilter.aecho`.
  package static func factory(_ id: AudioProcessorID) -> AudioProcessorFactory? {
    id.collection == .avfilter ? byID[id] : nil
  }

  /// Why an audio filter is not offered; `nil` if it is, or if it doesn't exist.
  package static func unsuitability(of filter: String) -> String? {
    if let reason = ownReasons[filter] { return reason }
    if changesLength.contains(filter) { return "it returns more or fewer samples than it takes" }
    if changesTime.contains(filter) { return "it changes the times of samples" }
    if changesNothing.contains(filter) { return "it changes no samples" }
    // Uninitialized memory reaches their output.
    if ["vibrato", "virtualbass"].contains(filter) { return "its output is not reproducible" }
    return FilterAccess.refusalReason(of: filter)
  }

  private static let changesLength: Set<String> = [
    "aloop", "apad", "areverse", "atrim", "atempo", "rubberband", "silenceremove", "aselect",
  ]
  private static let changesTime: Set<String> = ["ashuffleframes", "arls", "asetpts", "asettb", "arealtime"]
  private static let ownReasons = [
    "aresample": "it changes the sample rate, which is that of the mix",
    "asetrate": "it changes the sample rate, which is that of the mix",
    "aformat": "it changes the format of samples, which is that of the mix",
    "surround": "it makes more channels than the mix has; the output's channels are set by output: { audio: { channels: 6 } }",
    "hdcd": "it decodes discs from samples of 16 bits, and the mix has floats",
    "headphone": "it needs impulse responses as further inputs",
    "afir": "it needs an impulse response as a second input",
    "sofalizer": "it opens a file",
    "loudnorm":
      "it changes the sample rate and delays the audio by seconds; output: { audio: { loudness: -14 } } sets the loudness",
  ]
  private static let changesNothing: Set<String> = [
    "anull", "acopy", "drmeter", "afifo", "acue", "ametadata", "aperms", "asetnsamples", "ashowinfo", "asidedata", "astats",
    "volumedetect",
    "silencedetect", "ebur128", "bench", "abench", "aspectralstats", "alatency", "asdr", "apsnr", "asisdr", "replaygain",
  ]

  private static let plugin = "libavfilter \(FilterCatalog.version)"

  private static func factory(_ filter: FilterDescription) -> AudioProcessorFactory {
    let parameters = FilterParameters(filter: filter, hidden: filter.name == "alimiter" ? ["latency"] : [])
    let descriptor = AudioProcessorDescriptor(
      id: AudioProcessorID(rawValue: "avfilter.\(filter.name)"), name: filter.name, version: FilterCatalog.version,
      summary: filter.summary,
      parameters: parameters.descriptions.map {
        var description = $0
        description.isAnimatable = false
        return description
      })
    return AudioProcessorFactory(descriptor, plugin: plugin) { values, context in
      var text = parameters.text(values)
      // The limiter's lookahead causes a delay, which it can compensate.
      if filter.name == "alimiter" { text += (text.contains("=") ? ":" : "=") + "latency=1" }
      let graph = try AudioFilterGraph(text, sampleRate: context.sampleRate, channelCount: context.channelCount)
      return AVFilterProcessor(graph, tail: FilterTail.sampleCount(of: filter.name, values, context))
    }
  }
}

/// A libavfilter graph as an audio processor. Samples that it holds back are returned later, at their own positions.
private final class AVFilterProcessor: BufferingAudioProcessor {
  private let graph: AudioFilterGraph
  let tail: Int

  init(_ graph: AudioFilterGraph, tail: Int) { (self.graph, self.tail) = (graph, tail) }

  func send(_ channels: [UnsafeMutablePointer<Float>], count: Int) throws(CompositorError) {
    try graph.send(channels, count: count)
  }

  func receive(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) -> Int {
    try graph.receive(count, into: channels)
  }

  func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) throws(CompositorError) {
    throw CompositorError(.internalFault, "A libavfilter graph does not process blocks.")
  }
}

/// How long filters continue after their input ends.
private enum FilterTail {
  static func sampleCount(of filter: String, _ values: ParameterValues, _ context: AudioProcessingContext) -> Int {
    guard ["aecho", "adelay", "chorus"].contains(filter), case .string(let delays)? = values["delays"] else { return 0 }
    // In milliseconds; adelay also accepts samples (S) and seconds (s).
    let lengths = delays.split(separator: "|").map { text -> Double in
      let number = Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
      switch text.last {
      case "S": return number
      case "s": return number * Double(context.sampleRate)
      default: return number * Double(context.sampleRate) / 1000
      }
    }
    let longest = min(lengths.max() ?? 0, Double(context.sampleRate) * 90)
    return Int(longest.rounded(.up)) + (filter == "chorus" ? context.sampleRate / 20 : 0)
  }
}
