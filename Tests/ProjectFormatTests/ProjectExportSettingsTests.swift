import CompositorAPI
import CompositorExport
import CompositorHost
import CompositorMedia
import CompositorMediaIO
import CompositorMediaWriting
import CompositorProjectFormat
import CompositorTestSupport
import CompositorValidation
import Foundation
import Testing

/// What of a project arrives in the settings of its export.
@Suite struct ProjectExportSettingsTests {
  private static func loaded(
    _ output: String, directory: String? = nil
  ) throws -> (file: ProjectFile, composition: ValidatedComposition) {
    let file = try ProjectFile(
      """
      { version: 1, output: { \(output) },
        assets: { clock: { generate: "clock", size: "640x360", frameRate: 25, duration: "2s", tone: 440 } },
        tracks: [{ clips: [{ asset: "clock" }] }] }
      """, directory: directory)
    let catalog = MediaCatalog()
    return (file, try CompositionValidator.validate(file.edit(catalog: catalog), catalog: catalog).get())
  }

  private static func settings(
    _ output: String, to path: String, _ change: (inout OutputOverrides) -> Void = { _ in }
  ) throws -> ExportSettings {
    let (file, composition) = try loaded(output)
    var overrides = OutputOverrides()
    change(&overrides)
    return try file.exportSettings(for: composition, to: path, overrides: overrides)
  }

  @Test func audio_metadata_chapters_andCover_arrive() throws {
    let settings = try Self.settings(
      """
      audio: { codec: 'opus', sampleRate: 24000, channels: 1, bitRate: '48k' },
      metadata: { title: 'A day', location: [48.2082, 16.3738] }, fastStart: false, rotation: 90, cover: { at: '10f' },
      chapters: [{ at: '0s', title: 'Hello' }, { at: '25f', title: 'Numbers' }]
      """, to: "movie.mp4")
    #expect(settings.audio == AudioEncodingSettings(codec: .opus, sampleRate: 24_000, channelCount: 1, bitRate: 48_000))
    #expect(settings.metadata == ["title": "A day", "location": "+48.2082+016.3738/"])
    #expect(settings.chapters == [Chapter(start: .zero, title: "Hello"), Chapter(start: .seconds(1), title: "Numbers")])
    #expect(settings.cover == .frame(at: .frames(10, at: 25)))
    #expect(!settings.fastStart && settings.orientation == Orientation(quarterTurns: 1))
    #expect(try Self.settings("audio: false", to: "movie.mp4").audio == nil)
  }

  @Test func presets_limitSizeAndRate_unlessTheProjectChooses() throws {
    let preset = try Self.settings("preset: 'gif'", to: "movie.gif")
    #expect(preset.largestSize == PixelSize(width: 480, height: 480) && preset.highestFrameRate == 20)
    let chosen = try Self.settings("preset: 'gif', size: '640x360', frameRate: 25", to: "movie.gif")
    #expect(chosen.largestSize == nil && chosen.highestFrameRate == nil)
    let overridden = try Self.settings("preset: 'archive', size: '640x360'", to: "movie.mp4") { $0.preset = .phone }
    #expect(overridden.largestSize == ExportPreset.phone.definition.largestSize && overridden.highestFrameRate == 60)
    #expect(overridden.video == ExportPreset.phone.video && !overridden.keepsSourceAudio)
    let archive = try Self.settings("preset: 'archive'", to: "movie.mkv")
    #expect(archive.keepsSourceAudio && archive.keepsFloatingPoint && archive.audio?.chosenCodec == .flac)
    #expect(!(try Self.settings("preset: 'archive'", to: "movie.mkv") { $0.sampleRate = 44_100 }.keepsSourceAudio))
  }

  @Test(arguments: [
    ("", "mp4", VideoEncodingSettings.Codec.h264), ("color: 'hlg'", "mp4", .hevc), ("color: 'pq'", "mkv", .hevc),
    ("color: 'hlg'", "webm", .vp9), ("", "gif", .gif), ("", "nut", .raw), ("video: { codec: 'ffv1' }", "nut", .raw),
    ("color: 'hlg', video: { codec: 'prores' }", "mov", .proRes), ("color: 'hlg', video: { quality: 20 }", "mp4", .hevc),
  ])
  func codec_isTheProjects_orTheDefault(_ output: String, _ suffix: String, _ codec: VideoEncodingSettings.Codec) throws {
    #expect(try Self.settings(output, to: "movie.\(suffix)").video.codec == codec)
  }

