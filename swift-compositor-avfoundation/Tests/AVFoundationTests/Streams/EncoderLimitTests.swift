import AVFoundation
import Compositor
import Testing
import VideoToolbox

/// Profile, level, order of frames and bit rate, as ffprobe reads them.
@Suite struct EncoderLimitTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func write(
    _ codec: AVVideoCodecType, _ properties: [String: Any], count: Int = 40
  ) async throws -> URL {
    let url = folder["a.mov"]
    let writer = try TestWriter(url, video: videoSettings(codec, properties), audio: nil)
    try writer.pictures(0..<count)
    await writer.finish()
    return url
  }

  private func canApply(_ codec: AVVideoCodecType, _ properties: [String: Any]) throws -> Bool {
    try AVAssetWriter(outputURL: folder["x"], fileType: .mov).canApply(
      outputSettings: videoSettings(codec, properties), forMediaType: .video)
  }

  @Test(arguments: [
    (AVVideoProfileLevelH264BaselineAutoLevel, "Constrained Baseline", nil), (AVVideoProfileLevelH264Main31, "Main", "31"),
    (AVVideoProfileLevelH264High41, "High", "41"), (kVTProfileLevel_H264_High_5_1 as String, "High", "51"),
  ]) func profileAndLevel_ofH264(_ name: String, _ profile: String, _ level: String?) async throws {
    let url = try await write(.h264, [AVVideoProfileLevelKey: name], count: 5)
    let found = try ffprobe(url, "-select_streams", "v", "-show_entries", "stream=profile,level")
    #expect(found.first == profile && (level == nil || found.last == level))
  }

  @Test func profile_ofHEVC() async throws {
    let url = try await write(.hevc, [AVVideoProfileLevelKey: kVTProfileLevel_HEVC_Main10_AutoLevel as String], count: 5)
    #expect(try ffprobe(url, "-select_streams", "v", "-show_entries", "stream=profile") == ["Main 10"])
  }

  @Test(arguments: [(AVVideoCodecType.h264, true), (.h264, false), (.hevc, false)])
  func frames_areReordered_ifAllowed(_ codec: AVVideoCodecType, _ isAllowed: Bool) async throws {
    let url = try await write(codec, [AVVideoAllowFrameReorderingKey: isAllowed])
    let types = try ffprobe(url, "-select_streams", "v", "-show_entries", "frame=pict_type")
    #expect(types.count == 40 && types.contains("B") == isAllowed)
  }

  @Test func keyFramesOnly_withoutTemporalCompression() async throws {
    let url = try await write(.h264, [kVTCompressionPropertyKey_AllowTemporalCompression as String: false], count: 10)
    let types = try ffprobe(url, "-select_streams", "v", "-show_entries", "frame=pict_type")
    #expect(types == Array(repeating: "I", count: 10))
  }

  /// Noise, whose rate would be higher without a limit.
  @Test(arguments: [AVVideoCodecType.h264, .hevc]) func dataRate_isLimited(_ codec: AVVideoCodecType) async throws {
    func byteCount(_ properties: [String: Any]) async throws -> Int {
      let url = folder["\(UUID().uuidString).mov"]
      let writer = try TestWriter(url, video: videoSettings(codec, properties), audio: nil)
      var generator = SystemRandomNumberGenerator()
      for index in 0..<100 {
        let buffer = try picture(0)
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try #require(CVPixelBufferGetBaseAddress(buffer)).assumingMemoryBound(to: UInt64.self)
        for place in 0..<CVPixelBufferGetDataSize(buffer) / 8 { base[place] = generator.next() }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        #expect(writer.video?.append(try sample(buffer, at: frames(index))) == true)
      }
      await writer.finish()
      return try packetSizes(url)
    }
    let limited = try await byteCount([kVTCompressionPropertyKey_DataRateLimits as String: [50_000, 1] as [NSNumber]])
    let free = try await byteCount([:])
    // Four seconds, and what the buffer holds at the beginning.
    #expect(limited <= 250_000 && free > 400_000, "\(limited) of \(free) bytes")
  }

  private func packetSizes(_ url: URL) throws -> Int {
    try ffprobe(url, "-select_streams", "v", "-show_entries", "packet=size").compactMap { Int($0) }.reduce(0, +)
  }

  @Test func limits_thatDoNotExist_areRefused() throws {
    #expect(try !canApply(.h264, [AVVideoProfileLevelKey: "H264_Unheard_AutoLevel"]))
    #expect(try !canApply(.h264, [AVVideoProfileLevelKey: kVTProfileLevel_HEVC_Main_AutoLevel as String]))
    #expect(try !canApply(.proRes422, [AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel]))
    #expect(try !canApply(.h264, ["DataRateLimits": [1]]))
    let mode = [AVVideoH264EntropyModeKey: AVVideoH264EntropyModeCAVLC]
    #expect(try !canApply(.h264, mode) && !canApply(.hevc, mode))
    #expect(
      try canApply(
        .h264, mode.merging([AVVideoProfileLevelKey: AVVideoProfileLevelH264BaselineAutoLevel]) { first, _ in first }))
  }
}
