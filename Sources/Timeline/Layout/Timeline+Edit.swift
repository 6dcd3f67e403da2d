public import CompositorAPI
public import CompositorMedia

extension Timeline {
  /// Converts the timeline to an edit: composition tracks, instructions without gaps and overlaps, titles, and an audio mix.
  ///
  /// Clips of one track share a composition track; if a transition makes them overlap, they alternate between two. A transition
  /// becomes a separate instruction between those of the clips alone. Sources are shown upright with their pixel aspect ratio,
  /// and are fitted to the canvas. During a transition the audio of the two clips is cross-faded according to
  /// ``Transition/audio``. Volumes and fades of clips and tracks are multiplied into the volumes of the mix, pan positions are
  /// added, and both are written as ramps with an error of less than 0.01 dB. A timeline with only audio is valid.
  ///
  /// - Parameter catalog: The catalog that describes sources. It is called once for each source.
  /// - Throws: The errors of the catalog; `.invalidValue`, located at the clip (`tracks[0].clips[2]`), if clips, transitions
  ///   and effects are incompatible; `.trackNotFound`, located at the choice, if a clip's media lack the audio track that it
  ///   chooses, or no clip's has one that ``audioTracks`` choose. O(n log n) in the number of clips.
  public func edit(catalog: MediaCatalog) throws(CompositorError) -> Edit {
    probeMedia(catalog: catalog)
    let media = ClipMediaSource(catalog, ends: ends, outputs: audioTracks)
    return try settled(catalog: catalog).edit { clip throws(CompositorError) in try media.media(for: clip) }
  }

  /// Probes the files of all clips together, before they are needed one after another.
  func probeMedia(catalog: MediaCatalog) {
    catalog.probeFiles(tracks.lazy.flatMap(\.clips).map(\.source))
    catalog.probeFiles(masks.map(\.source))
  }

  /// The timeline with a missing canvas or frame rate taken from the first clip that shows video.
  package func settled(catalog: MediaCatalog) throws(CompositorError) -> Timeline {
    let defaults = try OutputDefaults(self, catalog: catalog)
    var timeline = sized(for: defaults.canvas)
    timeline.canvas = defaults.canvas
    if canvas == nil { timeline.output.roundsCanvas = true }
    timeline.frameRate = defaults.frameRate
    return timeline
  }

  /// The timeline with the size of the canvas for generated sources that have none of their own.
  private func sized(for canvas: PixelSize) -> Timeline {
    var timeline = self
    for track in tracks.indices {
      for clip in tracks[track].clips.indices where tracks[track].clips[clip].source.takesSizeOfCanvas {
        timeline.tracks[track].clips[clip].source = tracks[track].clips[clip].source.sized(for: canvas)
      }
    }
    timeline.updateMasks { mask in
      if mask.source.takesSizeOfCanvas { mask.source = mask.source.sized(for: canvas) }
    }
    for (name, source) in images where source.takesSizeOfCanvas { timeline.images[name] = source.sized(for: canvas) }
    return timeline
  }

  /// The canvas, or the default one if it isn't resolved yet.
  package var renderSize: PixelSize { canvas ?? OutputDefaults.defaultCanvas }
  /// Frames per second, or the default if the rate isn't resolved yet.
  package var rate: Rational { frameRate ?? OutputDefaults.defaultFrameRate }

