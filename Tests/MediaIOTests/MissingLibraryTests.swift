import Foundation
import CompositorTestSupport
import Testing

/// What a compiler says where a library's headers are missing.
struct MissingLibraryTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  private static let hasClang: Bool = {
    do {
      try runProgram("clang", ["--version"])
      return true
    } catch {
      return false
    }
  }()

  @Test(
    .enabled(if: hasClang),
    arguments: [
      ("CFFmpeg/include/common.h", "libavcodec-dev", "ffmpeg-free-devel", "ffmpeg"),
      ("CFFmpeg/include/write_muxer.h", "libavformat-dev", "ffmpeg-free-devel", "ffmpeg"),
      ("CPNG/include/png_read.h", "libpng-dev", "libpng-devel", "libpng"),
      ("CJPEG/include/jpeg_read.h", "libjpeg-dev", "libjpeg-turbo-devel", "libjpeg-turbo"),
      ("CLCMS/include/profile.h", "liblcms2-dev", "lcms2-devel", "lcms2"),
      ("CLibass/include/script.h", "libass-dev", "libass-devel", "libass"),
      ("CHyphen/include/dictionary.h", "libhyphen-dev", "hyphen-devel", "hyphen"),
      ("CICU/include/formats.h", "libicu-dev", "libicu-devel", "icu"),
      ("CPangoCairo/pango_required.h", "libpango1.0-dev", "pango-devel", "pango"),
    ])
  func header_withoutTheLibrary_namesThePackages(header: String, debian: String, fedora: String, arch: String) throws {
    let path = MissingLibraryTests.sources.appending(path: header).path
    // Without any directory of headers every library is missing.
    #expect {
      try runProgram("clang", ["-fsyntax-only", "-nostdinc", "-x", "c", path])
    } throws: { error in
      let text = "\(error)"
      return text.contains("apt-get install ") && text.contains(debian) && text.contains("dnf install \(fedora)")
        && text.contains("pacman -S \(arch)")
    }
  }
}
