import CompositorAPI
import Testing

/// Colors with components as numbers, in the notation of CSS.
@Suite struct ColorNotationTests {
  @Test(arguments: [
    ("color(srgb 0.1 0.2 0.3)", Color(red: 0.1, green: 0.2, blue: 0.3)),
    ("color(srgb 1 0 0 / 0.5)", Color(red: 1, green: 0, blue: 0, alpha: 0.5)),
    ("color(srgb -0.25 1.5 1e-3 / 0)", Color(red: -0.25, green: 1.5, blue: 0.001, alpha: 0)),
  ])
  func function_ofThreeNumbersAndAlpha_isTheColor(_ notation: String, _ color: Color) {
    #expect(Color(notation: notation) == color)
  }

  @Test(arguments: [
    "color(srgb 1 0)", "color(srgb 1 0 0 0)", "color(srgb 1 0 0 / 2)", "color(srgb 1 0 0 / 0.5 / 1)", "color(srgb nan 0 0)",
    "color(display-p3 1 0 0)", "color(srgb 1 0 0", "color(srgb)", "color(srgb 0x1 0 0)",
  ])
  func function_thatIsNone_isNoColor(_ notation: String) { #expect(Color(notation: notation) == nil) }
}
