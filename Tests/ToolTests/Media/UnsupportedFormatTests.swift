import CompositorTestSupport
import Foundation
import Testing

/// Files that are not read are called by their names, with what to do; only files that end early may have been copied badly.
@Suite struct UnsupportedFormatTests {
  struct Foreign: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let says: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ says: String) { self.init(name, Array(text.utf8), says) }

    init(_ name: String, _ bytes: [UInt8], _ says: String) {
      (self.name, self.bytes, self.says) = (name, bytes + [UInt8](repeating: 0, count: 256), says)
    }

    private static func box(_ brand: String) -> [UInt8] {
      [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0] + Array("mif1miaf".utf8)
    }
    private static let tiff: [UInt8] = [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]

    static let all = [
      Foreign("photo.heic", box("heic"), "HEIC"), Foreign("photo.heif", box("mif1"), "HEIC"),
      Foreign("photo.HEIC", box("heix"), "HEIC"),
      Foreign("photo.cr3", box("crx "), "raw photo (CR3)"), Foreign("photo.nef", tiff, "raw photo (NEF)"),
      Foreign("photo.arw", tiff, "raw photo (ARW)"), Foreign("photo.cr2", tiff + Array("CR".utf8), "raw photo (CR2)"),
      // An entry for DNGVersion.
      Foreign("photo.tif", tiff + [1, 0, 0x12, 0xc6, 1, 0, 4, 0, 0, 0, 1, 4, 0, 0], "raw photo"),
      Foreign("photo.raf", "FUJIFILMCCD-RAW 0201", "raw photo (RAF)"),
      Foreign("photo.orf", "IIRO\u{8}\0\0\0", "raw photo (ORF)"),
      Foreign("layers.psd", "8BPS\0\u{1}", "Photoshop"), Foreign("light.exr", [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0], "OpenEXR"),
      Foreign("light.hdr", "#?RADIANCE\n", "Radiance"), Foreign("scan.dpx", "SDPX", "DPX"),
      Foreign("page.pdf", "%PDF-1.7\n", "PDF"),
      Foreign("drawing.svg", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "SVG"),
      Foreign("bare.svg", "<svg/>", "SVG"), Foreign("film.mp4", "<!DOCTYPE html><html></html>", "web page"),
      Foreign("live.m3u8", "#EXTM3U\n#EXT-X-VERSION:3\n", "playlist"),
      Foreign("live.mpd", "<?xml version=\"1.0\"?><MPD/>", "DASH"),
      Foreign("stored.mov", "version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
      Foreign("book.aax", box("aax "), "copy protection"),
      Foreign("film.zip", "PK\u{3}\u{4}", "ZIP"), Foreign("film.gz", [0x1f, 0x8b, 8], "gunzip"),
      Foreign("song.mid", "MThd\0\0\0\u{6}", "MIDI"),
      Foreign("clip.r3d", [0, 0, 1, 0] + Array("RED2".utf8), "RED"), Foreign("work.xcf", "gimp xcf v011\0", "GIMP"),
      Foreign("page.ps", "%!PS-Adobe-3.0\n", "PostScript"), Foreign("icon.ico", [0, 0, 1, 0, 1, 0, 16, 16], "icon"),
      Foreign("image.qoi", "qoif", "QOI"), Foreign("texture.dds", "DDS ", "DDS"),
    ]
  }

  @Test(arguments: Foreign.all) func foreignFormat_isNamed(_ file: Foreign) throws {
    let folder = try TemporaryFolder()
    try Data(file.bytes).write(to: URL(filePath: folder.file(file.name)))
    for arguments in [["probe", file.name], ["render", file.name, "-o", "out.mp4"]] {
      let result = try ToolRun.compositor(arguments, in: folder.url)
      #expect(result.status != 0)
      #expect(result.errors.contains(file.says), "\(result.errors)")
      #expect(!result.errors.contains("copied whole"), "\(result.errors)")
    }
  }

  /// A stream that was recorded from its middle on may begin with any byte, also with those of a text.
  @Test(.enabled(if: hasFFmpeg), arguments: ["<", "< ", "<svg", "<!doctype html"]) func stream_thatBeginsLikeAText_isRead(
    _ beginning: String
  ) throws {
    let folder = try TemporaryFolder()
    let stream = folder.file("stream.mp3")
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "libmp3lame", "-write_xing", "0", stream])
    let bytes = Data(beginning.utf8) + [0, 1, 2] + (try Data(contentsOf: URL(filePath: stream)))
    try bytes.write(to: URL(filePath: folder.file("begun.mp3")))
    let result = try ToolRun.compositor(["render", "begun.mp3", "-o", "out.wav", "--progress", "none"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// "Copied whole?" is said of files that end early, and of no others.
  @Test(.enabled(if: hasFFmpeg), arguments: ["mp4", "mkv", "mov"]) func cutFile_isSaidToBeCut(_ container: String) throws {
    let folder = try TemporaryFolder()
    let whole = folder.file("whole.\(container)")
    try runProgram(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", whole])
    let bytes = try Data(contentsOf: URL(filePath: whole))
    try bytes.prefix(container == "mkv" ? 600 : bytes.count / 2).write(to: URL(filePath: folder.file("cut.\(container)")))
    let cut = try ToolRun.compositor(["probe", folder.file("cut.\(container)")])
    #expect(cut.status != 0 && cut.errors.contains("copied whole"), "\(cut.errors)")
    var noise: [UInt8] = []
    var state: UInt32 = 1
    for _ in 0..<4096 {
      state = state &* 1_664_525 &+ 1_013_904_223
      noise.append(UInt8(state >> 24))
    }
    try Data(noise).write(to: URL(filePath: folder.file("noise.\(container)")))
    let other = try ToolRun.compositor(["probe", folder.file("noise.\(container)")])
    #expect(other.status != 0 && !other.errors.contains("copied whole"), "\(other.errors)")
  }

  @Test(.enabled(if: hasFFmpeg)) func encryptedTracks_areSaidToBeProtected() throws {
    let folder = try TemporaryFolder()
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264", "-c:a",
        "aac",
      ]
        + ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
        + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", folder.file("film.mp4")])
    let result = try ToolRun.compositor(["probe", folder.file("film.mp4")])
    #expect(result.status != 0 && result.errors.contains("copy protection"), "\(result.output) \(result.errors)")
  }
}
