internal import Foundation

/// A list of dictionaries that programs change. A list of Foundation would give copies of them.
final class DictionaryList: NSArray {
  private var dictionaries: [NSMutableDictionary] = []

  /// A list of empty dictionaries.
  convenience init(count: Int) {
    self.init(objects: nil, count: 0)
    dictionaries = (0..<count).map { _ in NSMutableDictionary() }
  }

  required init(objects: UnsafePointer<AnyObject>?, count: Int) { super.init(objects: objects, count: count) }
  required convenience init(arrayLiteral elements: Any...) { self.init(count: 0) }
  required init?(coder aDecoder: NSCoder) { nil }

  override var count: Int { dictionaries.count }
  override func object(at index: Int) -> Any { dictionaries[index] }
}
