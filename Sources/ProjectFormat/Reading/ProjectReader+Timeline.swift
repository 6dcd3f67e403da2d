import CompositorPlugins
import CompositorAPI
import CompositorTimeline

extension ProjectReader {
  /// The timeline for a canvas and a frame rate. Without a rate, times in frames are only checked for their syntax.
  func timeline(
    _ root: ProjectValue, _ header: Header, canvas: PixelSize?, frameRate: Rational?
  ) throws(CompositorError) -> Timeline {
    let knownCanvas = canvas ?? OutputDefaults.defaultCanvas
    let reader = TimelineReader(
      header: header, canvas: knownCanvas, frameRate: frameRate, directory: directory, registry: registry)
    var timeline = Timeline(canvas: canvas, frameRate: frameRate)
    header.apply(to: &timeline)
    for track in try header.project.required("tracks").list() { timeline.tracks.append(try reader.track(track)) }
    guard !timeline.tracks.isEmpty else {
      throw try header.project.required("tracks").error(
        "A project needs a track.",
        recoverySuggestion: "Add one with a clip: tracks: [{ clips: [{ asset: \"NAME\" }] }].")
    }
    try reader.checkNames(timeline.tracks, root)
    timeline.audio = try reader.outputAudio(header.project)
    timeline.audioTracks = try reader.outputAudioTracks(header.project, timeline.tracks)
    timeline.effects = try header.project.list("effects", reader.effect) ?? []
    let tracks = timeline.tracks
    timeline.instructions = try header.project.list("instructions") { value throws(CompositorError) in
      try reader.instruction(value, tracks)
    }
    try checkExplicit(timeline, header.project)
    let titles = TitleReader(frameRate: frameRate, canvas: canvas, project: self)
    timeline.titles = try titles.titles(header.project) ?? []
    timeline.captions =
      try CaptionReader(frameRate: frameRate, canvas: canvas, assets: header.assets, project: self).captions(header.project)
    timeline.fonts = try fonts(header.project)
    if timeline.titles.contains(where: { if case .layer = $0.content { true } else { false } }) {
      timeline.images = header.assets
    }
    return timeline
  }

  /// Paths of font files.
  private func fonts(_ project: ProjectObject) throws(CompositorError) -> [String] {
    let paths = try project.list("fonts") { value throws(CompositorError) in try value.string() } ?? []
    return paths.map { $0.hasPrefix("/") ? $0 : directory + $0 }
  }

  /// Checks that keys which derive instructions aren't used with explicit ones.
  private func checkExplicit(_ timeline: Timeline, _ project: ProjectObject) throws(CompositorError) {
    try project.exclude("instructions", "effects")
    guard let instructions = timeline.instructions, let place = project["instructions"] else { return }
    guard !instructions.isEmpty else {
      throw place.error("The list of instructions is empty.", recoverySuggestion: "Leave it away to derive them.")
    }
    if timeline.tracks.contains(where: { $0.clips.contains { $0.transition != nil } }) {
      throw place.error(
        "Explicit instructions and transitions exclude each other.",
        recoverySuggestion: "Put the overlapping clips on two tracks and write the transition as an instruction.")
    }
  }
}

/// Reads tracks, clips, instructions and effects at a frame rate.
struct TimelineReader {
  let header: ProjectReader.Header
  /// The canvas that percentages refer to; a default one if it isn't known yet.
  let canvas: PixelSize
  /// Frames per second; `nil` if unknown.
  let frameRate: Rational?
  /// The directory that paths are relative to.
  let directory: String
  /// The registry of the reader.
  let registry: CompositorRegistry?

  func time(_ value: ProjectValue) throws(CompositorError) -> MediaTime { try knownTime(value) ?? .zero }

  /// A time; `nil` if it is in frames and their rate isn't known yet.
  func knownTime(_ value: ProjectValue) throws(CompositorError) -> MediaTime? { try value.time(atKnownFrameRate: frameRate) }

  /// A time; `nil` for "auto".
  private func start(_ value: ProjectValue) throws(CompositorError) -> MediaTime? {
    if value.isText, try value.string() == "auto" { return nil }
    return try time(value)
  }

  func positive(_ value: ProjectValue) throws(CompositorError) -> MediaTime {
    guard let time = try knownTime(value) else { return .zero }
    guard time > .zero else {
      throw value.error("A duration must be greater than 0.", recoverySuggestion: "Write a time such as \"2s\".")
    }
    return time
  }

  func track(_ value: ProjectValue) throws(CompositorError) -> TimelineTrack {
    let object = try value.object(ProjectSchema.shape("track"))
    let clips = try object.required("clips")
    var track = TimelineTrack(
      name: try object.string("name"), clips: try object.list("clips", clip) ?? [])
    track.audio = try trackAudio(object)
    guard !track.clips.isEmpty else {
      throw clips.error(
        "A track needs a clip.",
        recoverySuggestion:
          "Remove the track, or add a clip. A clip with forEach is there once for each item of its list, which may be empty.")
    }
    return track
  }

