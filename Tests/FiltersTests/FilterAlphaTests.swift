import CompositorMediaIO
import Testing

/// Which filters make opaque frames transparent.
struct FilterAlphaTests {
  @Test(arguments: FilterAlpha.keys) func key_always_makesAlpha(_ filter: String) {
    #expect(FilterAlpha.isMade(by: filter, options: [:]))
  }

  @Test(arguments: [
    ("fade", "alpha", "1", "0"), ("geq", "a", "X", ""), ("geq", "alpha_expr", "128", ""), ("lutyuv", "a", "val/2", "clipval"),
    ("lut", "c3", "128", "val"), ("colorchannelmixer", "aa", "0.5", "1.0"), ("colorchannelmixer", "ar", "1", "0"),
    ("rotate", "fillcolor", "none", "black"), ("rotate", "c", "red@0.5", "red@1"), ("rotate", "c", "0x11223380", "0x112233"),
    ("shear", "fillcolor", "#11223300", "#112233ff"), ("fillborders", "color", "red@0x80", "red@0xff"),
    ("v360", "alpha_mask", "true", "false"),
  ])
  func option_makesAlpha_orDoesNot(_ filter: String, _ option: String, _ making: String, _ other: String) {
    #expect(FilterAlpha.isMade(by: filter, options: [option: making]))
    #expect(!FilterAlpha.isMade(by: filter, options: [option: other]) && !FilterAlpha.isMade(by: filter, options: [:]))
    #expect(FilterAlpha.isMade(by: filter, options: [:], changing: [option]))
  }

  @Test func box_onlyIfItReplaces_makesAlpha() {
    #expect(!FilterAlpha.isMade(by: "drawbox", options: ["color": "red@0.5"]))
    #expect(FilterAlpha.isMade(by: "drawbox", options: ["color": "red@0.5", "replace": "1"]))
  }

  @Test(arguments: ["gblur", "hue", "curves", "negate", "overlay", "xfade"]) func other_filters_keepOpaque(_ filter: String) {
    #expect(!FilterAlpha.isMade(by: filter, options: ["alpha": "1", "color": "red@0.5", "a": "1"]))
  }

  @Test(arguments: [
    ("chromakey=green:0.2", true), ("gblur=sigma=2,fade=t=out:st=0:d=1:alpha=1", true), ("gblur=sigma=2", false),
    ("[0]split[a][b];[a]chromakey=green[k];[b][k]overlay", false),
    ("[0]split[a][b];[a]gblur[k];[b][k]overlay,colorkey=black", true), ("fade=t=out:st=0:d=1", false),
  ])
  func graph_behindItsLastOverlay_makesAlpha(_ graph: String, _ expected: Bool) {
    #expect(FilterAlpha.isMade(byGraph: graph) == expected)
  }
}
