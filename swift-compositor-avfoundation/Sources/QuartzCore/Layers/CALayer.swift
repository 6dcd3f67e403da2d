public import Foundation

/// A rectangle with contents and sublayers, which an animation tool draws over the frames of a movie.
///
/// The tree is read once, when the export begins; animations say what changes over time. The origin is at the lower left and y points up,
/// unless ``isGeometryFlipped`` says otherwise.
open class CALayer: NSObject, CAMediaTiming {
  // MARK: Time

  /// The beginning in the time of the layer above, in seconds; for the uppermost one in the time of the movie.
  open var beginTime: CFTimeInterval = 0
  /// The duration of one pass in seconds; infinite by default.
  open var duration: CFTimeInterval = .infinity
  /// Its seconds per second of the layer above.
  open var speed: Float = 1
  /// What is added to its time, in seconds.
  open var timeOffset: CFTimeInterval = 0
  /// The number of passes; 0 for one.
  open var repeatCount: Float = 0
  /// The duration of all passes in seconds; 0 to use ``repeatCount``.
  open var repeatDuration: CFTimeInterval = 0
  /// Whether each pass is also played backward.
  open var autoreverses = false
  /// What is shown outside of its time.
  open var fillMode = CAMediaTimingFillMode.removed

  // MARK: Geometry

  /// The part of its own space that it shows.
  open var bounds = CGRect.zero {
    didSet {
      guard bounds != oldValue else { return }
      needsLayoutFlag = true
      if needsDisplayOnBoundsChange { setNeedsDisplay() }
    }
  }
  /// Where the anchor point is in the layer above.
  open var position = CGPoint.zero
  /// The point of the bounds that ``position`` and ``transform`` refer to, in fractions. Default the middle.
  open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
  /// How near it is among its siblings: nearer ones cover others, whatever their order.
  open var zPosition: CGFloat = 0
  /// The transform about the anchor point.
  open var transform = CATransform3DIdentity
  /// The transform of all sublayers about the anchor point; its `m34` gives them perspective.
  open var sublayerTransform = CATransform3DIdentity
  /// Whether y points the other way in this layer and those below it than in the layer above. Pictures and text stay upright.
  open var isGeometryFlipped = false
  /// Whether it is seen from behind.
  open var isDoubleSided = true

  // MARK: Appearance

  /// The opacity of the layer with its sublayers, 0 … 1.
  open var opacity: Float = 1
  /// Whether the layer and its sublayers are hidden.
  open var isHidden = false
  /// The color of the bounds; `nil` for none.
  open var backgroundColor: CGColor?
  /// The radius of the corners of background and border, and of sublayers if ``masksToBounds`` is set.
  open var cornerRadius: CGFloat = 0
  /// The width of the border inside of the bounds.
  open var borderWidth: CGFloat = 0
  /// The color of the border.
  open var borderColor: CGColor? = .black
  /// The color of the shadow; `nil` for none.
  open var shadowColor: CGColor? = .black
  /// The opacity of the shadow; 0, the default, for none.
  open var shadowOpacity: Float = 0
  /// Where the shadow is. Default three below.
  open var shadowOffset = CGSize(width: 0, height: -3)
  /// How far the shadow is blurred.
  open var shadowRadius: CGFloat = 3
  /// Whether contents and sublayers end at the bounds.
  open var masksToBounds = false
  /// A layer whose coverage is that of this one, placed as a sublayer is; `nil` for none.
  open var mask: CALayer?

  // MARK: Contents

  /// A `CGImage`; `nil` for nothing.
  open var contents: Any?
  /// How the picture fills the bounds.
  open var contentsGravity = CALayerContentsGravity.resize
  /// The part of the picture that is shown, in fractions.
  open var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
  /// The part of the picture that is stretched, in fractions; the parts around it keep their size.
  open var contentsCenter = CGRect(x: 0, y: 0, width: 1, height: 1)
  /// Pixels of the picture per unit of the layer, and of the context that ``draw(in:)`` is given.
  open var contentsScale: CGFloat = 1
  /// Whether the contents are drawn again when the bounds change.
  open var needsDisplayOnBoundsChange = false
  /// Draws and arranges the layer for it.
  open weak var delegate: (any CALayerDelegate)?
  /// A name for the program.
  open var name: String?
  /// What happens when properties change. Nothing does: see ``CATransaction``.
  open var actions: [String: any CAAction]?