  func checkNames(_ tracks: [TimelineTrack], _ root: ProjectValue) throws(CompositorError) {
    var seen: Set<String> = []
    for (index, track) in tracks.enumerated() {
      guard let name = track.name, !seen.insert(name).inserted else { continue }
      let path = "tracks[\(index)].name"
      throw root.text.error(
        "tracks[\(index)] has the name \(quoted(name)) of a track before it.", recoverySuggestion: "Give each track its own.",
        atByte: root.node.node(atPath: path)?.offset ?? root.node.offset, path: path)
    }
  }

  private func clip(_ value: ProjectValue) throws(CompositorError) -> TimelineClip {
    let object = try value.object(ProjectSchema.shape("clip"))
    var clip = TimelineClip(try source(try object.required("asset")))
    clip.start = try object.read("at", start) ?? nil
    clip.sourceStart = try object.read("in", time)
    if let duration = object["duration"] {
      if duration.isText, try duration.string() == "fill" {
        clip.length = .fill
      } else {
        clip.duration = try positive(duration)
      }
    }
    clip.ends = try object.choice("ends", ClipEnds.self)
    clip.holdsLastFrame = try object.bool("hold") ?? false
    if let speed = object["speed"] { try read(speed, into: &clip) }
    clip.isReversed = try object.bool("reverse") ?? false
    clip.pitch = try object.read("pitch", pitch) ?? .spectral
    clip.frameInterpolation = try object.choice("frames", FrameInterpolation.self) ?? .nearest
    clip.videoTrackIndex = try object.integer("videoTrack") ?? 0
    if let track = object["audioTrack"] {
      if track.isWord { clip.audioChoice = try audioTrack(track) } else { clip.audioTrackIndex = try track.integer() }
    }
    try readAudio(object, into: &clip)
    clip.showsVideo = try object.bool("video") ?? true
    if try object.bool("audio") == false { clip.audio = .unused }
    clip.transition = try object.read("transition", transition)
    clip.effects = try object.list("effects", effectUse) ?? []
    try readLook(object, into: &clip)
    if clip.speed.isStill { try silence(&clip, value) }
    return clip
  }

  private func readLook(_ object: ProjectObject, into clip: inout TimelineClip) throws(CompositorError) {
    let look = try look(object)
    clip.fit = look.fit ?? .fit
    clip.opacity = look.opacity ?? .constant(1)
    clip.placement = look.placement ?? .constant(ClipPlacement())
    clip.crop = look.crop
    clip.decoration = look.decoration
    (clip.sampling, clip.motionBlur) = (look.sampling, look.motionBlur)
  }

  /// Makes a still frame silent, because audio doesn't play at speed 0.
  private func silence(_ clip: inout TimelineClip, _ value: ProjectValue) throws(CompositorError) {
    clip.audio = .unused
    guard !clip.isReversed else {
      throw value.error(
        "A still frame has no direction.", recoverySuggestion: "Remove reverse, or give it a speed.")
    }
    guard clip.length != .media else {
      throw value.error("A still frame needs a duration.", recoverySuggestion: "Add duration.")
    }
  }

  func source(_ value: ProjectValue) throws(CompositorError) -> MediaSource {
    let name = try value.string()
    guard let source = header.assets[name] else {
      let names = header.assets.keys.sorted()
      if let error = try misnamed(value, names) { throw error }
      if !names.isEmpty { throw value.error("There is no asset \(quoted(name)).", for: name, among: names) }
      throw value.error(
        "There is no asset \(quoted(name)).", recoverySuggestion: ProjectReader.adviceOnAsset(name, among: names))
    }
    return source
  }

  /// A constant speed, or a ramp.
  private func read(_ value: ProjectValue, into clip: inout TimelineClip) throws(CompositorError) {
    guard value.isList else {
      clip.speed = .constant(try speed(value))
      return
    }
    let ramp = try keyframes(value, ProjectSchema.shape("speedKeyframe")) { object, _ throws(CompositorError) in
      let value = try object.required("value")
      let speed = try self.speed(value)
      guard speed.numerator > 0 else {
        throw value.error(
          "A ramp cannot have speed 0.", recoverySuggestion: "End the clip, and hold its frame in one with speed: 0.")
      }
      return speed.value
    }
    if case .keyframes(let points) = ramp { clip.speed = .ramp(points) }
  }

  private func pitch(_ value: ProjectValue) throws(CompositorError) -> PitchAlgorithm {
    let words = ["keep": PitchAlgorithm.spectral, "follow": .varispeed]
    let word = try value.string()
    guard let pitch = words[word] ?? PitchAlgorithm(rawValue: word) else {
      throw value.error("\(quoted(word)) is not a value of \"pitch\".", for: word, among: ProjectSchema.pitches)
    }
    return pitch
  }

