import AVFoundation
import Compositor
import Testing

@Suite struct MetadataTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func item(_ identifier: AVMetadataIdentifier, _ value: String) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = identifier
    item.value = value as NSString
    return item
  }

  @Test func items_knowKeysAndValues() {
    let title = item(.commonIdentifierTitle, "Flight")
    #expect(title.keySpace == .common && title.commonKey == .commonKeyTitle && title.stringValue == "Flight")
    let made = AVMutableMetadataItem()
    made.keySpace = .common
    made.key = AVMetadataKey.commonKeyTitle.rawValue as NSString
    made.value = 3 as NSNumber
    #expect(made.identifier == .commonIdentifierTitle && made.numberValue == 3 && made.stringValue == "3")
    let copy = made.copy() as? AVMetadataItem
    made.value = 4 as NSNumber
    #expect(copy?.numberValue == 3 && !(copy is AVMutableMetadataItem) && made.mutableCopy() is AVMutableMetadataItem)
  }

  /// The location in both its names, which programs use alike.
  @Test(arguments: [AVMetadataIdentifier.commonIdentifierLocation, .quickTimeMetadataLocationISO6709])
  func items_areWrittenAndRead(_ location: AVMetadataIdentifier) async throws {
    let writer = try AVAssetWriter(outputURL: folder["a.mov"], fileType: .mov)
    writer.metadata = [
      item(.commonIdentifierTitle, "Flight"), item(location, "+37.3349-122.0090/"),
      item(AVMetadataIdentifier("mdta/own"), "lost"),
    ]
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings())
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    for index in 0..<3 { input.append(try sample(try picture(index), at: frames(index))) }
    await writer.finishWriting()
    #expect(writer.status == .completed)
    let asset = AVAsset(url: folder["a.mov"])
    let found = try await asset.load(.metadata)
    let title = AVMetadataItem.metadataItems(from: found, filteredByIdentifier: .commonIdentifierTitle)
    #expect(title.map(\.stringValue) == ["Flight"])
    #expect(found.count == 2 && found.allSatisfy { $0.keySpace == .quickTimeMetadata })
    let key = found.first { ($0.key as? NSString) as String? == AVMetadataKey.quickTimeMetadataKeyLocationISO6709.rawValue }
    #expect(try await (key?.load(.value) as? NSString)?.hasPrefix("+37.3349-122.0090") == true)
    let place = asset.commonMetadata.first { $0.commonKey == .commonKeyLocation }
    #expect(
      place?.stringValue?.hasPrefix("+37.3349-122.0090") == true,
      "\(found.map { "\($0.identifier?.rawValue ?? "") \($0.stringValue ?? "")" })")
  }
}
