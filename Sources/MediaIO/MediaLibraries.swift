import CCompositorFFmpeg

/// Builds of the loaded FFmpeg libraries, and of the encoder libraries that they use.
package enum MediaLibraries {
  /// Versions of FFmpeg's libraries by name, for example `59.37.100` for `libavcodec`.
  package static var versions: [String: String] {
    var versions: [String: String] = [:]
    for index in 0... {
      let library = cff_library_at(Int32(index))
      guard let name = library.name else { break }
      versions[String(cString: name)] = "\(library.major).\(library.minor).\(library.micro)"
    }
    return versions
  }

  /// FFmpeg's own name of the build, such as `5.1.6-0+deb12u1`.
  package static var buildName: String { cff_build_name().map { String(cString: $0) } ?? "" }

  /// The library that contains an encoder, with the version it reports: `libx265.so.199 3.5+1`. `nil` for libavcodec's own
  /// encoders.
  ///
  /// - Parameter encoder: libavcodec's name of the encoder.
  package static func library(ofEncoder encoder: String) -> String? {
    var text = [CChar](repeating: 0, count: 160)
    guard cff_encoder_library(encoder, &text, text.count) else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
