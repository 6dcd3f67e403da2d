import CCompositorFFmpeg
import CompositorAPI

/// What the container states beside its media.
extension FFmpegProbe {
  mutating func describeContainer(into info: inout MediaInfo) {
    guard demuxer.isMovieOfBoxes else {
      info.extras = info.videoTracks.flatMap(elements)
      // Only in small files, of which everything is read anyway.
      if demuxer.containerName == "flv", demuxer.isReadCompletely {
        noteAppendedRecording(at: FLVFile.appendedRecording(inFile: demuxer.path))
      }
      if demuxer.containerName == "wav" { info.extras = WaveFile.extras(inFile: demuxer.path) }
      if demuxer.containerName.contains("matroska") {
        info.extras += crops(of: info.videoTracks)
        if !info.chapters.isEmpty, let ordered = MatroskaEditions.ordered(path: demuxer.path) { info.extras.append(ordered) }
      }
      return
    }
    guard let file = BoxFile(path: demuxer.path) else { return }
    info.extras = file.extras
    info.headerDuration = file.headerDuration
    noteAppendedRecording(at: file.appendedMovie)
    let (video, audio, timescale) = (file.tracks("vide"), file.tracks("soun"), file.movieTimescale)
    for index in info.videoTracks.indices where video.indices.contains(info.videoTracks[index].index) {
      let track = video[info.videoTracks[index].index]
      info.videoTracks[index].edits = track.edits(timescale)
      if let unplayed = info.videoTracks[index].edits.unplayed(of: "video \(index)") { info.extras.append(unplayed) }
      if let several = track.severalCodings(videoTrack: info.videoTracks[index].index) { info.extras.append(several) }
      noteSizes(of: info.videoTracks[index], stated: track.sizes)
      info.videoTracks[index].title = info.videoTracks[index].title ?? track.name
    }
    for index in info.audioTracks.indices where audio.indices.contains(info.audioTracks[index].index) {
      let track = audio[info.audioTracks[index].index]
      info.audioTracks[index].edits = track.edits(timescale)
      if let unplayed = info.audioTracks[index].edits.unplayed(of: "audio \(index)") { info.extras.append(unplayed) }
      info.audioTracks[index].title = info.audioTracks[index].title ?? track.name
    }
  }

  /// Hidden edges of the frames of Matroska files.
  private func crops(of tracks: [VideoTrackInfo]) -> [ContainerExtra] {
    guard let found = MatroskaCrops(path: demuxer.path)?.tracks else { return [] }
    return tracks.compactMap { track in
      guard found.indices.contains(track.index), found[track.index] != MatroskaCrops.Crop() else { return nil }
      return ContainerExtra(
        name: "PixelCrop", meaning: found[track.index].meaning, videoTrack: track.index, isCopied: false,
        changesPresentation: true)
    }
  }

  /// Elements of other containers that libavformat reads.
  private func elements(of track: VideoTrackInfo) -> [ContainerExtra] {
    let stream = Int32(exactly: track.index).map { cff_demuxer_video_stream(demuxer.handle, $0) } ?? -1
    guard stream >= 0 else { return [] }
    let marks = cff_stream_marks(demuxer.handle, stream)
    let all: [(isThere: Bool, name: String, meaning: String)] = [
      (marks.spherical, "Projection", "the projection of 360° video"), (marks.stereo, "StereoMode", "the stereo layout"),
      (marks.dolby_vision, "BlockAdditionMapping", "the Dolby Vision configuration"),
    ]
    return all.filter(\.isThere).map {
      ContainerExtra(
        name: $0.name, meaning: $0.meaning, videoTrack: track.index, changesPresentation: $0.name != "BlockAdditionMapping")
    }
  }
}

extension TrackBox {
  /// What a file says of a track that was joined of differently coded recordings; `nil` for others. Decoders go on if the codec is the same.
  fileprivate func severalCodings(videoTrack: Int) -> ContainerExtra? {
    guard codings.count > 1 else { return nil }
    let kinds = Set(codings).sorted()
    let meaning =
      kinds.count == 1
      ? "\(codings.count) descriptions of coded media, of recordings that were joined"
      : "media in \(kinds.count) codecs (\(kinds.joined(separator: ", "))), of which the first is decoded"
    return ContainerExtra(
      name: ContainerExtra.severalCodings, meaning: meaning, videoTrack: videoTrack, isRendered: kinds.count == 1,
      isCopied: false, changesPresentation: true)
  }
}
