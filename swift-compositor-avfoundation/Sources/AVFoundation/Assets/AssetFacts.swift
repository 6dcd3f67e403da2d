internal import Compositor
internal import Foundation
internal import Synchronization

/// What is known of a file, which is read when somebody asks first.
final class AssetFacts: Sendable {
  let url: URL
  private let found = Mutex<Result<MediaInfo, CompositorError>?>(nil)

  init(_ url: URL) { self.url = url }

  var source: MediaSource { .file(path: url.path) }

  /// What the file contains.
  ///
  /// - Throws: Why it cannot be read.
  func info() throws(AVError) -> MediaInfo {
    guard url.isFileURL else {
      throw AVError(.operationNotSupportedForAsset, "\(url) is not a file.", suggestion: "Download it, and open the file.")
    }
    // Held while the file is read, so that many askers read it once.
    let result = found.withLock { found in
      let result = found ?? Self.probe(.file(path: url.path))
      found = result
      return result
    }
    do { return try result.get() } catch { throw AVError(error, about: url.path) }
  }

  private static func probe(_ source: MediaSource) -> Result<MediaInfo, CompositorError> {
    do { return .success(try MediaCatalog().info(for: source)) } catch { return .failure(error) }
  }
}

/// A decodable track of a file.
struct SourceTrack: Sendable {
  let facts: AssetFacts
  let type: MediaType
  /// The place among the tracks of its type.
  let index: Int
  let id: TrackID
  let timeRange: TimeRange
  let transform: AffineMatrix
  /// Whether the file says that it is shown or heard.
  let isEnabled: Bool
  /// Bits per second of what is played; `nil` if they are not known.
  let dataRate: Double?

  /// The decodable tracks of a file: video first, with the numbers that the file gives them, or numbered from 1.
  static func all(of facts: AssetFacts) throws(AVError) -> [SourceTrack] {
    let info = try facts.info()
    let videos = info.videoTracks.map { (MediaType.video, $0.index, $0.timeRange, $0.preferredTransform, $0.storage) }
    let audios = info.audioTracks.map { (MediaType.audio, $0.index, $0.timeRange, AffineMatrix.identity, $0.storage) }
    let tracks = videos + audios
    let stated = tracks.compactMap { $0.4?.trackID.flatMap(TrackID.init(exactly:)) }.filter { $0 > 0 }
    // Numbers of other files are those of their streams, such as PIDs.
    let isStated = ["mov", "mp4"].contains(info.container) && Set(stated).count == tracks.count
    return tracks.enumerated().map { place, track in
      SourceTrack(
        facts: facts, type: track.0, index: track.1, id: isStated ? stated[place] : TrackID(place + 1), timeRange: track.2,
        transform: track.3, isEnabled: track.4?.isEnabled ?? true, dataRate: track.4?.dataRate)
    }
  }

  /// The part of a range that the track has.
  func clipped(_ range: TimeRange) -> TimeRange { range.intersection(TimeRange(start: .zero, end: timeRange.end)) }
}
