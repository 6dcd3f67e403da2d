import AVFoundation

// Classes of compositors as programs write them. The framework makes them with `init()`, which the language does not offer for them: an
// optimizer that knows too much would make objects of another class, or skip their initializers.

class PlainCompositor: NSObject, AVVideoCompositing {
  var number = 7
  var sourcePixelBufferAttributes: [String: any Sendable]? { nil }
  var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
    [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
  }
  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
  func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest) {}
}

class OverridingCompositor: PlainCompositor {
  override init() {
    super.init()
    number = 8
  }
}

final class InheritingCompositor: OverridingCompositor { let list = [1, 2, 3] }

final class ConvenientCompositor: PlainCompositor {
  let name: String
  init(name: String) {
    self.name = name
    super.init()
    number = name.count
  }
  convenience override init() { self.init(name: "convenient") }
}

final class GenericCompositor<Value>: PlainCompositor { var values: [Value] = [] }

/// Makes an object of each class as an export does.
func madeEveryClass() -> Bool {
  func make<Compositor: PlainCompositor>(_ type: Compositor.Type) -> Compositor? {
    let made = try? AVFoundationFacade.make(type)
    return made.flatMap { Swift.type(of: $0 as AnyObject) == type ? $0 as? Compositor : nil }
  }
  let generic = make(GenericCompositor<String>.self)
  generic?.values.append("value")
  return make(PlainCompositor.self)?.number == 7 && make(OverridingCompositor.self)?.number == 8
    && make(InheritingCompositor.self)?.list == [1, 2, 3] && make(InheritingCompositor.self)?.number == 8
    && make(ConvenientCompositor.self)?.name == "convenient" && generic?.values == ["value"]
    && make(GenericCompositor<Int>.self)?.values.isEmpty == true
}
