import FacadeBase
import Testing

/// Casts and calls as code for Apple's systems writes them.
@Suite struct CoreFoundationTests {
  private let key: CFString = "width"

  @Test func strings_castBothWays() {
    #expect(key as String == "width")
    #expect("width" as CFString == key)
    #expect((key as Any) as? String == "width")
  }

  @Test func dictionaries_castBothWays() throws {
    let attributes = [key as String: 1920, "height": NSNumber(value: 1080)] as [String: Any] as CFDictionary
    #expect(CFDictionaryGetCount(attributes) == 2)
    let back = try #require(attributes as? [String: Any])
    #expect(back["width"] as? Int == 1920)
    #expect(back["height"] as? Int == 1080)
    let byString = [key: 1] as [CFString: Any] as CFDictionary
    #expect(byString.object(forKey: "width") as? Int == 1)
  }

  @Test func arraysNumbersAndAddresses_cast() throws {
    let list = [1, 2, 3] as CFArray
    #expect(CFArrayGetCount(list) == 3)
    let second = try #require(CFArrayGetValueAtIndex(list, 1))
    #expect(Unmanaged<NSNumber>.fromOpaque(second).takeUnretainedValue() == 2)
    #expect(3 as CFNumber == NSNumber(value: 3))
    #expect(URL(fileURLWithPath: "/tmp/a.mov") as CFURL as URL == URL(fileURLWithPath: "/tmp/a.mov"))
    #expect(CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(kCFBooleanFalse))
  }

  /// Settings hold `Int`, `Double`, `CGFloat` and `NSNumber` alike.
  @Test(arguments: [NSNumber(value: 1280), NSNumber(value: 1280.0), NSNumber(value: UInt8(200))] as [NSNumber])
  func numbers_castToCGFloat(number: NSNumber) {
    let settings: [String: Any] = ["width": number]
    #expect(settings["width"] as? CGFloat == CGFloat(number.doubleValue))
    #expect((CGFloat(0.5) as NSNumber).doubleValue == 0.5)
  }

  @Test func absoluteTime_isSecondsSince2001() {
    #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 60)
  }
}

@Suite struct OverlayTests {
  private struct Failure: Error {}

  @Test func pool_returnsAndThrowsWhatItsBodyDoes() {
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: Failure.self) { try autoreleasepool { () throws(Failure) -> Int in throw Failure() } }
  }

  @Test func memory_ofOptionalPointers_isCopiedAndSet() {
    var source: [UInt8] = [1, 2, 3, 4]
    var target: [UInt8] = [0, 0, 0, 0]
    source.withUnsafeMutableBytes { from in
      target.withUnsafeMutableBytes { to in
        let optional: UnsafeMutableRawPointer? = from.baseAddress
        memcpy(to.baseAddress, optional, 3)
      }
    }
    #expect(target == [1, 2, 3, 0])
    target.withUnsafeMutableBytes { to in
      let optional: UnsafeMutableRawPointer? = to.baseAddress
      memset(optional, 7, 2)
    }
    #expect(target == [7, 7, 3, 0])
    let none: UnsafeMutableRawPointer? = nil
    #expect(memcpy(none, none, 0) == nil)
  }
}
