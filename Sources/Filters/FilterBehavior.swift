import CompositorMediaIO

/// How a graph's frames depend on earlier ones.
package enum FilterBehavior: Hashable, Sendable {
  /// Each frame depends only on its inputs and its time: any order, several graphs in parallel.
  case frameByFrame
  /// Each frame depends only on its inputs and its distance from the first frame that the graph received: any order, once the
  /// graph has received a frame at the beginning.
  case sinceStart
  /// Frames depend on earlier ones: every frame is needed, in order, from the start of the instruction.
  case inOrder

  /// The behavior of a graph: the most restrictive of its filters' behaviors.
  package init(graph text: String) {
    let filters = FilterNotation.filters(in: text)
    let isPatient = filters.allSatisfy {
      FilterBehavior.patient.contains($0.name) && !FilterBehavior.countsPictures($0.text)
    }
    self = isPatient ? .frameByFrame : .inOrder
  }

  /// The behavior of a filter if no expression in its options ``countsPictures(_:)``.
  package init(filter name: String) {
    self = name == "xfade" ? .sinceStart : FilterBehavior.patient.contains(name) ? .frameByFrame : .inOrder
  }

  /// Whether an expression may use the frame number, or numbers that differ between evaluations.
  static func countsPictures(_ text: String) -> Bool {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.contains { ["n", "N", "random", "pos", "POS", "frame_num", "pict_type"].contains($0) }
  }

  /// Filters that keep no state between frames: a test has shown that results are the same with and without preceding frames,
  /// and their source confirms it for all options. All others are assumed to need order.
  package static let patient: Set<String> = [
    "alphaextract", "alphamerge", "avgblur", "bilateral", "bitplanenoise", "blend", "boxblur", "cas", "chromahold", "chromakey",
    "chromanr", "chromashift", "colorbalance", "colorchannelmixer", "colorcontrast", "colorcorrect", "colorhold", "colorize",
    "colorkey", "colorlevels", "colormatrix", "colorspace", "colortemperature", "convolution", "convolve", "copy", "crop",
    "curves", "dblur", "dctdnoiz", "deband", "deblock", "deconvolve", "deflate", "despill", "dilation", "drawbox", "drawgrid",
    "edgedetect", "epx", "eq", "erosion", "exposure", "extractplanes", "fftfilt", "fillborders", "format", "gblur", "geq",
    "gradfun", "grayworld", "greyedge", "haldclut", "hflip", "hqx", "hstack", "hsvhold", "hsvkey", "hue", "huesaturation",
    "hysteresis", "il", "inflate", "kirsch", "lenscorrection", "limiter", "lumakey", "lut", "lut2", "lutrgb", "lutyuv",
    "maskedthreshold", "maskfun", "median", "mergeplanes", "midequalizer", "monochrome", "morpho", "multiply", "negate",
    "nlmeans", "noformat", "null", "overlay", "owdenoise", "pad", "perspective", "pixelize", "premultiply", "prewitt",
    "pseudocolor", "removegrain", "rgbashift", "roberts", "rotate", "sab", "scale", "scharr", "selectivecolor", "setdar",
    "setparams", "setrange", "setsar", "shear", "shuffleplanes", "smartblur", "sobel", "split", "stereo3d", "super2xsai",
    "swaprect", "swapuv", "tonemap", "transpose", "unpremultiply", "unsharp", "v360", "vaguedenoiser", "varblur", "vflip",
    "vibrance", "vstack", "xbr", "yaepblur", "zscale",
  ]

  /// Why a filter cannot return one frame for each frame, at its own time and size; `nil` if it can. Such filters may be part
  /// of a graph in which others compensate for it.
  package static func unsuitability(of filter: String) -> String? {
    if delaying.contains(filter) { return "it needs later frames" }
    if resampling.contains(filter) { return "it changes the number of frames, or their times" }
    if measuring.contains(filter) { return "it measures frames and changes none" }
    if resizing.contains(filter) { return "its frame has another size; use it in avfilter.graph" }
    return nil
  }

  private static let delaying: Set<String> = [
    "amplify", "atadenoise", "bwdif", "dedot", "deflicker", "doubleweave", "estdif", "graphmonitor", "idet", "mestimate",
    "minterpolate", "palettegen", "pullup", "random", "reverse", "thumbnail", "tile", "tmedian", "tmidequalizer",
    "w3fdif", "weave", "yadif", "nnedi",
  ]
  private static let resampling: Set<String> = [
    "detelecine", "fps", "framerate", "framestep", "freezeframes", "interlace", "loop", "mpdecimate", "repeatfields",
    "segment", "separatefields", "setpts", "settb", "shuffleframes", "telecine", "tinterlace", "tpad", "trim", "untile",
    "zoompan", "dejudder", "latency", "realtime", "cue", "fifo", "decimate", "field",
  ]
  private static let measuring: Set<String> = [
    "addroi", "bbox", "bench", "blackdetect", "blackframe", "blockdetect", "blurdetect", "codecview", "cropdetect", "entropy",
    "freezedetect", "metadata", "perms", "photosensitivity", "qp", "readeia608", "readvitc", "scdet", "setfield", "showinfo",
    "sidedata", "signalstats", "siti", "vfrdet", "vif", "vmafmotion", "psnr", "ssim", "identity", "msad", "hwdownload",
    "hwmap", "hwupload", "copy", "null", "format", "noformat", "pixdesctest", "fieldorder", "phase",
  ]
  private static let resizing: Set<String> = [
    "ciescope", "datascope", "drawgraph", "epx", "framepack", "histogram", "hqx", "showpalette", "super2xsai", "thistogram",
    "vectorscope", "waveform", "xbr", "alphaextract",
  ]
}
