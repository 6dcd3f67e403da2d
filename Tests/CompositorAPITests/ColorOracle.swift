import Foundation

/// Vectors computed by colour-science; `Tests/Tools/oracle-color.py` says how.
struct ColorOracle: Decodable {
  struct Primaries: Decodable {
    let primaries: UInt8
    let matrix: [Double]
  }
  struct Conversion: Decodable {
    let from: UInt8, to: UInt8
    let matrix: [Double]
  }
  struct Curve: Decodable {
    let transfer: UInt8
    let values: [Double], encoded: [Double], decoded: [Double]
  }
  struct DisplayCurve: Decodable {
    let values: [Double], encoded: [Double], decoded: [Double]
  }
  struct Light: Decodable {
    let from: UInt8, to: UInt8
    let peak: Double
    let rgb: [Double], signal: [Double]
  }
  struct Hue: Decodable {
    let name: String
    let rgb: [Double], ictcp: [Double]
  }
  struct Codes: Decodable {
    let matrix: UInt8
    let bits: Int
    let limited: Bool
    let rgb: [Double], codes: [Double]
  }
  let rgbToXYZ: [Primaries]
  let conversions: [Conversion]
  let curves: [Curve]
  let display: DisplayCurve
  let light: [Light]
  let codes: [Codes]
  let hues: [Hue]

  static func load() throws -> ColorOracle {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/color.json")
    return try JSONDecoder().decode(ColorOracle.self, from: Data(contentsOf: file))
  }
}
