import CompositorMediaIO

/// How a graph's pictures depend on those before.
package enum FilterBehavior: Hashable, Sendable {
  /// Each picture depends on its inputs and its time alone: any order, several graphs side by side.
  case frameByFrame
  /// Each picture depends on its inputs and on how far it is from the first one that the graph saw: any order, once the graph was
  /// given a picture at the beginning.
  case sinceStart
  /// Pictures depend on those before: every one, in order, from the instruction's beginning.
  case inOrder

  /// The behavior of a graph: that of its least patient filter.
  package init(graph text: String) {
    let filters = FilterNotation.filters(in: text)
    let isPatient = filters.allSatisfy {
      FilterBehavior.patient.contains($0.name) && !FilterBehavior.countsPictures($0.text)
    }
    self = isPatient ? .frameByFrame : .inOrder
  }

  /// The behavior of a single filter, as long as no expression of its options ``countsPictures(_:)``.
  package init(filter name: String) {
    self = name == "xfade" ? .sinceStart : FilterBehavior.patient.contains(name) ? .frameByFrame : .inOrder
  }

  /// Whether an expression may use the number of a picture, or numbers that change from one evaluation to the next.
  static func countsPictures(_ text: String) -> Bool {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.contains { ["n", "N", "random", "pos", "POS", "frame_num", "pict_type"].contains($0) }
  }

  /// Filters of which a test has shown that a picture's result is the same with and without pictures before it, and whose source
  /// keeps nothing from one picture to the next whatever their options are. All others are taken to be in order.
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

  /// Filters that cannot give one picture for each picture at its own time and size, with the reason. They can stand in a graph
  /// where others make up for it.
  package static func unsuitability(of filter: String) -> String? {
    if delaying.contains(filter) { return "it needs pictures that come later" }
    if resampling.contains(filter) { return "it changes how many pictures there are, or their times" }
    if measuring.contains(filter) { return "it measures and changes no picture" }
    if resizing.contains(filter) { return "its picture has another size; use it in avfilter.graph" }
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