  /// The same with a description of media that needs no files.
  package func edit(
    media: @escaping (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> Edit {
    guard rate.numerator > 0, rate.denominator > 0, Int32(exactly: rate.numerator) != nil else {
      throw CompositorError(.invalidValue, "\(rate.plain) frames a second is not a frame rate.")
    }
    var tracks = try placedTracks(media)
    let clips = tracks.clips
    try MissingOutputTracks.check(self, tracks: tracks)
    let outputs = audioOutputs(of: tracks)
    if let standard = outputs.first(where: \.isDefault) ?? outputs.first { try tracks.disable(allBut: standard.trackIDs) }
    var video = VideoComposition(
      frameDuration: try ExactTime(frame: 1, rate: rate).mediaTime, renderSize: renderSize)
    video.blending = blending
    video.sampling = sampling
    video.colorConversion = colorConversion
    if let instructions {
      video.instructions = try ExplicitInstructions(timeline: self, tracks: tracks).make(instructions)
    } else {
      video.instructions = try DerivedInstructions(timeline: self, tracks: tracks).make()
    }
    var edit = Edit(
      composition: tracks.composition, videoComposition: video, audioMix: try audioMix(of: tracks), output: output,
      deinterlacing: deinterlacing, titles: try titles(over: tracks))
    edit.hasWrittenInstructions = instructions != nil
    edit.sourceColors = sourceColors
    edit.audioTracks = outputs
    for (index, captions) in captions.enumerated() {
      do {
        edit.captions.append(try captions.track())
      } catch {
        throw error.within("captions[\(index)]")
      }
    }
    var known: Set<UndecodableTrackUse> = []
    edit.undecodableTracks = clips.joined().flatMap(\.media.undecodable).filter { known.insert($0).inserted }
    for clip in clips.joined() {
      edit.unevenEnds += try clip.unevenEnds(outputRate: rate, isChosen: ends != nil, outputs: audioTracks)
    }
    return edit
  }

  /// The placed clips, and the composition tracks that contain them, which relate each part of the edit to its origin.
  ///
  /// - Parameter catalog: The catalog that describes sources. It is called once for each source.
  /// - Throws: The errors of ``edit(catalog:)``.
  package func placedTracks(catalog: MediaCatalog) throws(CompositorError) -> TimelineTracks {
    let media = ClipMediaSource(catalog, ends: ends, outputs: audioTracks)
    return try settled(catalog: catalog).placedTracks { clip throws(CompositorError) in try media.media(for: clip) }
  }

  private func placedTracks(
    _ media: @escaping (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> TimelineTracks {
    var tracks = try TimelineTracks(
      clips: try placedClips(media), audio: tracks.map(\.audio), outputs: audioTracks, canvas: renderSize, frameRate: rate)
    try tracks.add(MaskPlacer.place(self, tracks, media: media), frameRate: rate)
    return tracks
  }

  /// The audio tracks of the output, with the language of the first track that each of them plays, unless it is a mix.
  private func audioOutputs(of placed: TimelineTracks) -> [AudioOutputTrack] {
    zip(audioTracks, placed.outputTrackIDs).map { track, trackIDs in
      let clips = placed.clips.indices.filter { track.tracks?.contains($0) ?? true }.flatMap { placed.clips[$0] }
      let played = clips.lazy.map { $0.audioTracks(track.choice) }.first { !$0.isEmpty } ?? []
      let language = played.count == 1 ? played[0].language : nil
      return AudioOutputTrack(
        trackIDs, language: track.language ?? language, title: track.title, isDefault: track.isDefault)
    }
  }

  private func titles(over tracks: TimelineTracks) throws(CompositorError) -> Titles {
    let end = tracks.composition.duration
    var result = Titles(fonts: fonts, images: images)
    for (index, title) in titles.enumerated() {
      do {
        result.layers.append(try following(title, tracks).layer(canvas: renderSize, end: end))
      } catch {
        throw error.within("titles[\(index)]")
      }
    }
    return result
  }

  private func placedClips(
    _ media: (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> [[PlacedClip]] {
    var filling: [Int: [(clip: TimelineClip, media: ClipMedia)]] = [:]
    var placed: [[PlacedClip]] = []
    for (index, track) in tracks.enumerated() {
      var clips: [(clip: TimelineClip, media: ClipMedia)] = []
      clips.reserveCapacity(track.clips.count)
      for (position, clip) in track.clips.enumerated() {
        if clip.length == .fill, position < track.clips.count - 1 {
          throw CompositorError(
            .invalidValue, "The clip is to fill the timeline, but another one follows it.",
            recoverySuggestion:
              "Only the last clip of a track can: give this one a duration, such as \"5s\", or move it to a track of its own.",
            at: ErrorLocation(path: "tracks[\(index)].clips[\(position)]"))
        }
        do {
          clips.append((clip, try media(clip)))
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(index)].clips[\(position)].asset"))
        }
      }
      if track.isFilling { filling[index] = clips }
      // The length of a clip that fills the timeline depends on all others.
      let others = track.isFilling ? clips.dropLast() : clips[...]
      placed.append(try ClipPlacer(track: index, frameRate: rate, alignsToFrames: !isAudioAlone).place(Array(others)))
    }
    let end = placed.joined().map(\.range.end).max()
    for index in filling.keys.sorted() {
      placed[index] = try ClipPlacer(
        track: index, frameRate: rate, timelineEnd: end, alignsToFrames: !isAudioAlone
      ).place(filling[index] ?? [])
    }
    return placed
  }
}

extension TimelineTrack {
  /// Whether its last clip lasts until everything else has ended.
  fileprivate var isFilling: Bool { clips.last?.length == .fill }
}
