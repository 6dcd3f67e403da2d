import CompositorDiagram
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an SVG, with its place.
struct SVGElement {
  let name: String
  let attributes: [String: String]
  /// Its characters, and those of a `<title>` in it.
  var text = ""
  var tooltip = ""
  /// The row that it is in.
  let row: String?

  var kinds: Set<String> { Set((attributes["class"] ?? "").split(separator: " ").map(String.init)) }
  func number(_ name: String) -> Double? { attributes[name].flatMap(Double.init) }
}

/// An SVG as an independent XML parser reads it.
final class SVGElements: NSObject, XMLParserDelegate {
  private(set) var elements: [SVGElement] = []
  private var open: [Int] = []
  private var rows: [String?] = [nil]

  /// - Throws: What the parser complains of.
  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw NotXML(description: "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")")
    }
  }

  struct NotXML: Error, CustomStringConvertible { let description: String }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    rows.append(attributes["data-row"] ?? rows.last ?? nil)
    open.append(elements.count)
    elements.append(SVGElement(name: name, attributes: attributes, row: rows.last ?? nil))
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    rows.removeLast()
    let index = open.removeLast()
    if name == "title", let parent = open.last { elements[parent].tooltip = elements[index].text }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if let index = open.last { elements[index].text += string }
  }

  var root: SVGElement { elements[0] }
  func all(_ kind: String) -> [SVGElement] { elements.filter { $0.kinds.contains(kind) } }

  /// Where a time is, by the contract of the root's attributes.
  func x(_ seconds: Double) throws -> Double {
    let start = try #require(root.number("data-start"))
    let duration = try #require(root.number("data-duration"))
    let (x0, x1) = (try #require(root.number("data-x0")), try #require(root.number("data-x1")))
    return min(max(x0 + (seconds - start) / duration * (x1 - x0), x0), x1)
  }
}
