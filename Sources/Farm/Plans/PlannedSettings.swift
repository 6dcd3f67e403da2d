package import CompositorAPI
package import CompositorExport
import CompositorHost
package import CompositorMediaIO
package import CompositorMediaWriting
package import CompositorProjectFormat

extension SegmentPlan {
  /// How every machine loads a plan's project and exports it. Paths are relative to the plan's folder.
  public struct Recipe: Hashable, Sendable, Codable {
    /// What overrides the project.
    package var overrides: ProjectOverrides
    /// The settings of the export.
    package var settings: PlannedSettings

    package init(_ overrides: ProjectOverrides = ProjectOverrides(), _ settings: ExportSettings = ExportSettings()) {
      (self.overrides, self.settings) = (overrides, PlannedSettings(settings))
    }
  }

  /// The recipe of a row of a batch, or of the movie.
  package func recipe(ofRow row: Int? = nil) -> Recipe {
    guard let row, let rows, rows.indices.contains(row) else { return recipe }
    return rows[row].recipe ?? recipe
  }
}

/// The settings of an export that its bytes depend on. Threads, budgets and traces are those of the machine that renders;
/// whether files are replaced, its caller decides.
package struct PlannedSettings: Hashable, Sendable, Codable {
  package var video: VideoEncodingSettings
  package var videoTrack: VideoTrackChoice
  package var audio: AudioEncodingSettings?
  package var timeRange: TimeRange?
  package var metadata: [String: String]
  package var creationSecondsSince1970: Int?
  package var quality: RenderQuality
  package var sampling: SamplingQuality?
  package var damaged: DamagePolicy
  package var size: PixelSize?
  package var largestSize: PixelSize?
  package var keepsSourceAlpha: Bool
  package var keepsSourceAudio: Bool
  package var keepsFloatingPoint: Bool
  /// Without duplicates, in alphabetical order, so that equal settings have equal bytes.
  package var audioFromFirstClip: [AudioProperty]
  package var largestSampleRate: Int?
  package var mostChannels: Int?
  package var frameRate: Rational?
  package var highestFrameRate: Int?
  package var chapters: [Chapter]
  package var cover: CoverImage?
  package var fastStart: Bool
  package var orientation: Orientation
  package var passthrough: PassthroughMode?
  package var metadataNotes: [String]

  /// Takes the settings of an export.
  package init(_ settings: ExportSettings) {
    (video, videoTrack, audio) = (settings.video, settings.videoTrack, settings.audio)
    (timeRange, passthrough) = (settings.timeRange, settings.passthrough)
    (metadata, metadataNotes) = (settings.metadata, settings.metadataNotes)
    creationSecondsSince1970 = settings.creationSecondsSince1970
    (quality, sampling, damaged) = (settings.render.quality, settings.render.sampling, settings.render.damaged)
    (size, largestSize) = (settings.size, settings.largestSize)
    keepsSourceAlpha = settings.keepsSourceAlpha
    (keepsSourceAudio, keepsFloatingPoint) = (settings.keepsSourceAudio, settings.keepsFloatingPoint)
    audioFromFirstClip = settings.audioFromFirstClip.sorted { $0.rawValue < $1.rawValue }
    (largestSampleRate, mostChannels) = (settings.largestSampleRate, settings.mostChannels)
    (frameRate, highestFrameRate) = (settings.frameRate, settings.highestFrameRate)
    (chapters, cover) = (settings.chapters, settings.cover)
    (fastStart, orientation) = (settings.fastStart, settings.orientation)
  }

  /// The settings of an export on this machine.
  package var export: ExportSettings {
    var settings = ExportSettings(
      video: video, audio: audio, timeRange: timeRange, metadata: metadata,
      creationSecondsSince1970: creationSecondsSince1970, videoTrack: videoTrack)
    (settings.passthrough, settings.metadataNotes) = (passthrough, metadataNotes)
    (settings.render.quality, settings.render.sampling, settings.render.damaged) = (quality, sampling, damaged)
    (settings.size, settings.largestSize) = (size, largestSize)
    settings.keepsSourceAlpha = keepsSourceAlpha
    (settings.keepsSourceAudio, settings.keepsFloatingPoint) = (keepsSourceAudio, keepsFloatingPoint)
    settings.audioFromFirstClip = Set(audioFromFirstClip)
    (settings.largestSampleRate, settings.mostChannels) = (largestSampleRate, mostChannels)
    (settings.frameRate, settings.highestFrameRate) = (frameRate, highestFrameRate)
    (settings.chapters, settings.cover) = (chapters, cover)
    (settings.fastStart, settings.orientation) = (fastStart, orientation)
    return settings
  }
}
