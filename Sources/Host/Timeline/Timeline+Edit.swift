public import CompositorAPI

extension Timeline {
  /// The timeline as an edit: composition tracks, instructions that follow each other without gap or overlap, and sound.
  ///
  /// Clips of one track share a composition track; where a transition lets them overlap they alternate between two. A
  /// transition becomes an instruction of its own, between those of the clips alone. Sources are turned upright, their
  /// pixel aspect is respected, and they are fitted to the canvas.
  ///
  /// - Parameter catalog: Asked once for each source.
  /// - Throws: What the catalog throws; `.invalidValue`, located at the clip (`tracks[0].clips[2]`), where clips, transitions
  ///   and effects do not go together. O(n log n) in the number of clips.
  public func edit(catalog: MediaCatalog) throws(CompositorError) -> Edit {
    try edit { clip throws(CompositorError) in ClipMedia(try catalog.info(for: clip.source), for: clip) }
  }

  /// The same with a source of knowledge about media that needs no files.
  package func edit(
    media: (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> Edit {
    guard frameRate.numerator > 0, frameRate.denominator > 0, Int32(exactly: frameRate.numerator) != nil else {
      throw CompositorError(.invalidValue, "\(frameRate) frames a second is not a frame rate.")
    }
    let clips = try placedClips(media)
    let tracks = try TimelineTracks(clips: clips, canvas: canvas)
    var video = VideoComposition(
      frameDuration: try ExactTime(frame: 1, rate: frameRate).mediaTime, renderSize: canvas)
    video.blending = blending
    video.colorConversion = colorConversion
    if let instructions {
      video.instructions = try ExplicitInstructions(timeline: self, tracks: tracks).make(instructions)
    } else {
      video.instructions = try DerivedInstructions(timeline: self, tracks: tracks).make()
    }
    var edit = Edit(composition: tracks.composition, videoComposition: video, output: output, deinterlacing: deinterlacing)
    var known: Set<UndecodableTrackUse> = []
    edit.undecodableTracks = clips.joined().flatMap(\.media.undecodable).filter { known.insert($0).inserted }
    return edit
  }

  private func placedClips(
    _ media: (TimelineClip) throws(CompositorError) -> ClipMedia
  ) throws(CompositorError) -> [[PlacedClip]] {
    var placed: [[PlacedClip]] = []
    for (index, track) in tracks.enumerated() {
      var clips: [(clip: TimelineClip, media: ClipMedia)] = []
      for (position, clip) in track.clips.enumerated() {
        do {
          clips.append((clip, try media(clip)))
        } catch {
          throw error.locating(ErrorLocation(path: "tracks[\(index)].clips[\(position)].asset"))
        }
      }
      placed.append(try ClipPlacer(track: index, frameRate: frameRate).place(clips))
    }
    return placed
  }
}
