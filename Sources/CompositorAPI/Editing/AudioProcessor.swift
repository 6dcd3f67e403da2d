/// The identity and parameters of an audio processor.
public struct AudioProcessorDescriptor: Hashable, Sendable, Codable {
  /// The identifier that edits and projects use, in reverse domain order: `org.example.robot`.
  public var id: AudioProcessorID
  /// The display name.
  public var name: String
  /// The version, `major.minor.patch`.
  public var version: String
  /// A one-sentence description of what the processor does.
  public var summary: String
  /// The parameters. None of them changes over time.
  public var parameters: [ParameterDescription]

  /// Creates a description of a processor.
  public init(
    id: AudioProcessorID, name: String, version: String = "1.0.0", summary: String, parameters: [ParameterDescription] = []
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.summary = summary
    self.parameters = parameters
  }

  /// The parameters as those of a compositor, to check values against a schema.
  package var schema: CompositorDescriptor {
    CompositorDescriptor(id: CompositorID(rawValue: id.rawValue), name: name, version: version, summary: summary) {
      $0.parameters = parameters
    }
  }
}

extension AudioProcessorID: CustomStringConvertible {
  /// The identifier.
  public var description: String { rawValue }
}

/// The format of the samples that an instance of a processor receives. It doesn't change during the instance's lifetime.
public struct AudioProcessingContext: Hashable, Sendable {
  /// Sample rate in hertz.
  public var sampleRate: Int
  /// Number of channels, 1 … 8, in the standard order for that number (2: left, right; 6: 5.1).
  public var channelCount: Int
  /// The maximum number of samples per channel in a block.
  public var maximumCount: Int

  /// Creates a sample format.
  public init(sampleRate: Int, channelCount: Int, maximumCount: Int = 1024) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumCount = maximumCount
  }
}

/// An object that processes blocks of samples. It has one owner and is called on one thread at a time.
/// Blocks arrive in order, without gaps, and all have the same length, regardless of the length in which the mix is requested.
/// The output of an instance depends only on its samples.
public protocol AudioBlockProcessor: AnyObject {
  /// The delay of the output relative to the input, in samples, ≥ 0 and constant. The host compensates for it. Default 0.
  var latency: Int { get }
  /// The number of samples for which the processor is audible after its input has ended, ≥ 0, not counting ``latency``. The
  /// host feeds silence for that long. Default 0.
  var tail: Int { get }
  /// Processes a block in place.
  ///
  /// - Parameters:
  ///   - channels: Planar samples, nominally −1 … 1. Valid only during the call.
  ///   - count: The number of samples per channel, at most ``AudioProcessingContext/maximumCount``.
  ///   - position: The position of the first sample in the composition, in samples from time 0.
  /// - Throws: Any error. The export fails with it.
  func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) throws
  /// Discards all state, because the next block doesn't follow the last one. The default does nothing.
  func reset()
}

extension AudioBlockProcessor {
  /// No delay.
  public var latency: Int { 0 }
  /// No tail.
  public var tail: Int { 0 }
  /// Does nothing.
  public func reset() {}
}

/// An audio processor that is a Swift type.
///
/// ```swift
/// final class Tremolo: AudioProcessor {
///   static let descriptor = AudioProcessorDescriptor(
///     id: "org.example.tremolo", name: "Tremolo", summary: "Makes it louder and softer, four times a second.")
///   private let rate: Double
///
///   init(parameters: ParameterValues, context: AudioProcessingContext) { rate = Double(context.sampleRate) }
///
///   func process(_ channels: [UnsafeMutablePointer<Float>], count: Int, position: Int64) {
///     for channel in channels {
///       for index in 0..<count { channel[index] *= Float(0.75 + 0.25 * sin(8 * .pi * Double(position + Int64(index)) / rate)) }
///     }
///   }
/// }
/// ```
public protocol AudioProcessor: AudioBlockProcessor, SendableMetatype {
  /// The identity and parameters of the processor.
  static var descriptor: AudioProcessorDescriptor { get }
  /// Creates an instance.
  ///
  /// - Parameter parameters: Values by key, checked against the descriptor, with defaults filled in.
  /// - Throws: An error if the values cannot be used.
  init(parameters: ParameterValues, context: AudioProcessingContext) throws
}

