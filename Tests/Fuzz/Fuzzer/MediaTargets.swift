import CFuzzer
import CompositorAPI
import Foundation
import CompositorMediaIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Gives bytes as a file without one on a disk.
private func withFile(_ bytes: UnsafeRawBufferPointer, _ body: (String) -> Void) {
  let file = fuzzer_file(bytes.baseAddress, bytes.count)
  precondition(file >= 0)
  defer { close(file) }
  body("/proc/self/fd/\(file)")
}

/// Pictures of more than this are not decoded: an input of some bytes may ask for gigabytes, as a file may.
private let largestPicture = 1 << 22

func fuzzStills(_ bytes: UnsafeRawBufferPointer) -> CInt {
  // Other bytes are for the other target.
  guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) || bytes.starts(with: [0xff, 0xd8, 0xff]) else { return -1 }
  withFile(bytes) { path in
    do throws(CompositorError) {
      guard let track = try MediaProbe.probe(.file(path: path)).videoTracks.first,
        track.size.width * track.size.height <= largestPicture
      else { return }
      _ = try MediaOpener.openVideo(.file(path: path)).frame(at: .zero)
    } catch {
      precondition(!error.message.isEmpty)
    }
  }
  return 0
}

func fuzzProbe(_ bytes: UnsafeRawBufferPointer) -> CInt {
  withFile(bytes) { path in
    do throws(CompositorError) {
      let info = try MediaProbe.probe(.file(path: path))
      for track in info.videoTracks { precondition(track.size.width > 0 && track.size.height > 0) }
    } catch {
      precondition(!error.message.isEmpty)
    }
  }
  return 0
}