  @Test func codecs_ofAProject_areNotForStreams() throws {
    let (file, composition) = try Self.loaded("video: { codec: 'ffv1' }, audio: { codec: 'flac', channels: 1 }")
    let settings = try file.exportSettings(for: composition, to: MovieStream(descriptor: 1))
    #expect(settings.video.codec == .raw && settings.audio == AudioEncodingSettings(channelCount: 1))
    let matroska = try file.exportSettings(for: composition, to: MovieStream(descriptor: 1), container: .mkv)
    #expect(matroska.video.codec == .ffv1 && matroska.audio?.chosenCodec == nil)
  }

  @Test func quality_ofImages_isAnInteger() throws {
    let settings = try Self.settings("video: { quality: 20 }", to: "frame_%02d.jpg") { $0.quality = 80 }
    #expect(settings.images.quality == 80 && settings.video.quality == .constant(20))
    for quality in [0.5, .nan, .infinity] {
      let refused = try Self.settings("", to: "frame_%02d.jpg") { $0.quality = quality }
      #expect(throws: CompositorError.self) { try refused.images.validate(for: .jpeg, path: "frame_%02d.jpg") }
    }
  }

  @Test func metadata_ofOverrides_areAdded_andReplaceTheProjects() throws {
    let output = "metadata: { title: 'A day', artist: 'Ada' }, chapters: [{ at: '1s', title: 'Hello' }], rotation: 90"
    let settings = try Self.settings(output, to: "movie.mp4") {
      $0.metadata.entries = ["title": "Another"]
      ($0.metadata.chapters, $0.metadata.orientation) = ([], .upright)
    }
    #expect(settings.metadata == ["title": "Another", "artist": "Ada"])
    #expect(settings.chapters.isEmpty && settings.orientation == .upright)
  }

  @Test(arguments: [
    ("preset: 'phone'", "movie.webm", CompositorError.Code.unsupportedOutput, "output.preset"),
    ("cover: { at: '3s' }", "movie.mp4", .noFrame, "output.cover.at"),
    ("metadataFrom: 'missing.mov'", "movie.mp4", .fileNotFound, "output.metadataFrom"),
    ("video: { quality: 99 }", "movie.mp4", .unsupportedOutput, "output.video.quality"),
  ])
  func mistakes_areLocatedInTheProject(
    _ output: String, _ path: String, _ code: CompositorError.Code, _ key: String
  ) throws {
    #expect {
      try Self.settings(output, to: path)
    } throws: { error in
      guard let error = error as? CompositorError else { return false }
      return error.code == code && error.location.path == key
    }
  }

  @Test func mistakes_ofWhatIsOverridden_areNone() throws {
    let cover = try Self.settings("cover: { at: '3s' }", to: "movie.mp4") { $0.metadata.cover = .frame(at: .zero) }
    #expect(cover.cover == .frame(at: .zero))
    #expect(try Self.settings("preset: 'phone'", to: "movie.webm") { $0.preset = .vp9 }.video.codec == .vp9)
    #expect(throws: CompositorError.self) { try Self.settings("", to: "movie.mp4") { $0.metadata.source = .onlyMedia } }
  }

  @Test func preset_ofOverrides_writesItsFilesOnly() throws {
    #expect {
      try Self.settings("preset: 'vp9'", to: "movie.webm") { $0.preset = .phone }
    } throws: { error in
      guard let error = error as? CompositorError else { return false }
      return error.code == .unsupportedOutput && error.message == "The preset phone writes no .webm file."
    }
  }

  /// An export replaces no file that its project reads, although the composition doesn't show it.
  @Test(.enabled(if: hasFFmpeg)) func files_thatAProjectNames_areKept() async throws {
    let folder = try TemporaryFolder()
    let source = folder.file("source.mp4")
    let red = "color=red:s=64x48:r=25:d=0.2"
    try runTool("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", red, "-metadata", "title=A day", source])
    let (file, composition) = try Self.loaded("metadataFrom: 'source.mp4'", directory: folder.path + "/")
    var settings = try file.exportSettings(for: composition, to: source)
    #expect(settings.metadata["title"] == "A day")
    settings.overwrites = true
    await #expect {
      try await Exporter.export(composition, to: source, settings: settings)
    } throws: { error in
      (error as? CompositorError)?.code == .outputIsInput
    }
  }
}
