import CCompositorPlugin
import CompositorAPI
import CompositorPluginBridge

/// A type of audio processor behind the C interface.
final class ExportedProcessor {
  let descriptor: AudioProcessorDescriptor
  private let type: any AudioProcessor.Type

  init(_ type: any AudioProcessor.Type) { (descriptor, self.type) = (type.descriptor, type) }

  /// One instance, with pointers to its channels that are made once.
  private final class Instance {
    let processor: any AudioBlockProcessor
    var channels: [UnsafeMutablePointer<Float>] = []
    let channelCount: Int

    init(_ processor: any AudioBlockProcessor, channelCount: Int) {
      (self.processor, self.channelCount) = (processor, channelCount)
      channels.reserveCapacity(channelCount)
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Instance? {
      pointer.map { Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func instance(
    _ context: UnsafePointer<CompositorAudioContext>, _ parameters: UnsafePointer<UnsafePointer<CompositorParameter>?>?,
    _ count: Int32
  ) throws -> UnsafeMutableRawPointer {
    let given = readStruct(context, zero: CompositorAudioContext())
    let samples = AudioProcessingContext(
      sampleRate: Int(given.sample_rate), channelCount: Int(given.channel_count), maximumCount: Int(given.maximum_count))
    let made = Instance(
      try type.init(parameters: ParameterValues(parameters, count: count), context: samples), channelCount: samples.channelCount
    )
    return Unmanaged.passRetained(made).toOpaque()
  }

  /// The struct; it retains this object until the process ends.
  func description(_ arena: StructArena) -> CompositorAudioDescription {
    var description = CompositorAudioDescription()
    description.struct_size = MemoryLayout<CompositorAudioDescription>.size
    description.id = arena.text(descriptor.id.rawValue)
    description.name = arena.text(descriptor.name)
    description.version = arena.text(descriptor.version)
    description.summary = arena.text(descriptor.summary)
    let parameters = descriptor.parameters.map { Optional(UnsafePointer(arena.make($0.structure(arena)))) }
    description.parameter_count = Int32(parameters.count)
    description.parameters = arena.list(parameters).map { UnsafePointer($0) }
    description.data = UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque())
    description.create = { description, context, parameters, count, instance, error in
      guard let data = description?.pointee.data, let context else { return Int32(COMPOSITOR_FAILED) }
      let exported = Unmanaged<ExportedProcessor>.fromOpaque(data).takeUnretainedValue()
      return ExportedInstance.reporting(error) {
        instance?.pointee = try exported.instance(context, parameters, count)
      }
    }
    description.destroy = { if let instance = $0 { Unmanaged<Instance>.fromOpaque(instance).release() } }
    description.process = { pointer, channels, count, position, error in
      guard let instance = Instance.of(pointer), let channels else { return Int32(COMPOSITOR_FAILED) }
      instance.channels.removeAll(keepingCapacity: true)
      for index in 0..<instance.channelCount { if let channel = channels[index] { instance.channels.append(channel) } }
      return ExportedInstance.reporting(error) {
        try instance.processor.process(instance.channels, count: Int(count), position: position)
      }
    }
    description.reset = { Instance.of($0)?.processor.reset() }
    description.latency = { Int32(clamping: Instance.of($0)?.processor.latency ?? 0) }
    description.tail = { Int32(clamping: Instance.of($0)?.processor.tail ?? 0) }
    return description
  }
}
