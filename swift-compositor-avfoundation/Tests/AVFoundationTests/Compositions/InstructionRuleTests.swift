import AVFoundation
import Compositor
import Testing

private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }
private func range(_ start: Double, _ end: Double) -> CMTimeRange { CMTimeRange(start: seconds(start), end: seconds(end)) }

/// What instructions and layers show.
@Suite struct InstructionRuleTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func movie(_ color: Color = Color(red: 1, green: 0, blue: 0), _ name: String = "a.mp4") async throws -> AVAsset {
    AVAsset(url: try await folder.movie(name, color: color, tone: nil))
  }

  private func instruction(
    _ range: CMTimeRange, _ layers: [AVMutableVideoCompositionLayerInstruction]
  ) -> AVMutableVideoCompositionInstruction {
    let instruction = AVMutableVideoCompositionInstruction()
    (instruction.timeRange, instruction.layerInstructions) = (range, layers)
    return instruction
  }

  private func composition(
    _ asset: AVAsset, _ instructions: [AVMutableVideoCompositionInstruction]
  ) -> AVMutableVideoComposition {
    let video = AVMutableVideoComposition(propertiesOf: asset)
    video.instructions = instructions
    return video
  }

  private func layer(_ asset: AVAsset) -> AVMutableVideoCompositionLayerInstruction {
    AVMutableVideoCompositionLayerInstruction(assetTrack: asset.tracks(withMediaType: .video)[0])
  }

  /// One video track, and another one over the same time.
  private func two() async throws -> AVMutableComposition {
    let composition = AVMutableComposition()
    for (name, color) in [("a.mp4", Color(red: 1, green: 0, blue: 0)), ("b.mp4", Color(red: 0, green: 0, blue: 1))] {
      let track = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
      try track?.insertTimeRange(range(0, 2), of: try await movie(color, name).tracks[0], at: .zero)
    }
    return composition
  }

  /// Instructions begin at or before the start, follow each other without gaps and overlaps, and end at or after the end.
  @Test func instructions_coverTheAsset() async throws {
    let asset = try await movie()
    func code(_ ranges: CMTimeRange...) async throws -> AVError.Code? {
      let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
      (session.outputURL, session.outputFileType) = (folder["out.mov"], .mov)
      session.videoComposition = composition(asset, ranges.map { instruction($0, [layer(asset)]) })
      await session.export()
      try? FileManager.default.removeItem(at: folder["out.mov"])
      return (session.error as? AVError)?.code
    }
    #expect(try await code(range(0, 2)) == nil)
    #expect(try await code(range(0, 1), range(1, 5)) == nil)
    #expect(try await code(range(0.5, 2)) == .invalidVideoComposition)
    #expect(try await code(range(0, 1.5)) == .invalidVideoComposition)
    #expect(try await code(range(0, 1), range(0.5, 2)) == .invalidVideoComposition)
    #expect(try await code(range(0, 1), range(1.5, 2)) == .invalidVideoComposition)
    #expect(try await code() == .invalidVideoComposition)
  }

  /// The first layer is on top, whatever the order of tracks.
  @Test func firstLayer_isOnTop() async throws {
    let asset = try await two()
    let layers = asset.tracks.map { AVMutableVideoCompositionLayerInstruction(assetTrack: $0) }
    #expect(try await image(asset, composition(asset, [instruction(range(0, 2), layers)]), at: 1).shows([255, 0, 0], at: 9, 9))
    let turned = composition(asset, [instruction(range(0, 2), layers.reversed())])
    #expect(try await image(asset, turned, at: 1).shows([0, 0, 255], at: 9, 9))
    #expect(instruction(range(0, 2), layers).requiredSourceTrackIDs as? [NSNumber] == [1, 2])
    #expect(instruction(range(0, 2), layers).passthroughTrackID == kCMPersistentTrackID_Invalid)
  }

  /// Without layers the background is shown, which is opaque black unless it is set. Its alpha does not count in a movie without alpha.
  @Test func noLayers_showTheBackground() async throws {
    let asset = try await movie()
    let instruction = instruction(range(0, 2), [])
    #expect(instruction.backgroundColor == nil)
    #expect(try await image(asset, composition(asset, [instruction]), at: 1).shows([0, 0, 0], at: 9, 9))
    instruction.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 0.5)
    let session = try #require(AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
    session.videoComposition = composition(asset, [instruction])
    try await session.export(to: folder["out.mov"], as: .mov)
    let color = meanColor(try await picture(folder["out.mov"], at: 1))
    #expect(color[1] > 240 && color[0] < 10 && color[2] < 10, "\(color)")
  }

  /// Opacity is 1 before the first value, and each value is held until the next.
  @Test func opacity_isHeld() async throws {
    let asset = try await movie()
    let layer = layer(asset)
    layer.setOpacity(0, at: seconds(0.6))
    layer.setOpacityRamp(fromStartOpacity: 0.5, toEndOpacity: 1, timeRange: range(1, 1.4))
    let video = composition(asset, [instruction(range(0, 2), [layer])])
    for (time, red) in [(0.2, 255), (0.64, 0), (0.96, 0), (1, 128), (1.2, 191), (1.6, 255)] {
      let color = try await image(asset, video, at: time).pixel(9, 9)
      #expect(abs(color[0] - red) < 5, "\(time) s: \(color)")
    }
    var (start, end, found): (Float, Float, CMTimeRange) = (0, 0, .invalid)
    #expect(layer.getOpacityRamp(for: seconds(0.8), startOpacity: &start, endOpacity: &end, timeRange: &found))
    #expect(start == 0.5 && end == 1 && found == range(1, 1.4))
    #expect(!layer.getOpacityRamp(for: seconds(1.5), startOpacity: &start, endOpacity: &end, timeRange: &found))
  }

  /// A layer without a transform shows frames as they are stored, even if the track says how to turn them.
  @Test func transform_isIdentityAtFirst() async throws {
    let asset = AVAsset(url: try await folder.movie("a.mov", tone: nil, quarterTurns: 1))
    let track = asset.tracks[0]
    let video = AVMutableVideoComposition()
    (video.renderSize, video.frameDuration) = (CGSize(width: 320, height: 320), CMTime(value: 1, timescale: 25))
    let plain = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
    video.instructions = [instruction(range(0, 2), [plain])]
    let stored = try await image(asset, video, at: 1)
    #expect(stored.shows([255, 0, 0], at: 310, 90) && stored.shows([0, 0, 0], at: 90, 310))
    let upright = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
    upright.setTransform(track.preferredTransform, at: .zero)
    video.instructions = [instruction(range(0, 2), [upright])]
    let shown = try await image(asset, video, at: 1)
    #expect(shown.shows([0, 0, 0], at: 310, 90) && shown.shows([255, 0, 0], at: 90, 310))
  }

  /// Transforms go from the upper left corner of pictures in square pixels; so do crop rectangles, which are of the source.
  @Test func wideningPixels_areSquareHere() async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=white:s=160x180:r=25:d=2,setsar=2", "-pix_fmt", "yuv420p",
      folder["wide.mp4"].path,
    ]
    try process.run()
    process.waitUntilExit()
    let asset = AVAsset(url: folder["wide.mp4"])
    #expect(asset.tracks[0].naturalSize == CGSize(width: 320, height: 180))
    let whole = layer(asset)
    let video = composition(asset, [instruction(range(0, 2), [whole])])
    #expect(video.renderSize == CGSize(width: 320, height: 180))
    #expect(try await image(asset, video, at: 1).shows([255, 255, 255], at: 310, 170))
    let half = layer(asset)
    half.setCropRectangle(CGRect(x: 0, y: 0, width: 160, height: 90), at: .zero)
    half.setTransform(CGAffineTransform(translationX: 40, y: 20), at: .zero)
    video.instructions = [instruction(range(0, 2), [half])]
    let shown = try await image(asset, video, at: 1)
    for (x, y, isWhite) in [
      (36, 60, false), (44, 60, true), (196, 60, true), (204, 60, false), (60, 16, false), (60, 114, false),
    ] {
      #expect(shown.shows(isWhite ? [255, 255, 255] : [0, 0, 0], at: x, y), "\(x), \(y)")
    }
  }

  /// A crop rectangle that grows from an empty one: corner and size are each on their way.
  @Test func emptyCrop_grows() async throws {
    let asset = try await movie()
    let layer = layer(asset)
    layer.setCropRectangleRamp(
      fromStartCropRectangle: CGRect(x: 160, y: 90, width: 0, height: 0),
      toEndCropRectangle: CGRect(x: 0, y: 0, width: 320, height: 180), timeRange: range(0, 2))
    let video = composition(asset, [instruction(range(0, 2), [layer])])
    #expect(try await image(asset, video, at: 0).shows([0, 0, 0], at: 160, 90))
    let shown = try await image(asset, video, at: 1)
    for (x, isRed) in [(76, false), (84, true), (236, true), (244, false)] {
      #expect(shown.shows(isRed ? [255, 0, 0] : [0, 0, 0], at: x, 90), "\(x): \(shown.pixel(x, 90))")
    }
  }
}
