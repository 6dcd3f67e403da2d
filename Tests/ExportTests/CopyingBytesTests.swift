import CompositorAPI
import CompositorMediaIO
import CompositorMediaWriting
import CompositorTestSupport
import Foundation
import Testing

/// The bytes that copying reads and writes itself.
@Suite struct CopyingBytesTests {
  // Of x264: High profile, level 1.3, both numbers 0 (first bit of the byte after the level), and numbers 1 (010).
  private let sequence: [UInt8] = [0x67, 0x64, 0x00, 0x0D, 0xAC, 0xD9]
  private let picture: [UInt8] = [0x68, 0xEB, 0xE3]
  private let otherSequence: [UInt8] = [0x67, 0x64, 0x00, 0x1F, 0x56, 0x6C]
  private let otherPicture: [UInt8] = [0x68, 0x5A, 0xF8]

  private func header(_ sequence: [UInt8], _ picture: [UInt8]) -> [UInt8] {
    [1, 0x64, 0, 0x0D, 0xFF, 0xE1, 0, UInt8(sequence.count)] + sequence + [1, 0, UInt8(picture.count)] + picture + [
      0xFD, 0xF8, 0xF8, 0,
    ]
  }

  @Test func sets_ofAHeader_areReadAndWritten() throws {
    let bytes = header(sequence, picture)
    let sets = try #require(AVCParameterSets(bytes))
    #expect(sets.sequences == [sequence] && sets.pictures == [picture])
    #expect(sets.sequenceIDs == [0] && sets.pictureIDs == [0] && sets.lengthSize == 4 && sets.freeIDs.first == 1)
    #expect(sets.header == bytes)
  }

  @Test func sets_ofTwoHeaders_areToldApartByTheirNumbers() throws {
    let sets = try #require(AVCParameterSets(header(sequence, picture)))
    let others = try #require(AVCParameterSets([0, 0, 0, 1] + otherSequence + [0, 0, 1] + otherPicture))
    #expect(others.sequenceIDs == [1] && others.pictureIDs == [1])
    let both = try #require(sets.merged(with: others))
    #expect(both.sequences == [sequence, otherSequence] && both.freeIDs.first == 2)
    #expect(AVCParameterSets(try #require(both.header)) == both)
    let clash = try #require(AVCParameterSets(header(sequence + [1], picture)))
    #expect(sets.merged(with: clash) == nil)
    #expect(sets.merged(with: sets) == sets)
  }

  @Test(arguments: [(31, 255), (31, 256), (32, 255)]) func sets_moreThanAHeaderCounts_haveNone(
    _ sequences: Int, _ pictures: Int
  )
    throws
  {
    let sets = try #require(AVCParameterSets(header(sequence, picture)))
    let numbered = (1..<256).map { UInt8($0) }
    // Numbers are not looked at where sets are the same or have none.
    let units =
      numbered.prefix(sequences - 1).map { [0x67, 0x64, 1, $0, 5, 0x41] }
      + (0..<pictures - 1).map { [0x68, 0, UInt8($0 >> 7) + 1, UInt8($0 & 127) << 1 | 1] }
    let others = try #require(AVCParameterSets(units.flatMap { [0, 0, 0, 1] + $0 }))
    let all = try #require(sets.merged(with: others))
    #expect(all.sequences.count == sequences && all.pictures.count == pictures)
    #expect((all.header != nil) == (sequences <= 31 && pictures <= 255))
  }

  @Test func sets_ofDamagedHeaders_areNone() {
    let bytes = header(sequence, picture)
    for count in 0..<bytes.count - 4 { #expect(AVCParameterSets(Array(bytes.prefix(count))) == nil) }
    #expect(AVCParameterSets([0, 0, 1, 0x67]) == nil)
  }

  @Test(.enabled(if: hasFFmpeg)) func editLists_areWrittenIntoTheIndex() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mp4")
    try NumberedMovie.make(path, count: 50, rate: "25", options: ["-c:v", "libx264", "-g", "10", "-bf", "0"])
    let list = [
      EditListEntry(mediaStart: nil, duration: MediaTime(value: 1, timescale: 5)),
      EditListEntry(mediaStart: MediaTime(value: 10, timescale: 25), duration: MediaTime(value: 4, timescale: 25)),
    ]
    // The index is at the end of this file.
    try EditListBoxes.write([0: list], to: path)
    #expect(try NumberedMovie.numbers(path) == [10, 11, 12, 13])
    let text = try runTool("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
    #expect(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) == 0.36)
    #expect(throws: CompositorError.self) { try EditListBoxes.write([:], to: folder.file("none.mp4")) }
    try Data([0, 0, 0, 1, 2]).write(to: URL(filePath: folder.file("torn.mp4")))
    #expect(throws: CompositorError.self) { try EditListBoxes.write([:], to: folder.file("torn.mp4")) }
  }
}
