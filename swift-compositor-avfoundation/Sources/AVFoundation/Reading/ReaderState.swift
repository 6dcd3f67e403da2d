internal import Foundation
internal import Synchronization

/// What several threads know of a reader.
final class ReaderState: Sendable {
  private struct Values {
    var status = AVAssetReader.Status.unknown
    var error: (any Error)?
    /// Outputs that were not read to their ends.
    var openCount = 0
    var streams: [any SampleStream] = []
  }

  private let values = Mutex(Values())

  var status: AVAssetReader.Status { values.withLock { $0.status } }
  var error: (any Error)? { values.withLock { $0.error } }

  /// Says that samples can be read. Nothing more can be added.
  func begin(_ streams: [any SampleStream]) {
    values.withLock { values in
      values.status = streams.isEmpty ? .completed : .reading
      values.openCount = streams.count
      values.streams = streams
    }
  }

  /// Says that an output was read to its end.
  func endOutput() {
    values.withLock { values in
      values.openCount -= 1
      if values.openCount == 0, values.status == .reading { values.status = .completed }
    }
  }

  /// Takes a stream that is read instead of an earlier one, so that it ends with the reader.
  func adopt(_ stream: any SampleStream) {
    let isReading = values.withLock { values in
      values.streams.append(stream)
      return values.status == .reading
    }
    if !isReading { stream.cancel() }
  }

  func fail(_ error: any Error) { end(.failed, error) }
  func cancel() { end(.cancelled, nil) }

  /// Ends reading, unless it has ended.
  private func end(_ status: AVAssetReader.Status, _ error: (any Error)?) {
    let streams = values.withLock { values -> [any SampleStream] in
      guard values.status == .unknown || values.status == .reading else { return [] }
      (values.status, values.error) = (status, error)
      defer { values.streams = [] }
      return values.streams
    }
    for stream in streams { stream.cancel() }
  }
}