/// A processor that delivers its output when it is ready: as many samples as it received, at their own positions, but later.
package protocol BufferingAudioProcessor: AudioBlockProcessor {
  /// Accepts the next block.
  func send(_ channels: [UnsafeMutablePointer<Float>], count: Int) throws(CompositorError)
  /// Copies up to `count` samples that are ready to the beginning of `channels`, and returns their number.
  func receive(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(CompositorError) -> Int
}

/// Creates the instances of one processor, which is a Swift type or comes from a plugin.
public struct AudioProcessorFactory: Sendable {
  /// The identity and parameters of the processor.
  public let descriptor: AudioProcessorDescriptor
  /// The origin of the processor. Processors with equal origins and equal IDs are the same.
  public let origin: CompositorFactory.Origin
  /// Why no instance can be made; `nil` if some can.
  package let refusal: CompositorError?
  private let make: @Sendable (ParameterValues, AudioProcessingContext) throws -> any AudioBlockProcessor

  /// Creates a factory for a Swift type.
  public init(_ type: any AudioProcessor.Type) {
    descriptor = type.descriptor
    origin = .type(ObjectIdentifier(type), name: String(describing: type))
    refusal = nil
    make = { try type.init(parameters: $0, context: $1) }
  }

  /// Creates a factory for the processors of a plugin.
  ///
  /// - Parameters:
  ///   - plugin: The plugin as users know it: its path, or the name of a collection.
  ///   - make: Creates an instance. Called on any thread.
  public init(
    _ descriptor: AudioProcessorDescriptor, plugin: String,
    make: @escaping @Sendable (ParameterValues, AudioProcessingContext) throws -> any AudioBlockProcessor
  ) {
    self.descriptor = descriptor
    origin = .plugin(plugin)
    refusal = nil
    self.make = make
  }

  /// Creates a factory for a processor of a plugin that can be listed, but not used.
  package init(_ descriptor: AudioProcessorDescriptor, plugin: String, refusal: CompositorError) {
    self.descriptor = descriptor
    origin = .plugin(plugin)
    self.refusal = refusal
    make = { _, _ in throw refusal }
  }

  /// Creates an instance.
  ///
  /// - Parameter parameters: Values by key. Absent parameters have their defaults.
  /// - Throws: The error that the processor throws for unusable parameters, with the processor's name.
  public func makeProcessor(
    parameters: ParameterValues, context: AudioProcessingContext
  ) throws(CompositorError) -> any AudioBlockProcessor {
    var values = parameters
    for description in descriptor.parameters {
      for alias in description.aliases {
        guard let value = values.removeValue(forKey: alias), values[description.key] == nil else { continue }
        values[description.key] = value
      }
      if values[description.key] == nil { values[description.key] = description.defaultValue }
    }
    do {
      return try make(values, context)
    } catch let error as CompositorError {
      throw error.locating(ErrorLocation(compositor: CompositorID(rawValue: descriptor.id.rawValue)))
    } catch {
      throw CompositorError(
        .invalidParameter, "The audio processor “\(descriptor.id)” cannot be made.",
        recoverySuggestion: "Check its parameters.", cause: "\(error)")
    }
  }
}

/// A registry of audio processors.
public protocol AudioProcessorProvider: Sendable {
  /// The processor with an identifier; `nil` if there is none.
  func audioProcessor(_ id: AudioProcessorID) -> AudioProcessorFactory?
}

extension AudioMix {
  /// The identifiers of every processor that the mix uses.
  public var processorIDs: Set<AudioProcessorID> {
    Set((processors + inputParameters.flatMap(\.processors)).map(\.processor))
  }
}
