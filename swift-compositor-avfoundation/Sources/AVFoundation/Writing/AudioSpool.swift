internal import Foundation

/// Samples that wait until the file is opened: the first ones in memory, others on the disk.
final class AudioSpool {
  private let channelCount: Int
  private let folder: URL
  private var blocks: [[[Float]]] = []
  private var count = 0
  private var file: FileHandle?
  private var counts: [Int] = []

  /// Samples of each channel that stay in memory: some seconds.
  private static let limit = 240_000

  /// - Parameter folder: Where the file is made that has no name.
  init(channelCount: Int, folder: URL) { (self.channelCount, self.folder) = (channelCount, folder) }

  /// Adds samples of each channel.
  ///
  /// - Throws: If the disk is full.
  func append(_ channels: [[Float]]) throws {
    let added = channels.first?.count ?? 0
    count += added
    if file == nil, count <= Self.limit { return blocks.append(channels) }
    let file = try file ?? makeFile()
    self.file = file
    for channel in channels { try file.write(contentsOf: channel.withUnsafeBytes { Data($0) }) }
    counts.append(added)
  }

  private func makeFile() throws -> FileHandle {
    let url = folder.appendingPathComponent(".\(UUID().uuidString).samples")
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw AVError(.unknown, "\(url.path) cannot be written.")
    }
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forUpdating: url)
  }

  /// Gives all samples in their order, and keeps none.
  ///
  /// - Throws: What `body` throws; if the disk cannot be read.
  func drain(_ body: ([[Float]]) throws -> Void) throws {
    for block in blocks { try body(block) }
    if let file {
      try file.seek(toOffset: 0)
      for count in counts {
        try body(
          try (0..<channelCount).map { _ in
            let data = try file.read(upToCount: count * 4) ?? Data()
            guard data.count == count * 4 else { throw AVError(.unknown, "Samples on the disk cannot be read.") }
            return [Float](unsafeUninitializedCapacity: count) { buffer, made in
              made = data.copyBytes(to: buffer) / 4
            }
          })
      }
    }
    (blocks, counts, count, file) = ([], [], 0, nil)
  }
}