  private func speed(_ value: ProjectValue) throws(CompositorError) -> Rational {
    let written: Rational? =
      switch value.node.value {
      case .number(let digits): Rational(printed: digits)
      case .string(let text): Rational(fraction: text)
      default: nil
      }
    if let written, written.numerator < 0 {
      throw value.error(
        "A speed of \(value.node.value.written) is not possible.",
        recoverySuggestion: "Use 1/10000 to 10000, or 0 for a still frame; `reverse: true` plays backward.")
    }
    let speed = try value.ratio(allowingZero: true)
    guard speed.numerator == 0 || SegmentRetiming.speeds.contains(speed.value) else {
      throw value.error(
        "A speed of \(speed) is not possible.", recoverySuggestion: "Use 1/10000 to 10000, or 0 for a still frame.")
    }
    return speed
  }

  func compositorID(_ value: ProjectValue) throws(CompositorError) -> CompositorID {
    let name = try value.string()
    guard !name.isEmpty else {
      throw value.error("A compositor has a name.", recoverySuggestion: "Write one such as \"builtin.layer\".")
    }
    return try known(CompositorID(rawValue: name), value).id
  }
}

extension TimelineReader {
  func instruction(_ value: ProjectValue, _ tracks: [TimelineTrack]) throws(CompositorError) -> TimelineInstruction {
    let object = try value.object(ProjectSchema.shape("instruction"))
    // A track that fills the canvas as it is has no other look, and is drawn by no compositor.
    try object.exclude("passthrough", "layers")
    try object.exclude("passthrough", "compositor")
    var instruction = TimelineInstruction()
    instruction.start = try object.read("at", start) ?? nil
    instruction.duration = try object.read("duration", positive)
    instruction.background = try object.color("background")
    instruction.layers = try object.list("layers") { item throws(CompositorError) in try layer(item, tracks) } ?? []
    instruction.passthroughTrack = try object.read("passthrough") { item throws(CompositorError) in try track(item, of: tracks)
    }
    instruction.compositor = try object.read("compositor", compositorID) ?? .layer
    (instruction.parameters, instruction.animatedParameters) = try parameters(object, of: instruction.compositor)
    instruction.effects = try object.list("effects", effectUse) ?? []
    instruction.additionalTracks =
      try object.list("tracks") { item throws(CompositorError) in try track(item, of: tracks) } ?? []
    return instruction
  }

  private func layer(_ value: ProjectValue, _ tracks: [TimelineTrack]) throws(CompositorError) -> TimelineLayer {
    let object = try value.object(ProjectSchema.shape("layer"))
    var layer = TimelineLayer(track: try track(try object.required("track"), of: tracks))
    let look = try look(object)
    (layer.fit, layer.opacity, layer.placement, layer.crop) = (look.fit, look.opacity, look.placement, look.crop)
    layer.decoration = look.decoration
    (layer.sampling, layer.motionBlur) = (look.sampling, look.motionBlur)
    layer.effects = try object.list("effects", effectUse)
    return layer
  }

  /// A track's index, from its name or its index.
  func track(_ value: ProjectValue, of tracks: [TimelineTrack]) throws(CompositorError) -> Int {
    guard value.isText else {
      let index = try value.integer()
      guard tracks.indices.contains(index) else {
        throw value.error("There is no track \(index).", recoverySuggestion: "Tracks count from 0 to \(tracks.count - 1).")
      }
      return index
    }
    let name = try value.string()
    guard let index = tracks.firstIndex(where: { $0.name == name }) else {
      throw value.error("There is no track \(quoted(name)).", for: name, among: tracks.compactMap(\.name))
    }
    return index
  }
}

extension ProjectReader.Header {
  /// Sets what the project says about its output and its sources.
  fileprivate func apply(to timeline: inout Timeline) {
    output.apply(to: &timeline)
    timeline.deinterlacing = deinterlacing
    timeline.sourceColors = sourceColors
  }
}

extension ProjectOutput {
  /// Sets what is composed for the output.
  func apply(to timeline: inout Timeline) {
    timeline.background = background
    timeline.blending = blending
    timeline.sampling = sampling
    timeline.colorConversion = colorConversion
    timeline.output.color = color
    timeline.output.hdrMetadata = hdrMetadata
    timeline.output.format = format
    timeline.output.bitDepth = bitDepth
    timeline.output.roundsCanvas = size == nil
    timeline.output.followsSourceLayout = followsSourceLayout
    timeline.output.followsSourceChromaSites = followsSourceChromaSites
    timeline.output.peak = peak
    timeline.output.alphaMode = keepsAlpha ? .straight : .opaque
  }
}
