public import CompositorAPI

/// An entry of a track's edit list: a section of its media to play, or a pause.
public struct TrackEdit: Sendable, Hashable, Codable {
  /// The start of the section in the track's own time, before media time 0 is chosen; `nil` for a pause.
  public var mediaStart: MediaTime?
  /// The duration. 0 for a section that goes on to the end, in fragmented files.
  public var duration: MediaTime
  /// The speed at which the section is to be played: 1, or 0 for its first frame all the time. Others than 1 are not applied.
  public var rate: Double

  /// Creates an entry.
  public init(mediaStart: MediaTime?, duration: MediaTime, rate: Double = 1) {
    (self.mediaStart, self.duration, self.rate) = (mediaStart, duration, rate)
  }
}

extension [TrackEdit] {
  /// What an edit list states and is not played: other speeds, and pauses that are not at the beginning.
  ///
  /// - Parameter track: The track, as in `video 0`.
  func unplayed(of track: String) -> ContainerExtra? {
    let speeds = Set(filter { $0.mediaStart != nil && $0.rate != 1 }.map(\.rate)).sorted()
    let pauses = dropFirst().filter { $0.mediaStart == nil && $0.duration > .zero }
    var parts: [String] = []
    if !speeds.isEmpty { parts.append("speeds of \(speeds.map { "\($0)" }.joined(separator: ", ")), played at 1") }
    if !pauses.isEmpty {
      let lengths = pauses.map(\.duration.readable).joined(separator: ", ")
      parts.append("pauses of \(lengths) within it, filled with other frames or samples")
    }
    guard !parts.isEmpty else { return nil }
    return ContainerExtra(
      name: "elst", meaning: "the edit list of \(track): \(parts.joined(separator: "; "))", isCopied: false,
      changesPresentation: true)
  }
}

/// Something that a container states beside its media: a box of an MP4 or QuickTime file, or an element of a Matroska file.
public struct ContainerExtra: Sendable, Hashable, Codable {
  /// The name of several descriptions of one track's media.
  package static let severalCodings = "stsd"
  /// The name: a four-character code, or that of the element.
  public var name: String
  /// What it is, as a noun phrase.
  public var meaning: String
  /// Index of the video track; `nil` for other tracks and for the whole file.
  public var videoTrack: Int?
  /// Whether rendering acts on it or writes it again.
  public var isRendered: Bool
  /// Whether a copy without encoding into a file of the same family has it, too.
  public var isCopied: Bool
  /// Whether a movie that lacks it is shown in another way.
  public var changesPresentation: Bool

  /// Creates a description.
  public init(
    name: String, meaning: String, videoTrack: Int? = nil, isRendered: Bool = false, isCopied: Bool = true,
    changesPresentation: Bool = false
  ) {
    (self.name, self.meaning, self.videoTrack) = (name, meaning, videoTrack)
    (self.isRendered, self.isCopied, self.changesPresentation) = (isRendered, isCopied, changesPresentation)
  }
}

/// What is known of boxes by name.
enum KnownBoxes {
  /// Boxes of video descriptions that libavformat writes itself, and those without a meaning of their own.
  static let ordinary: Set<String> = [
    "avcC", "hvcC", "av1C", "vpcC", "esds", "d263", "glbl", "damr", "btrt", "fiel", "chrm", "gama", "strf", "sinf", "dvc1",
    "jp2h",
    "vvcC", "apvC", "FIEL", "alis", "wave",
  ]

