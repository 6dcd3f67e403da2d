import AVFoundation
import Compositor
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// What sample programs do with clips that overlap: placed, composed, mixed, checked, written and looked at.
@Suite struct ClipEditorTests {
  private let folder: TestFolder
  private static let tones = [400.0, 1000, 2000]

  init() throws { folder = try TestFolder() }

  /// Red, green and blue for three seconds each, with a tone each; each overlaps the next for a second.
  private func editor() async throws -> ClipEditor {
    let colors = [Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 1, blue: 0), Color(red: 0, green: 0, blue: 1)]
    var clips: [AVAsset] = []
    for (index, color) in colors.enumerated() {
      clips.append(
        AVAsset(url: try await folder.movie("\(index).mp4", seconds: 3, color: color, tone: Self.tones[index])))
    }
    return try ClipEditor(clips, overlap: seconds(1))
  }

  @Test func clips_goToTracksInTurn() async throws {
    let editor = try await editor()
    #expect(editor.composition.duration == seconds(7))
    #expect(editor.aloneRanges == [range(0, 2), range(3, 4), range(5, 7)] && editor.overlaps == [range(2, 3), range(4, 5)])
    for tracks in [editor.videoTracks, editor.audioTracks] {
      #expect(tracks[0].segments.map(\.timeMapping.target) == [range(0, 3), range(3, 4), range(4, 7)])
      #expect(tracks[0].segments.map(\.isEmpty) == [false, true, false])
      #expect(tracks[1].segments.map(\.timeMapping.target) == [range(0, 2), range(2, 5)])
    }
    #expect(editor.composition.naturalSize == CGSize(width: 320, height: 180))
    let ranges = editor.videoComposition.instructions.map(\.timeRange)
    #expect(ranges == [range(0, 2), range(2, 3), range(3, 4), range(4, 5), range(5, 7)])
  }

  /// Counts faults and ends the check with the first one.
  private final class Checker: NSObject, AVVideoCompositionValidationHandling {
    private(set) var sentences: [String] = []

    func videoComposition(
      _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool {
      sentences.append("empty time range")
      return false
    }

    func videoComposition(
      _ videoComposition: AVVideoComposition,
      shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
        any AVVideoCompositionInstructionProtocol
    ) -> Bool {
      sentences.append("time range")
      return false
    }

    func videoComposition(
      _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool {
      sentences.append(key)
      return false
    }

    func videoComposition(
      _ videoComposition: AVVideoComposition,
      shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
        any AVVideoCompositionInstructionProtocol, layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool {
      sentences.append("track")
      return false
    }
  }

  private func fault(_ editor: ClipEditor, _ change: (AVMutableVideoComposition) -> Void) -> [String] {
    let (video, checker) = (editor.videoComposition, Checker())
    change(video)
    let isValid = video.isValid(
      for: editor.composition, timeRange: CMTimeRange(start: .zero, duration: editor.composition.duration),
      validationDelegate: checker)
    #expect(isValid == checker.sentences.isEmpty)
    return checker.sentences
  }

  @Test func checker_hearsOfEachFault() async throws {
    let editor = try await editor()
    #expect(fault(editor) { _ in } == [])
    #expect(fault(editor) { $0.instructions.remove(at: 2) } == ["empty time range"])
    #expect(fault(editor) { $0.instructions.swapAt(1, 2) } == ["empty time range"])
    #expect(fault(editor) { $0.instructions.append($0.instructions[4]) } == ["time range"])
    #expect(fault(editor) { $0.renderSize = .zero } == ["renderSize"])
    #expect(fault(editor) { _ in editor.composition.removeTrack(editor.videoTracks[1]) } == ["track"])
  }

  @Test func edit_isSeenAndHeard() async throws {
    let editor = try await editor()
    let session = try #require(
      AVAssetExportSession(asset: editor.composition, presetName: AVAssetExportPresetHighestQuality))
    session.videoComposition = editor.videoComposition
    session.audioMix = editor.audioMix
    try await session.export(to: folder["out.mov"], as: .mov)
    #expect(try info(folder["out.mov"]).duration == .seconds(7))
    let pictures: [(Double, [Double])] = [
      (1, [255, 0, 0]), (2.48, [133, 122, 0]), (3.5, [0, 255, 0]), (4.48, [0, 133, 122]), (6, [0, 0, 255]),
    ]
    for (time, expected) in pictures {
      let color = meanColor(try await picture(folder["out.mov"], at: time))
      #expect(zip(color, expected).allSatisfy { abs($0 - $1) < 14 }, "\(time) s: \(color)")
    }
    let (before, after) = (try (0..<3).map { try Sound(folder["\($0).mp4"]) }, try Sound(folder["out.mov"]))
    let sounds: [(Double, [Double])] = [
      (1, [1, 0, 0]), (2.25, [0.75, 0.25, 0]), (2.75, [0.25, 0.75, 0]), (3.5, [0, 1, 0]), (4.5, [0, 0.5, 0.5]), (6, [0, 0, 1]),
    ]
    for (time, expected) in sounds {
      for (index, tone) in Self.tones.enumerated() {
        let ratio = after.amplitude(of: tone, at: time) / before[index].amplitude(of: tone, at: 1.5)
        #expect(abs(ratio - expected[index]) < 0.03, "\(time) s, \(tone) Hz: \(ratio)")
      }
    }
  }
}
