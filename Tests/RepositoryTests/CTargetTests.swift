import Foundation
import Testing

/// The rules for targets of C that CONTRIBUTING.md names, read from their sources.
@Suite struct CTargetTests {
  /// Folder in `Sources` and the prefix of every symbol that its objects show to others.
  private static let prefixes = [
    "CAudioKernels": "cak_", "CBaseline": "baseline_", "CCompositorPlugin": "compositor_", "CDigest": "cdg_",
    "CFFmpeg": "cff_", "CFrei0r": "frei0r_", "CHyphen": "chy_", "CICU": "cicu_", "CJPEG": "cjpeg_", "CLCMS": "clcms_",
    "CLibass": "cass_", "CPNG": "cpng_", "CPango": "", "CPangoCairo": "cpc_", "CPixelKernels": "cpk_",
    "CPluginProcess": "module_", "CPluginSupervisor": "wall_",
  ]

  private static func folders() throws -> [String] {
    let root = Repository.root.appending(path: "Sources")
    return try FileManager.default.contentsOfDirectory(atPath: root.path).filter {
      FileManager.default.fileExists(atPath: root.appending(path: "\($0)/include").path) || $0 == "CPango"
    }.sorted()
  }

  /// Files of a target with an extension: path below `Sources` and text.
  private static func files(_ folder: String, _ kind: String) throws -> [(path: String, text: String)] {
    let root = Repository.root.appending(path: "Sources/\(folder)")
    let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try all.filter { $0.hasSuffix(".\(kind)") }.sorted().map { name in
      ("\(folder)/\(name)", try String(contentsOf: root.appending(path: name), encoding: .utf8))
    }
  }

  /// Names of functions and variables that a source file defines for others: what starts a line, is not static, and is followed by
  /// a body or a value.
  private static func definitions(_ text: String) -> [String] {
    let code = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }.joined(
      separator: "\n")
    let functions = code.matches(
      of:
        #/
        (?m) ^ (?! static|typedef|extern|struct\ \w+\ \{|struct\ __attribute__|enum|union )
        [A-Za-z_][\w\ *]*? \b (\w+) \( [^;{}]* \) [^;{}()]* \{
        /#)
    let variables = code.matches(of: #/(?m)^(?!static|typedef|extern)[A-Za-z_][\w *]* \**(\w+)(?:\[\w*\])? = /#)
    return functions.map { String($0.1) } + variables.map { String($0.1) }
  }

  @Test func folders_areAllKnown() throws {
    #expect(try Self.folders() == Self.prefixes.keys.sorted())
  }

  @Test func symbols_ofATarget_haveItsPrefix() throws {
    var count = 0
    for (folder, prefix) in Self.prefixes {
      for file in try Self.files(folder, "c") {
        for name in Self.definitions(file.text) {
          count += 1
          #expect(name.hasPrefix(prefix), "\(file.path) defines \(name)")
        }
      }
    }
    print("\(count) definitions of C targets have their target's prefix")
    #expect(count > 150)
  }

  @Test func definitions_ofASample_areFound() {
    let text = """
      #define NAMED(x) int x(void) { return 0; }
      static int hidden(void) { return 1; }
      int shown(int a,
          char *b) {
        if (a) { return 0; }
      }
      const char *text_of(void) { return ""; }
      int declared(int);
      const int table[] = {1};
      struct pair { int a; };
      """
    #expect(Self.definitions(text) == ["shown", "text_of", "table"])
  }

  /// `#pragma once` everywhere, but in the header for plugins of any compiler, which is strict ISO C.
  @Test func headers_areGuardedInOneWay() throws {
    for folder in Self.prefixes.keys {
      for file in try Self.files(folder, "h") where !file.path.hasPrefix("CCompositorPlugin/") {
        let isBody = file.path.hasPrefix("CPixelKernels/bodies/") && !file.path.hasSuffix("blending.h")
        #expect(file.text.contains("#pragma once\n") != isBody, "\(file.path)")
        #expect(!file.text.contains(#/(?m)^#ifndef \w+_H_?$/#), "\(file.path) has a guard")
        #expect(!file.text.contains("extern \"C\""), "\(file.path)")
      }
    }
  }

  /// Products and sums are fused nowhere; one place says so for all kernels of a target.
  @Test func contraction_isOffInOnePlace() throws {
    let places = try (Self.files("CPixelKernels", "c") + Self.files("CPixelKernels", "h")).filter {
      $0.text.contains("FP_CONTRACT OFF")
    }
    #expect(places.map(\.path) == ["CPixelKernels/tier.h"])
    for file in try Self.files("CPixelKernels", "c") where file.text.contains("#include \"bodies/common.h\"") {
      #expect(file.text.contains("#include \"tier.h\""), "\(file.path)")
    }
    for file in try Self.files("CAudioKernels", "c") {
      #expect(file.text.contains("#include \"arithmetic.h\""), "\(file.path)")
    }
    let audio = try (Self.files("CAudioKernels", "c") + Self.files("CAudioKernels", "h")).filter {
      $0.text.contains("FP_CONTRACT OFF")
    }
    #expect(audio.map(\.path) == ["CAudioKernels/arithmetic.h"])
  }

  /// Names of containers are in the tables of their traits only.
  @Test func ffmpegShim_asksContainersForTraits() throws {
    let tables = ["CFFmpeg/Reading/read_traits.c", "CFFmpeg/Writing/write_traits.c"]
    let files = try Self.files("CFFmpeg", "c")
    #expect(Set(files.map(\.path)).isSuperset(of: tables))
    for file in files where !tables.contains(file.path) {
      #expect(!file.text.contains(#/av_match_(?:name|list)\(|strcmp\([^;]*format->name/#), "\(file.path)")
    }
  }

  /// What the shim of libav shows to Swift fails in one way.
  @Test func ffmpegShim_reportsFailuresByStatus() throws {
    for file in try Self.files("CFFmpeg", "h") where file.path.contains("/include/") {
      #expect(!file.text.contains("AVERROR"), "\(file.path)")
      // A function that takes a failure returns a status.
      for match in file.text.matches(of: #/(?m)^(\w[\w ]*?)\**(cff_\w+)\([^;]*,\s+cff_failure \*failure\);/#) {
        #expect(match.1.trimmingCharacters(in: .whitespaces) == "cff_status", "\(match.2) in \(file.path)")
      }
    }
  }
}