  /// Boxes of video descriptions with what they mean, whether they are rendered, and whether players show something else
  /// without them.
  static let video: [String: (meaning: String, isRendered: Bool, changesPresentation: Bool)] = [
    "pasp": ("the pixel aspect ratio", true, false), "colr": ("the color", true, false),
    "mdcv": ("the mastering display", true, false), "clli": ("the light levels", true, false),
    "SmDm": ("the mastering display", true, false), "CoLL": ("the light levels", true, false),
    "clap": ("the clean aperture", false, true), "amve": ("the ambient viewing environment", false, false),
    "cclv": ("the content color volume", false, false), "st3d": ("the stereo layout", false, true),
    "sv3d": ("the projection of 360° video", false, true), "vexu": ("the views of spatial video", false, true),
    "hfov": ("the field of view of spatial video", false, true),
    "lhvC": ("the decoder configuration of the second view", false, true),
    "dvcC": ("the Dolby Vision configuration", false, false), "dvvC": ("the Dolby Vision configuration", false, false),
    "dvwC": ("the Dolby Vision configuration", false, false), "hvcE": ("the Dolby Vision enhancement layer", false, false),
    "avcE": ("the Dolby Vision enhancement layer", false, false),
  ]

  /// The type of the box with Google's description of spherical video as XML, of a track.
  static let sphericalType: [UInt8] = [
    0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
  ]
  /// The name of that box in messages.
  static let sphericalName = "uuid (spherical XML)"

  /// Names of boxes of user data that hold metadata entries, which are described as such, and those of the format's own.
  static let userData: Set<String> = [
    "meta", "chpl", "name", "loci", "titl", "auth", "cprt", "dscp", "gnre", "yrrc", "perf", "albm", "rtng", "clsf", "kywd",
    "hnti", "hinf",
    "tagc", "manu", "modl", "date", "WLOC", "LOOP", "SelO", "AllF", "ptv ", "    ", "free", "skip", "vndr",
  ]
  /// Boxes of the file beside its index that hold media or nothing.
  static let file: Set<String> = [
    "ftyp", "mdat", "free", "skip", "wide", "moof", "mfra", "sidx", "styp", "ssix", "prft", "emsg", "pnot", "meta", "pdin",
    "bloc",
  ]
}

extension BoxFile {
  /// What the file states beside its media.
  var extras: [ContainerExtra] {
    var found: [ContainerExtra] = []
    for (index, track) in tracks("vide").enumerated() {
      for box in track.videoBoxes + track.sphericalBoxes where !KnownBoxes.ordinary.contains(box.name) {
        found.append(box.extra(ofVideoTrack: index))
      }
    }
    let user = movie.children().filter { $0.name == "udta" }.flatMap { $0.children() }
    for box in user where !KnownBoxes.userData.contains(box.name) && box.name.first != "©" {
      found.append(ContainerExtra(name: box.name, meaning: "a box of user data", isCopied: false))
    }
    for name in names where !KnownBoxes.file.contains(name) {
      found.append(ContainerExtra(name: name, meaning: "a box beside the media", isCopied: false))
    }
    return found
  }
}

extension TrackBox {
  /// The boxes of the track with descriptions of spherical video as XML.
  package var sphericalBoxes: [FileBox] {
    box.children().filter { $0.name == "uuid" && Array($0.contents().prefix(16)) == KnownBoxes.sphericalType }
  }
}

extension FileBox {
  fileprivate func extra(ofVideoTrack index: Int) -> ContainerExtra {
    if name == "uuid", Array(contents().prefix(16)) == KnownBoxes.sphericalType {
      return ContainerExtra(
        name: KnownBoxes.sphericalName, meaning: "the projection of 360° video", videoTrack: index, changesPresentation: true)
    }
    let known = KnownBoxes.video[name]
    return ContainerExtra(
      name: name, meaning: known?.meaning ?? "an unknown box", videoTrack: index, isRendered: known?.isRendered ?? false,
      changesPresentation: known?.changesPresentation ?? false)
  }
}

extension ContainerExtra {
  /// What it states, whichever container it is in.
  package var feature: String {
    switch name {
    case "sv3d", "Projection", KnownBoxes.sphericalName: "projection"
    case "st3d", "StereoMode": "stereo"
    case "mdcv", "SmDm": "mastering"
    case "clli", "CoLL": "light"
    case "dvcC", "dvvC", "dvwC", "BlockAdditionMapping": "dolby-vision"
    default: name
    }
  }
}
