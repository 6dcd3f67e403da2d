public import CompositorAPI
import CompositorMediaWriting
public import CompositorHost

extension Timeline {
  /// The timeline as an edit: composition tracks, instructions that follow each other without gap or overlap, titles, and an audio mix.
  ///
  /// Clips of one track share a composition track; where a transition lets them overlap they alternate between two. A
  /// transition becomes an instruction of its own, between those of the clips alone. Sources are turned upright, their
  /// pixel aspect is respected, and they are fitted to the canvas. Along a transition the audio of the two clips is cross-faded as
  /// ``Transition/audio`` says. Volumes and fades of clips and tracks multiply into the volumes of the mix, positions add, and both are
  /// written as ramps that are less than 0.01 dB off. A timeline of audio alone is valid.
  ///
  /// - Parameter catalog: Asked once for each source.
  /// - Throws: What the catalog throws; `.invalidValue`, located at the clip (`tracks[0].clips[2]`), where clips, transitions
  ///   and effects do not go together. O(n log n) in the number of clips.
  public func edit(catalog: MediaCatalog) throws(CompositorError) -> Edit {
    let media = ClipMediaSource(catalog)
    return try settled(catalog: catalog).edit { clip throws(CompositorError) in try media.media(for: clip) }
  }

  /// The same with canvas and frame rate, where they are left open, taken from the first clip that shows video.
  package func settled(catalog: MediaCatalog) throws(CompositorError) -> Timeline {
    let defaults = try OutputDefaults(self, catalog: catalog)
    var timeline = self
    timeline.canvas = defaults.canvas
    timeline.frameRate = defaults.frameRate
    return timeline
  }

  /// The canvas; of a timeline that is not settled yet, the usual one.
  package var renderSize: PixelSize { canvas ?? OutputDefaults.usualCanvas }
  /// Frames a second; of a timeline that is not settled yet, the usual ones.
  package var rate: Rational { frameRate ?? OutputDefaults.usualFrameRate }

  /// The same with a source of knowledge about media that needs no files.
  package func edit(
    media: (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> Edit {
    guard rate.numerator > 0, rate.denominator > 0, Int32(exactly: rate.numerator) != nil else {
      throw CompositorError(.invalidValue, "\(rate) frames a second is not a frame rate.")
    }
    let tracks = try placedTracks(media)
    let clips = tracks.clips
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
      deinterlacing: deinterlacing, titles: try titles(until: tracks.composition.duration))
    edit.sourceColors = sourceColors
    for (index, captions) in captions.enumerated() {
      do {
        edit.captions.append(try captions.track())
      } catch {
        throw error.within("captions[\(index)]")
      }
    }
    var known: Set<UndecodableTrackUse> = []
    edit.undecodableTracks = clips.joined().flatMap(\.media.undecodable).filter { known.insert($0).inserted }
    return edit
  }

  /// The clips with their places, and the composition tracks that hold them: where each part of the edit comes from.
  ///
  /// - Parameter catalog: Asked once for each source.
  /// - Throws: As ``edit(catalog:)``.
  package func placedTracks(catalog: MediaCatalog) throws(CompositorError) -> TimelineTracks {
    let media = ClipMediaSource(catalog)
    return try settled(catalog: catalog).placedTracks { clip throws(CompositorError) in try media.media(for: clip) }
  }

  private func placedTracks(
    _ media: (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> TimelineTracks {
    try TimelineTracks(clips: try placedClips(media), audio: tracks.map(\.audio), canvas: renderSize)
  }

  private func titles(until end: MediaTime) throws(CompositorError) -> Titles {
    var result = Titles(fonts: fonts, images: images)
    for (index, title) in titles.enumerated() {
      do {
        result.layers.append(try title.layer(canvas: renderSize, end: end))
      } catch {
        throw error.locating(ErrorLocation(path: "titles[\(index)]"))
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
        do {
          clips.append((clip, try media(clip)))
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(index)].clips[\(position)].asset"))
        }
      }
      if track.isFilling { filling[index] = clips }
      // What fills the timeline takes its length from all the others.
      let others = track.isFilling ? clips.dropLast() : clips[...]
      placed.append(try ClipPlacer(track: index, frameRate: rate).place(Array(others)))
    }
    let end = placed.joined().map(\.range.end).max()
    for index in filling.keys.sorted() {
      placed[index] = try ClipPlacer(track: index, frameRate: rate, timelineEnd: end).place(filling[index] ?? [])
    }
    return placed
  }
}

extension TimelineTrack {
  /// Whether its last clip lasts until everything else is over.
  fileprivate var isFilling: Bool { clips.last?.fillsTimeline == true }
}
