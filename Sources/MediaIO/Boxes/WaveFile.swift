/// The chunks of a WAV, RF64 or BW64 file (EBU Tech 3306) that libavformat doesn't read.
enum WaveFile {
  private static let maximumChunkCount = 10_000

  /// Chunks that hold audio, or what libavformat describes as metadata or chapters, or nothing.
  private static let ordinary: Set<String> = [
    "fmt ", "data", "ds64", "fact", "LIST", "bext", "cue ", "id3 ", "ID3 ", "JUNK", "junk", "FLLR", "PAD ", "PEAK", "DISP",
    "afsp",
  ]
  private static let meanings: [String: String] = [
    "smpl": "the loops of a sampler", "inst": "the tuning of an instrument", "acid": "tempo and key",
    "iXML": "the recorder's notes",
    "axml": "the description of an audio scene", "chna": "the channels of an audio scene", "cart": "the data of a radio cart",
    "plst": "a playlist of regions", "strc": "a list of slices", "levl": "a waveform's overview", "minf": "an editor's data",
    "elm1": "an editor's data", "regn": "an editor's regions", "umid": "an identifier",
  ]

  /// What a file states beside its audio and is not read.
  static func extras(inFile path: String) -> [ContainerExtra] {
    guard let file = PartialFile(path: path), let head = file.bytes(12, at: 0), head.text(at: 8, byteCount: 4) == "WAVE" else {
      return []
    }
    var (position, sizeOfData, found) = (12, Int?.none, [ContainerExtra]())
    for _ in 0..<maximumChunkCount {
      guard let chunk = file.bytes(8, at: position), let name = chunk.text(at: 0, byteCount: 4),
        var size = chunk.littleEndian(at: 4, byteCount: 4)
      else { break }
      // RF64 states the size of its data in another chunk, in 8 bytes.
      if name == "ds64", let sizes = file.bytes(24, at: position + 8) { sizeOfData = sizes.littleEndian(at: 8, byteCount: 7) }
      if name == "data", size == 0xffff_ffff { size = sizeOfData ?? file.size }
      if !ordinary.contains(name), name.allSatisfy({ $0.isASCII && !$0.isNewline }), !found.contains(where: { $0.name == name })
      {
        found.append(ContainerExtra(name: name, meaning: meanings[name] ?? "a chunk beside the audio", isCopied: false))
      }
      position += 8 + size + size & 1
      guard position < file.size else { break }
    }
    return found
  }
}
