import CompositorAPI
import CompositorConversion
import Testing

/// Centers of the first chroma sample of 4:2:0, in luma pixels (ITU-T H.273, figure 1).
private let centers: [(location: ChromaLocation, x: Double, y: Double)] = [
  (.left, 0.5, 1), (.center, 1, 1), (.topLeft, 0.5, 0.5), (.top, 1, 0.5),
]

@Suite struct ChromaSitingTests {
  @Test func grid_ofChroma_isAtTheSite() {
    for (location, x, y) in centers {
      let expected: [(ChromaSubsampling, Point, Point)] = [
        (.s420, Point(x: x, y: y), Point(x: x + 6, y: y + 4)), (.s422, Point(x: x, y: 0.5), Point(x: x + 6, y: 2.5)),
        (.s444, Point(x: 0.5, y: 0.5), Point(x: 3.5, y: 2.5)),
      ]
      for (subsampling, first, other) in expected {
        for plane in 0..<4 {
          let grid = PlaneGrid(plane: plane, ChromaSiting(subsampling, location))
          let isChroma = plane == 1 || plane == 2
          #expect(grid.center(column: 0, row: 0) == (isChroma ? first : Point(x: 0.5, y: 0.5)), "\(location) \(subsampling)")
          #expect(grid.center(column: 3, row: 2) == (isChroma ? other : Point(x: 3.5, y: 2.5)), "\(location) \(subsampling)")
        }
      }
    }
  }

  /// The filter from luma to chroma has its center of mass at the site, and the one back is linear between the rows.
  @Test func filters_areCenteredOnTheSite() {
    for (location, x, y) in centers {
      for subsampling in [ChromaSubsampling.s420, .s422, .s444] {
        let siting = ChromaSiting(subsampling, location)
        let (rows, columns) = (siting.taps.prefix(3).map(Double.init), siting.taps.suffix(3).map(Double.init))
        #expect(rows.reduce(0, +) == 4)
        #expect(columns.reduce(0, +) == 4)
        #expect((rows[2] - rows[0]) / 4 + 0.5 == (subsampling == .s420 ? y : 0.5), "\(location) \(subsampling)")
        if subsampling != .s444 { #expect((columns[2] - columns[0]) / 4 + 0.5 == x, "\(location) \(subsampling)") }
        for luma in 0..<8 {
          let place = siting.rows(for: luma, height: 4)
          let read = Double(place.upper) + Double(place.weight) * Double(place.lower - place.upper)
          let center = Double(luma) + 0.5
          let expected = subsampling == .s420 ? min(max((center - y) / 2, 0), 3) : Double(luma)
          #expect(read == expected, "\(location) \(subsampling) \(luma)")
        }
      }
    }
  }
}
