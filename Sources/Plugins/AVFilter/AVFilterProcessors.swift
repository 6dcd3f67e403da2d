package import CompositorAPI
import CompositorMediaIO

/// What libavfilter brings for audio: a processor for each filter that takes one audio input and gives a sample for each that it is given.
///
/// Filters run in this process, as those do that retime and measure audio: they see samples and numbers, and open nothing.
package enum AVFilterProcessors {
  /// The factories, sorted by ID.
  package static let factories: [AudioProcessorFactory] = FilterCatalog.audioFilters
    .filter { unsuitability(of: $0.name) == nil }.map(factory)
    .sorted { $0.descriptor.id.rawValue < $1.descriptor.id.rawValue }

  private static let byID = Dictionary(factories.map { ($0.descriptor.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// The processor of a name such as `avfilter.aecho`.
  package static func factory(_ id: AudioProcessorID) -> AudioProcessorFactory? {
    id.rawValue.hasPrefix("avfilter.") ? byID[id] : nil
  }

  /// Why a filter of audio is not offered; nil where it is, or where there is none.
  package static func unsuitability(of filter: String) -> String? {
    if changesLength.contains(filter) { return "it gives more or fewer samples than it takes" }
    if changesTime.contains(filter) { return "it changes when samples are heard" }
    if changesNothing.contains(filter) { return "it changes no samples" }
    // Memory that they never set reaches their output.
    if ["vibrato", "virtualbass"].contains(filter) { return "what it makes is not the same twice" }
    return nil
  }

  private static let changesLength: Set<String> = [
    "aloop", "apad", "areverse", "aresample", "asetrate", "asetpts", "atrim", "atempo", "rubberband", "silenceremove",
    "aselect",
    "asettb", "arealtime", "aformat", "channelmap", "pan", "hdcd", "surround", "headphone", "afir",
    "sofalizer", "loudnorm", "replaygain",
  ]
  private static let changesTime: Set<String> = ["ashuffleframes", "arls"]
  private static let changesNothing: Set<String> = [
    "anull", "acopy", "drmeter", "afifo", "acue", "ametadata", "aperms", "asetnsamples", "ashowinfo", "asidedata", "astats",
    "volumedetect",
    "silencedetect", "ebur128", "bench", "abench", "aspectralstats", "alatency", "asdr", "apsnr", "asisdr",
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
      // The limiter looks ahead, and can take back the delay that this makes.
      if filter.name == "alimiter" { text += (text.contains("=") ? ":" : "=") + "latency=1" }
      let graph = try AudioFilterGraph(text, sampleRate: context.sampleRate, channelCount: context.channelCount)
      return AVFilterProcessor(graph, tail: FilterTail.sampleCount(of: filter.name, values, context))
    }
  }
}

/// A graph of libavfilter as a processor: what it holds back comes later, at its own place.
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
    throw CompositorError(.internalFault, "A graph of libavfilter is not driven by blocks.")
  }
}

/// For how long filters sound on.
private enum FilterTail {
  static func sampleCount(of filter: String, _ values: ParameterValues, _ context: AudioProcessingContext) -> Int {
    guard ["aecho", "adelay", "chorus"].contains(filter), case .string(let delays)? = values["delays"] else { return 0 }
    // In milliseconds; adelay knows samples (S) and seconds (s) too.
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
