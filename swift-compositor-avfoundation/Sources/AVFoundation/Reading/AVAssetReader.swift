internal import Compositor
public import Foundation

/// Reads samples of an asset, in the order of time.
///
/// Outputs block the threads that ask them for samples, each by itself.
open class AVAssetReader: NSObject {
  /// How far a reader is.
  public enum Status: Int, Sendable {
    /// Not started.
    case unknown = 0
    /// There is, or may be, more to read.
    case reading = 1
    /// All outputs were read to their ends.
    case completed = 2
    /// Reading ended early; ``AVAssetReader/error`` says why.
    case failed = 3
    /// It was canceled.
    case cancelled = 4
  }

  /// The asset, which is read when the reader starts.
  public let asset: AVAsset
  /// What is read.
  open private(set) var outputs: [AVAssetReaderOutput] = []
  /// The range to be read, in the asset's time; by default all. A range that begins between two frames begins with the next one.
  open var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity) {
    willSet { precondition(status == .unknown, "Set timeRange before the reader starts.") }
  }
  private let state = ReaderState()

  /// A reader of an asset.
  ///
  /// - Throws: `AVError`: why the asset cannot be read.
  public init(asset: AVAsset) throws {
    _ = try asset.readTracks()
    self.asset = (asset as? AVMutableComposition)?.copy() as? AVAsset ?? asset
    super.init()
  }

  deinit { state.cancel() }

  /// How far the reader is.
  open var status: Status { state.status }
  /// Why reading failed; `nil` otherwise.
  open var error: (any Error)? { state.error }

  /// Whether an output reads tracks of the asset, belongs to no other reader, and the reader has not started.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && !output.isAttached && output.fits(asset)
  }

  /// Adds an output, which must be one that ``canAdd(_:)`` allows.
  open func add(_ output: AVAssetReaderOutput) {
    precondition(
      canAdd(output),
      "An output must be of the asset's tracks, be added once, and before the reader starts. Ask canAdd(_:) first.")
    output.attach(to: state)
    outputs.append(output)
  }

  /// Opens what is read. A reader starts once.
  ///
  /// - Returns: False if it cannot be read; then ``error`` says why.
  @discardableResult
  open func startReading() -> Bool {
    precondition(status != .reading && status != .completed, "A reader starts once. Make another one.")
    guard status == .unknown else { return false }
    var streams: [any SampleStream] = []
    do {
      for output in outputs { streams.append(try output.start(asset, in: timeRange)) }
      state.begin(streams)
      return true
    } catch {
      for stream in streams { stream.cancel() }
      state.fail(error)
      return false
    }
  }

  /// Ends reading: calls that wait for samples get none. May be called from any thread.
  open func cancelReading() { state.cancel() }
}
