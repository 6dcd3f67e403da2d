import CompositorAPI
import Foundation
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestMedia
import CompositorTestSupport
import Testing

/// Color tags and HDR metadata: who says what, who wins, what is lost.
@Suite struct ProbeHDRTests {
  private let master = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50)"
  private let tags = colorTagging(primaries: "bt2020", transfer: "smpte2084", matrix: "bt2020nc")

  private func video(_ path: String) throws -> (info: MediaInfo, track: VideoTrackInfo) {
    let info = try MediaProbe.probe(.file(path: path))
    return (info, try #require(info.videoTracks.first))
  }

  private func hevc(_ scratch: TemporaryFolder, _ name: String, _ parameters: String = "") throws -> String {
    let source = ["-f", "lavfi", "-i", "testsrc2=d=0.12:s=128x96:r=25,format=yuv420p10le"]
    return try scratch.make(
      name, source + ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none\(parameters)"] + tags)
  }

  @Test(arguments: ["mp4", "mov", "mkv"])
  func hdrMetadata_inTheBitstreamAlone_isRead(suffix: String) throws {
    let scratch = try TemporaryFolder()
    let path = try hevc(scratch, "a.\(suffix)", ":hdr10=1:master-display=\(master):max-cll=1000,400")
    let (info, track) = try video(path)
    #expect(track.attributes.hdr == Self.metadata)
    #expect(info.warnings.isEmpty)
    let frame = try #require(try MediaOpener.openVideo(.file(path: path)).frame(at: .zero))
    #expect(frame.frame.attributes.hdr == Self.metadata)
  }

  @Test(arguments: ["mp4", "mov", "mkv"])
  func hdrMetadata_inTheContainerAlone_isRead(suffix: String) throws {
    // ProRes and FFV1 have no place for it in their bitstreams.
    let scratch = try TemporaryFolder()
    let path = scratch.file("a.\(suffix)")
    try write(path, codec: suffix == "mp4" ? .hevc : .ffv1, hdr: Self.metadata)
    let hdr = try #require(try video(path).track.attributes.hdr)
    let display = try #require(hdr.masteringDisplay)
    #expect(hdr.contentLightLevel == Self.metadata.contentLightLevel)
    #expect(abs(display.red.x - 0.708) < 1e-4 && abs(display.white.y - 0.329) < 1e-4)
    #expect(display.maximumLuminance == 1000 && abs(display.minimumLuminance - 0.005) < 1e-6)
  }

  @Test func hdrMetadata_whereContainerAndBitstreamDisagree_isTheContainersAndSaidSo() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.file("a.mp4")
    try write(path, codec: .hevc, hdr: Self.metadata)
    var bytes = try Data(contentsOf: URL(filePath: path))
    let box = try #require(bytes.range(of: Data("clli".utf8)))
    bytes.replaceSubrange(box.upperBound..<box.upperBound + 4, with: [0x03, 0x09, 0x01, 0x4d])
    try bytes.write(to: URL(filePath: path))
    let (info, track) = try video(path)
    #expect(
      track.attributes.hdr?.contentLightLevel
        == ContentLightLevel(maximumContentLightLevel: 777, maximumFrameAverageLightLevel: 333))
    let warning = try #require(info.warnings.first { $0.kind == .colorDisagreement })
    #expect(warning.message.contains("MaxCLL 777 and MaxFALL 333 against 1000 and 400"))
  }

  @Test func masteringDisplay_thatCannotBe_isLeftOutAndSaidSo() throws {
    let scratch = try TemporaryFolder()
    let dim = master.replacing("L(10000000,50)", with: "L(1000,50)")
    let (info, track) = try video(hevc(scratch, "a.mp4", ":hdr10=1:master-display=\(dim):max-cll=1000,400"))
    #expect(track.attributes.hdr?.masteringDisplay == nil)
    #expect(track.attributes.hdr?.contentLightLevel?.maximumContentLightLevel == 1000)
    #expect(info.warnings.map(\.kind) == [.implausibleMasteringDisplay])
  }

  @Test func provenance_saysWhoSaidEachTag() throws {
    let scratch = try TemporaryFolder()
    let tagged = try video(hevc(scratch, "a.mkv")).track
    #expect(tagged.colorProvenance?.assumed == [])
    let bare = try scratch.make(
      "b.mp4", ["-f", "lavfi", "-i", "testsrc2=d=0.1:s=64x48", "-c:v", "mpeg4", "-pix_fmt", "yuv420p"])
    let track = try video(bare).track
    #expect(track.colorProvenance?.assumed == ["primaries", "transfer", "matrix", "range"])
    #expect(track.attributes.color.primaries == .bt601_525 && track.attributes.color.range == .limited)
    let halfway = try scratch.make(
      "c.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=d=0.1:s=64x48", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-x264-params",
        "transfer=bt709",
      ])
    #expect(try video(halfway).track.colorProvenance?.transfer == .bitstream)
  }

  private static let metadata = HDRMetadata.ofTests

  private func write(_ path: String, codec: VideoEncodingSettings.Codec, hdr: HDRMetadata) throws {
    let frameDuration = MediaTime(value: 1, timescale: 25)
    let description = MovieDescription(
      container: try MovieContainer(path: path),
      video: VideoTrackDescription(
        size: PixelSize(width: 64, height: 48), format: .yuv420p10,
        attributes: FrameAttributes(color: .bt2100PQ, hdr: hdr), timing: .constant(frameDuration: frameDuration),
        encoding: VideoEncodingSettings(codec: codec, speed: .ultrafast, threadCount: 2)))
    _ = try writeMovie(description, to: path, frameCount: 3, frameDuration: frameDuration)
  }
}