  // MARK: Hints, which change nothing here

  /// Whether the contents have no holes.
  open var isOpaque = false
  /// Whether edges are smooth.
  open var allowsEdgeAntialiasing = true
  /// Whether the layer is drawn once for all.
  open var shouldRasterize = false
  /// The scale at which it is drawn then.
  open var rasterizationScale: CGFloat = 1
  /// How pictures are made larger.
  open var magnificationFilter = CALayerContentsFilter.linear
  /// How pictures are made smaller.
  open var minificationFilter = CALayerContentsFilter.linear

  weak var parent: CALayer?
  var children: [CALayer] = []
  var ownAnimations: [(key: String, animation: CAAnimation)] = []
  var needsDisplayFlag = false
  var needsLayoutFlag = false

  /// A layer without a size.
  public override init() { super.init() }
  /// A layer for classes that copy one of their own. Nothing is copied: there are no layers behind those of the program.
  public init(layer: Any) { super.init() }
  /// A layer without a size. Archives are not read.
  public required init?(coder: NSCoder) { super.init() }

  // MARK: What classes of a program change

  /// Whether the contents are drawn again when a property changes. It is not asked here: call ``setNeedsDisplay()``.
  open class func needsDisplay(forKey key: String) -> Bool { false }
  /// Says that the contents are to be drawn.
  open func setNeedsDisplay() { needsDisplayFlag = true }
  /// Says that a part of the contents is to be drawn, which means all of them.
  open func setNeedsDisplay(_ rect: CGRect) { setNeedsDisplay() }
  /// Whether the contents are to be drawn.
  open func needsDisplay() -> Bool { needsDisplayFlag }
  /// Calls ``display()`` if the contents are to be drawn. An export does so when it begins.
  open func displayIfNeeded() {
    guard needsDisplayFlag else { return }
    needsDisplayFlag = false
    display()
  }
  /// Sets the contents: by the delegate, or to what ``draw(in:)`` draws.
  open func display() { if let delegate { delegate.display(self) } else { drawContents() } }
  /// Draws the contents, in the layer's own space. By default the delegate does.
  open func draw(in ctx: CGContext) { delegate?.draw(self, in: ctx) }

  /// Says that the sublayers are to be placed.
  open func setNeedsLayout() { needsLayoutFlag = true }
  /// Whether the sublayers are to be placed.
  open func needsLayout() -> Bool { needsLayoutFlag }
  /// Places the sublayers of all layers of the tree that need it. An export does so when it begins.
  open func layoutIfNeeded() {
    if needsLayoutFlag {
      needsLayoutFlag = false
      layoutSublayers()
    }
    for child in children { child.layoutIfNeeded() }
  }
  /// Places the sublayers. By default the delegate does.
  open func layoutSublayers() { delegate?.layoutSublayers(of: self) }
  /// The size that it wants to have, which is the one that it has.
  open func preferredFrameSize() -> CGSize { frame.size }

  /// Adds a copy of an animation, instead of one with the same key.
  ///
  /// An animation without a duration gets that of the transaction.
  open func add(_ anim: CAAnimation, forKey key: String?) {
    guard let copy = anim.copy() as? CAAnimation else { return }
    if copy.duration == 0 { copy.duration = CATransaction.animationDuration() }
    if let key { removeAnimation(forKey: key) }
    ownAnimations.append((key ?? UUID().uuidString, copy))
  }
  /// Removes an animation.
  open func removeAnimation(forKey key: String) { ownAnimations.removeAll { $0.key == key } }
}
