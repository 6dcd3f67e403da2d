import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import CompositorTestSupport
import Foundation
import Testing

/// Names that are near in letters but mean something else are no fixes; well-known words of other tools come before nearness.
@Suite struct NearNameTests {
  /// Parts that carry a meaning, exchanged for each other.
  private static let exchanges = [
    ["X", "Y", "Z"], [".x", ".y", ".z"], ["hdr", "sdr", "pq", "hlg"], ["left", "right"], ["Left", "Right"], ["-in", "-out"],
    ["In", "Out"], ["luma", "alpha"], ["luminance", "alpha"], ["begin", "end"], ["start", "end"], ["min", "max"],
    ["Min", "Max"],
    ["width", "height"], ["Width", "Height"], ["top", "bottom"], ["up", "down"], ["264", "265"],
  ]

  private static func choices(_ shape: ValueShape) -> [[String]] {
    switch shape {
    case .choice(let words): [words]
    case .any(let shapes): shapes.flatMap(choices)
    case .list(let element, _, _): choices(element)
    case .map(let element): choices(element)
    default: []
    }
  }

  private static let wordLists = Set(
    ProjectSchema.shapes.map { $0.keys.map(\.key) } + ProjectSchema.shapes.flatMap { $0.keys.flatMap { choices($0.value) } })

  /// Every key and every choice, with such a part exchanged, is not taken for the one it comes from.
  @Test func exchangedPart_isNeverAMisspelling() {
    var count = 0
    for words in Self.wordLists {
      for word in words {
        for group in Self.exchanges {
          for part in group where word.hasSuffix(part) || word.hasPrefix(part) {
            for other in group where other != part {
              let changed =
                word.hasSuffix(part) ? String(word.dropLast(part.count)) + other : other + word.dropFirst(part.count)
              // Letters of a longer word are no part: "pin" and "begins" have none.
              guard !words.contains(changed), differInMeaning(changed, word) else { continue }
              count += 1
              let near = suggestion(for: changed, among: words)
              #expect(near != word, "\(changed) is taken for \(word)")
              #expect(near.map { !differInMeaning(changed, $0) } ?? true, "\(changed) is taken for \(near ?? "")")
            }
          }
        }
      }
    }
    #expect(count >= 60, "\(count)")
  }

  /// With an axis or a number more, a name is another one as well.
  @Test func additionalAxis_isNeverAMisspelling() {
    for words in Self.wordLists {
      // A name with an axis has no second one, and a longer number may be mistyped.
      for word in words
      where word.count > 2 && !["X", "Y", "Z", "x", "y", "z"].contains(word.suffix(1)) && word.prefix(1) != "z" {
        for end in ["X", "Y", "Z", ".x", ".z", "2"]
        where !words.contains(word + end) && !(end == "2" && word.suffix(1) >= "0" && word.suffix(1) <= "9") {
          #expect(differInMeaning(word + end, word), "\(word + end) is taken for \(word)")
        }
      }
    }
  }

  @Test(arguments: [
    ("rotationX", "rotationZ", true), ("rotationX", "rotatoinX", false), ("rotation", "rotationX", true),
    ("bt2020", "bt2020-pq", true), ("bt2020", "bt2O20", false), ("bt70", "bt709", false), ("clip1", "clip12", true),
    ("hevc-hdr", "hevc-sdr", true), ("hevc-hdr", "hevc-hrd", false),
    ("h264", "h265", true), ("width", "widht", false), ("width", "height", true), ("fadeIn", "fadeOut", true),
    ("ease-in", "easeinn", false), ("scale", "scalex", true), ("scale", "scales", false),
    ("inverted-luma", "inverted-luminance", false),
    ("inverted-luma", "inverted-alpha", true), ("beginTime", "startTime", false), ("beginTime", "endTime", true),
    ("wipe-left", "wipe-right", true), ("wipe-left", "wipe-lefd", false), ("clip1", "clip2", true),
    ("transform.scale.x", "transform.scaleX", false),
  ])
  func names_differInMeaning(_ first: String, _ second: String, _ differ: Bool) {
    #expect(differInMeaning(first, second) == differ)
    #expect(differInMeaning(second, first) == differ)
  }

  /// Written without asking: slips of the hand alone.
  @Test(arguments: [
    ("rotatoinX", "rotationX", true), ("opactiy", "opacity", true), ("opacty", "opacity", true), ("colour", "color", true),
    ("centre", "center", true), ("dissolv", "dissolve", true), ("trakcs", "tracks", true), ("frame_rate", "frameRate", true),
    ("hevc-1O", "hevc-10", true), ("sizee", "size", true), ("scales", "scale", true),
    ("speed", "seed", false), ("lighter", "lighten", false), ("noAudio", "audio", false), ("textColor", "boxColor", false),
    ("emitter.rate", "emitter.scale", false), ("prores-hq", "prores-pq", false),
    ("unpremultiplied", "premultiplied", false),
    ("lineColor", "fillColor", false), ("ease-in-quad", "ease-in-out", false), ("speedRange", "spinRange", false),
    ("fadeTo", "fadeIn", false), ("saturation", "duration", false), ("point", "paint", false),
    ("rotationX", "rotationY", false),
  ])
  func name_isWrittenInPlaceOfAMisspelling(_ word: String, _ name: String, _ isWritten: Bool) {
    #expect(isMisspelling(word, of: name) == isWritten)
  }

  /// One letter swapped within each long part of each name: that name is meant and written, unless the result is a word.
  @Test func swappedLetters_areWritten() {
    var (written, count) = (0, 0)
    for words in Self.wordLists {
      for word in words where word.count >= 6 && word.allSatisfy(\.isLetter) && word.allSatisfy(\.isLowercase) {
        var letters = Array(word)
        letters.swapAt(2, 3)
        guard letters != Array(word), !words.contains(String(letters)) else { continue }
        count += 1
        if suggestion(for: String(letters), among: words) == word, isMisspelling(String(letters), of: word) { written += 1 }
      }
    }
    #expect(count > 100 && written * 100 >= count * 97, "\(written) of \(count)")
  }
}
