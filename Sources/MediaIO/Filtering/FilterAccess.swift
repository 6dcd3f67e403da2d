import CCompositorFFmpeg
package import CompositorAPI

/// Keeps graphs away from files, devices and networks.
///
/// A graph may be part of somebody else's project and may only process frames. Filters that read or write anything else are
/// rejected, as is any option of another filter that names a file. The rule also covers filters of newer libraries: an option
/// counts as a file name by its own name and description.
package enum FilterAccess {
  /// Filters that open something or receive commands from outside, whatever their options.
  private static let refused: Set<String> = [
    "movie", "amovie", "subtitles", "ass", "drawtext", "frei0r", "frei0r_src", "ladspa", "lv2", "ocv", "sendcmd", "asendcmd",
    "zmq", "azmq", "lut1d", "lut3d", "vidstabdetect", "vidstabtransform", "removelogo", "cover_rect", "find_rect",
    "fieldhint", "nnedi", "sr", "derain", "dnn_processing", "dnn_classify", "dnn_detect", "libvmaf", "libvmaf_cuda",
    "signature", "asr", "arnndn", "program_opencl", "openclsrc", "xfade_opencl", "libplacebo", "lcevc", "whisper", "buffer",
    "abuffer",
    "buffersink", "abuffersink", "qrencodesrc", "ddagrab", "gfxcapture",
  ]

  /// Options that name a file although their descriptions don't say so.
  private static let fileOptions: Set<String> = [
    "file", "filename", "f", "path", "url", "stats_file", "textfile", "fontfile", "fontsdir", "psfile", "plot", "model",
    "labels", "hint", "logfn", "hmm", "dict", "lm", "lmname", "lmctl", "result", "custom_shader_path", "debug_kdtree",
    "log_path",
  ]

  /// - Throws: `.sourceRefused` if the graph uses a filter or an option that reaches files, devices or networks.
  package static func check(_ text: String) throws(CompositorError) {
    for filter in FilterNotation.filters(in: text) {
      if !isAllowed(filter.name) { throw refusal("The filter “\(filter.name)” opens files or devices.") }
      let files = fileOptionNames(of: filter.name)
      for (position, argument) in filter.arguments.enumerated() {
        if let key = argument.key {
          // In newer libraries, a key that begins with a slash reads its value from a file.
          guard !key.contains("/"), !files.contains(key) else {
            throw refusal("The option “\(key)” of the filter “\(filter.name)” opens a file.")
          }
        } else if !files.isEmpty, position > 0 || FilterCatalog.options(of: filter.name).first.map(isFile) == true {
          // The option at a position differs between versions of the library.
          throw refusal("The filter “\(filter.name)” has options that open files: name each option.")
        }
      }
    }
  }

  /// Whether a filter only processes frames.
  package static func isAllowed(_ filter: String) -> Bool {
    !refused.contains(filter) && !["opencl", "vulkan", "vaapi", "qsv", "cuda", "npp"].contains { filter.hasSuffix("_\($0)") }
  }

  /// Why a filter is refused, and what does the same; `nil` for others.
  package static func refusalReason(of filter: String) -> String? {
    switch filter {
    case "subtitles", "ass": "it opens files; captions do what it does"
    case "drawtext": "it opens files; titles do what it does"
    case "movie", "amovie": "it opens files; a clip on a track of its own does what it does"
    case "lut1d", "lut3d": "it opens files; the effect “lut” does what it does"
    default: isAllowed(filter) ? nil : "it opens files or devices"
    }
  }

  /// Options of a filter whose values are file names.
  package static func fileOptionNames(of filter: String) -> Set<String> {
    var names = Set(FilterCatalog.options(of: filter).filter(isFile).map(\.name))
    // Short names of the same options.
    if names.contains("stats_file") || names.contains("filename") { names.insert("f") }
    return names
  }

  private static func isFile(_ option: FilterOption) -> Bool {
    guard option.kind == .text else { return false }
    let words = option.summary.lowercased().split { !$0.isLetter }
    return fileOptions.contains(option.name) || words.contains { ["file", "filename", "url", "address"].contains($0) }
  }

  private static func refusal(_ what: String) -> CompositorError {
    CompositorError(
      .sourceRefused, what,
      recoverySuggestion: "A graph may only process frames: read media with assets, tables with builtin effects.")
  }
}
