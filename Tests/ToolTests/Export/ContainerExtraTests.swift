import CompositorAPI
import CompositorMediaIO
import CompositorTestSupport
import Foundation
import Testing

/// What a container states beside its media (360° video, spatial video, Dolby Vision, user data): told, carried by copies, and named
/// where it is dropped.
@Suite struct ContainerExtraTests {
  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(content.count + 8).bigEndian, Array.init) + Array(name.utf8) + content
  }

  /// Monoscopic 360° video in version 2 of the description: `svhd`, `proj` with `prhd` and `equi`.
  private static let sv3d = box(
    "sv3d",
    box("svhd", [0, 0, 0, 0] + Array("test\0".utf8))
      + box("proj", box("prhd", [UInt8](repeating: 0, count: 16)) + box("equi", [UInt8](repeating: 0, count: 20))))
  private static let st3d = box("st3d", [0, 0, 0, 0, 1])
  private static let unknown = box("zzzz", [1, 2, 3, 4, 5])
  private static let xml = box(
    "uuid",
    [0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd]
      + Array(
        """
        <rdf:SphericalVideo xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/"><GSpherical:Spherical>true</GSpherical:Spherical><GSpherical:Stitched>true</GSpherical:Stitched><GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType></rdf:SphericalVideo>
        """.utf8))
  private static let user = box("udta", box("GPMX", [9, 9, 9, 9]))

  /// Inserts bytes at the end of the box at a path, in a file whose index is its last box.
  private static func insert(_ added: [UInt8], at path: [String], into bytes: inout [UInt8]) throws {
    var (range, sizes) = (0..<bytes.count, [Int]())
    for name in path {
      var (position, found) = (range.lowerBound, Range<Int>?.none)
      while position + 8 <= range.upperBound {
        let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8 else { break }
        let isEntry = name == "*"
        if isEntry || String(decoding: bytes[position + 4..<position + 8], as: UTF8.self) == name {
          found = position..<position + size
          break
        }
        position += size
      }
      let box = try #require(found, "\(name)")
      sizes.append(box.lowerBound)
      // The descriptions of samples have a count before them, and one of video has 78 bytes of fields.
      range = box.lowerBound + (name == "stsd" ? 16 : name == "*" ? 86 : 8)..<box.upperBound
    }
    bytes.insert(contentsOf: added, at: range.upperBound)
    for place in sizes {
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + added.count
      bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(size).bigEndian, Array.init))
    }
  }

  /// A clip with the boxes of 360° video, an unknown one, and one of user data.
  private static func panorama(in scratch: Scratch, xmlOnly: Bool = false) throws -> String {
    let url = try scratch.clip("plain.mp4", seconds: 2)
    var bytes = [UInt8](try Data(contentsOf: url))
    let entry = ["moov", "trak", "mdia", "minf", "stbl", "stsd", "*"]
    if !xmlOnly { try insert(sv3d + st3d + unknown, at: entry, into: &bytes) }
    if xmlOnly { try insert(xml, at: ["moov", "trak"], into: &bytes) }
    try insert(user, at: ["moov"], into: &bytes)
    try Data(bytes).write(to: scratch.file("pano.mp4"))
    try FileManager.default.removeItem(at: url)
    return "pano.mp4"
  }

  private static func contains(_ file: URL, _ box: [UInt8]) throws -> Bool {
    try Data(contentsOf: file).range(of: Data(box)) != nil
  }

  private static func sideData(_ file: URL) throws -> String {
    try ToolRun.program("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream_side_data_list", file.path)
      .output
  }

  @Test func probe_listsBoxes_andWhatBecomesOfThem() throws {
    let scratch = try Scratch()
    let name = try Self.panorama(in: scratch)
    let text = try ToolRun.compositor(["probe", name], in: scratch.folder).output
    #expect(text.contains("box sv3d  the projection of 360° video of video 0: kept by copies, not by rendering"), "\(text)")
    #expect(text.contains("box zzzz  an unknown box") && text.contains("box GPMX  a box of user data: not kept"), "\(text)")
    let json = try ToolRun.compositor(["probe", name, "--json"], in: scratch.folder).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let extras = try #require(object["extras"] as? [[String: Any]])
    #expect(Set(extras.compactMap { $0["name"] as? String }).isSuperset(of: ["sv3d", "st3d", "zzzz", "GPMX"]), "\(extras)")
  }

  /// Whole and cut, by each mode, in each container with boxes: byte for byte.
  @Test(
    arguments: ["mp4", "mov", "m4v"], [["auto"], ["edit-list", "--range", "0.4s..1.2s"], ["smart", "--range", "0.4s..1.2s"]])
  func copy_carriesBoxes(_ container: String, _ options: [String]) throws {
    let scratch = try Scratch()
    let name = try Self.panorama(in: scratch)
    let output = try scratch.file("o.\(container)")
    let copied = try ToolRun.compositor(
      ["render", name, "-o", output.lastPathComponent, "--progress", "none", "--passthrough"] + options, in: scratch.folder)
    #expect(copied.status == 0, "\(copied.errors)")
    for box in [Self.sv3d, Self.st3d, Self.unknown] { #expect(try Self.contains(output, box)) }
    let sideData = try Self.sideData(output)
    #expect(sideData.contains("Spherical Mapping"), "\(sideData)")
    #expect(copied.errors.contains("boxes that are not copied: GPMX (a box of user data)"), "\(copied.errors)")
    let decoded = try ToolRun.program("ffmpeg", "-v", "error", "-i", output.path, "-f", "null", "-")
    #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
  }

  @Test func copy_carriesSphericalXML() throws {
    let scratch = try Scratch()
    let name = try Self.panorama(in: scratch, xmlOnly: true)
    let copied = try ToolRun.compositor(
      ["render", name, "-o", "o.mp4", "--progress", "none", "--passthrough", "auto"], in: scratch.folder)
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try Self.contains(scratch.file("o.mp4"), Self.xml))
    let probed = try ToolRun.compositor(["probe", "o.mp4"], in: scratch.folder).output
    #expect(probed.contains("box uuid (spherical XML)"), "\(probed)")
  }

  /// Matroska has elements of its own for some of it; the rest is named.
  @Test func copy_intoMatroska_namesWhatItLoses() throws {
    let scratch = try Scratch()
    let name = try Self.panorama(in: scratch)
    let copied = try ToolRun.compositor(
      ["render", name, "-o", "o.mkv", "--progress", "none", "--passthrough", "smart"], in: scratch.folder)
    #expect(copied.status == 0, "\(copied.errors)")
    let keeps = try Self.sideData(scratch.file("o.mkv")).contains("Spherical Mapping")
    #expect(copied.errors.contains("sv3d") != keeps, "\(copied.errors)")
    #expect(copied.errors.contains("zzzz (an unknown box)") && copied.errors.contains("GPMX"), "\(copied.errors)")
  }

  @Test(arguments: ["o.mp4", "o.mkv"]) func render_namesWhatItDrops(_ output: String) throws {
    let scratch = try Scratch()
    let name = try Self.panorama(in: scratch)
    let rendered = try ToolRun.compositor(["render", name, "-o", output, "--progress", "json"], in: scratch.folder)
    #expect(rendered.status == 0, "\(rendered.errors)")
    #expect(rendered.errors.contains("rendering drops sv3d (the projection of 360° video), st3d"), "\(rendered.errors)")
    #expect(rendered.output.contains("rendering drops sv3d"), "\(rendered.output)")
    // An ordinary clip is no reason for a note.
    _ = try scratch.clip("ordinary.mp4", seconds: 1)
    let plain = try ToolRun.compositor(
      ["render", "ordinary.mp4", "-o", "p-\(output)", "--progress", "none"], in: scratch.folder)
    #expect(plain.errors.isEmpty, "\(plain.errors)")
  }

  /// Files of a phone and of a headset: a copy has every box of the original's video, and its bytes.
  @Test(
    .enabled(if: mediaFolder != nil),
    arguments: [
      ("dolbyVision-hdr.MOV", "mov", ["dvvC", "amve"]), ("dolbyVision-hdr.MOV", "mp4", ["dvvC", "amve"]),
      ("../spatial/stereo_spatial.mp4", "mp4", ["lhvC", "vexu", "hfov"]),
      ("../spatial/stereo_spatial.mp4", "mov", ["lhvC", "vexu", "hfov"]),
    ])
  func copy_ofRealFiles_hasEveryBox(_ file: String, _ container: String, _ names: [String]) throws {
    let scratch = try Scratch()
    let path = try #require(mediaFolder).appending(path: file).path
    try #require(FileManager.default.fileExists(atPath: path))
    let copied = try ToolRun.compositor(
      ["render", path, "-o", "o.\(container)", "--progress", "none", "--passthrough", "edit-list"], in: scratch.folder)
    #expect(copied.status == 0, "\(copied.errors)")
    let original = try #require(CarriedBoxes(of: path, videoTrack: 0))
    let copy = try #require(CarriedBoxes(of: try scratch.file("o.\(container)").path, videoTrack: 0))
    #expect(Set(original.entry.map(\.name)).isSuperset(of: names))
    for box in original.entry {
      #expect(copy.entry.contains { $0.name == box.name && Array($0.bytes) == Array(box.bytes) }, "\(box.name)")
    }
    #expect(!copied.errors.contains("boxes that are not copied: \(names[0])"), "\(copied.errors)")
  }

  /// The hidden edges of a Matroska file: told by the probe, and by a render and a copy, which lack them.
  @Test func hiddenEdgesOfMatroska_areNamed() throws {
    let scratch = try Scratch()
    let url = try scratch.file("a.mkv")
    try runProgram(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-c:v", "libx264", "-write_crc32", "0",
        url.path,
      ])
    var bytes = [UInt8](try Data(contentsOf: url))
    // The duration of a frame gives its place to two elements of the description of video.
    let before: [UInt8] = [0x23, 0xE3, 0x83, 0x84, 0x02, 0x62, 0x5A, 0x00, 0xE0, 0x89]
    let start = try #require(bytes.indices.dropLast(20).first { Array(bytes[$0..<$0 + before.count]) == before })
    let video = Array(bytes[start + 10..<start + 19])
    bytes.replaceSubrange(
      start..<start + 19, with: [0xE0, 0x91] + video + [0x54, 0xCC, 0x81, 8] + [0x54, 0xBB, 0x81, 4])
    try Data(bytes).write(to: url)
    let extras = try MediaProbe.probe(.file(path: url.path)).extras
    #expect(extras.map(\.name) == ["PixelCrop"])
    #expect(extras.first?.meaning == "the hidden edges: 8 pixels left, 4 top")
    for options in [[], ["--passthrough", "auto"]] {
      let result = try ToolRun.compositor(["render", "a.mkv", "-o", "x.mkv", "--overwrite"] + options, in: scratch.folder)
      #expect(
        result.status == 0 && result.errors.contains("PixelCrop (the hidden edges: 8 pixels left, 4 top)"), "\(result.errors)")
    }
  }
}