/// The same on files of cameras.
@Suite(.enabled(if: ReadMedia.isPresent, "the media set is not there"))
struct ProbeHDRMediaTests {
  private func probe(_ name: String) throws -> (info: MediaInfo, track: VideoTrackInfo) {
    let info = try MediaProbe.probe(.file(path: try ReadMedia.path(name)))
    return (info, try #require(info.videoTracks.first))
  }

  @Test func dolbyVision84_ofAPhone_isReadAsHLGAndItsLossSaid() throws {
    let (info, track) = try probe("dolbyVision-hdr.MOV")
    #expect(track.dynamicMetadata == [DynamicMetadata(.dolbyVision, profile: 8, baseLayerCompatibility: 4)])
    #expect(track.attributes.color.transfer == .hlg && track.attributes.color.primaries == .bt2020)
    let warning = try #require(info.warnings.first { $0.kind == .dynamicMetadataDropped })
    #expect(warning.message.contains("Dolby Vision 8.4 is read as its HLG base layer"))
  }

  @Test func dolbyVision81AndHDR10Plus_areReadAsHDR10AndTheirLossSaid() throws {
    let (info, track) = try probe("regular.mkv")
    #expect(track.dynamicMetadata.map(\.description) == ["Dolby Vision 8.1"])
    #expect(track.attributes.color.transfer == .pq && track.attributes.hdr?.contentLightLevel?.maximumContentLightLevel == 1000)
    #expect(info.warnings.contains { $0.message.contains("HDR10 base layer") })
    let plus = try probe("hdr10-video-with-sdr-container.mp4")
    #expect(plus.track.dynamicMetadata.map(\.description) == ["HDR10+"])
    #expect(plus.track.attributes.color.transfer == .pq && plus.track.attributes.hdr?.masteringDisplay == nil)
    #expect(Set(plus.info.warnings.map(\.kind)) == [.dynamicMetadataDropped, .implausibleMasteringDisplay])
  }

  @Test func dolbyVision5_hasColorsThatNothingHereConverts() throws {
    // The phone's file with its configuration box changed: version 1.0, profile 5, level 2, no compatibility.
    var bytes = try Data(contentsOf: URL(filePath: try ReadMedia.path("dolbyVision-hdr.MOV")))
    let box = try #require(bytes.range(of: Data("dvvC".utf8)))
    let flags = bytes[box.upperBound + 3] & 0b111
    bytes[box.upperBound + 2] = 5 << 1
    bytes[box.upperBound + 3] = 2 << 3 | flags
    bytes[box.upperBound + 4] = 0
    let scratch = try TemporaryFolder()
    try bytes.write(to: URL(filePath: scratch.file("a.mov")))
    let info = try MediaProbe.probe(.file(path: scratch.file("a.mov")))
    let track = try #require(info.videoTracks.first)
    #expect(track.dynamicMetadata.first?.hasNoBaseLayer == true)
    #expect(track.attributes.color.matrix.rgbToYCbCr == nil)
    #expect(info.warnings.contains { $0.message.contains("cannot be converted") })
  }
}
