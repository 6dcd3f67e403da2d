import AVFoundation
import Synchronization
import Testing

/// Compositors whose classes are written in every way that gives them an `init()`.
@Suite struct CompositorClassTests {
  /// Without an initializer, and with properties that have values.
  class Plain: NSObject, AVVideoCompositing {
    var number = 7
    let text = "made"
    var sourcePixelBufferAttributes: [String: any Sendable]? { nil }
    var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
      [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    }
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
    func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest) {
      asyncVideoCompositionRequest.finishCancelledRequest()
    }
  }

  class Overriding: Plain {
    override init() {
      super.init()
      number = 8
    }
  }

  class Convenient: Plain {
    let name: String
    init(name: String) {
      self.name = name
      super.init()
      number = name.count
    }
    convenience override init() { self.init(name: "convenient") }
  }

  /// Inherits what its superclass overrides.
  class Inheriting: Overriding { let list = [1, 2, 3] }

  final class Generic<Value>: Plain { var values: [Value] = [] }

  private final class Hidden: Plain {
    override init() {
      super.init()
      number = 9
    }
  }

  final class Named: Plain {
    let name: String
    init(name: String) {
      self.name = name
      super.init()
    }
  }

  private func made<Compositor: Plain>(_ type: Compositor.Type) throws -> Compositor {
    let object = try AVFoundationFacade.make(type)
    #expect(Swift.type(of: object as AnyObject) == type)
    return try #require(object as? Compositor)
  }

  @Test func everyInit_isCalled() throws {
    #expect(try made(Plain.self).number == 7 && made(Plain.self).text == "made")
    #expect(try made(Overriding.self).number == 8)
    #expect(try made(Convenient.self).number == 10 && made(Convenient.self).name == "convenient")
    let inheriting = try made(Inheriting.self)
    #expect(inheriting.number == 8 && inheriting.list == [1, 2, 3])
    let generic = try made(Generic<String>.self)
    generic.values.append("x")
    #expect(generic.values == ["x"] && generic.number == 7)
    #expect(try made(Generic<Int>.self).values.isEmpty)
    #expect(try made(Hidden.self).number == 9)
  }

  @Test func manyObjects_areReleased() throws {
    weak var last: Plain?
    for _ in 0..<10_000 { last = try made(Inheriting.self) }
    #expect(last == nil)
  }

  /// A class without `init()` is made as the program says.
  @Test func registeredClass_isMadeByItsClosure() throws {
    AVFoundationFacade.register(Named.self) { Named(name: "registered") }
    #expect(try made(Named.self).name == "registered")
  }

  @Test func videoComposition_keepsTheClass() throws {
    let video = AVMutableVideoComposition()
    #expect(video.customVideoCompositorClass == nil)
    video.customVideoCompositorClass = Inheriting.self
    let copy = try #require(video.copy() as? AVVideoComposition)
    #expect(copy.customVideoCompositorClass == Inheriting.self)
  }

  /// Members that are optional on Apple's systems have values.
  @Test func optionalMembers_haveDefaults() throws {
    let compositor = try AVFoundationFacade.make(Plain.self)
    #expect(!compositor.supportsHDRSourceFrames && !compositor.supportsWideColorSourceFrames)
    #expect(!compositor.canConformColorOfSourceFrames)
    compositor.cancelAllPendingVideoCompositionRequests()
  }
}
