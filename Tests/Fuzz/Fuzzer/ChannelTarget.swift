import CompositorAPI

// The channel is not an interface, not even within this package: only its bytes can be tested from outside.
@testable import CompositorPlugins

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes are what a plugin's process sends: read as messages until they end, each as every answer that the host waits for.
func fuzzChannel(_ bytes: UnsafeRawBufferPointer) -> CInt {
  guard bytes.count <= 1 << 16 else { return -1 }
  var ends: [Int32] = [-1, -1]
  guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return -1 }
  let channel = WireChannel(descriptor: ends[0])
  defer { close(ends[0]) }
  let written = write(ends[1], bytes.baseAddress, bytes.count)
  close(ends[1])
  guard written == bytes.count else { return -1 }
  let expiry = ContinuousClock.now + .seconds(1)
  while let message = try? channel.receive(until: expiry, maximum: WireHeader.maximumAnswer) { read(message) }
  return 0
}

private func read(_ message: WireChannel.Message) {
  let size = PixelSize(width: 64, height: 36)
  let context = RenderContext(size: size, outputFormat: .rgba, outputAttributes: FrameAttributes(color: .sRGB))
  let request = CompositionRequest(
    time: .zero, instruction: Instruction(timeRange: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))),
    sources: [:],
    context: context)
  for answer in Answer.allCases {
    var reader = WireReader(message.payload)
    do {
      switch answer {
      case .confined: _ = try WireJSON.decode(SandboxPolicy.self, from: reader.data()).text
      case .opened:
        var plugin = try WireJSON.decode(WirePlugin.self, from: reader.data())
        _ = plugin.clean(for: .binary(path: "/a.so"))
      case .failed: _ = try WireJSON.decode(WireError.self, from: reader.data()).error
      case .rendered: _ = try WireAnswer(&reader)
      case .needed: _ = try WireNeeds.read(&reader, of: request)
      }
    } catch {
      // What is no answer is said to be none; the host ends the process.
      continue
    }
  }
}

private enum Answer: CaseIterable {
  case confined, opened, failed, rendered, needed
}
