import CompositorAPI
import Synchronization

/// A device whose images nobody can read until they are downloaded. It counts copies, and fails when it is told to.
final class TestDevice: FrameDevice {
  struct Lost: Error {}

  /// An image: pixels that only the device's compositors see.
  final class Image: DeviceImage {
    let owner: TestDevice
    let pixels: Frame

    init(_ owner: TestDevice, _ pixels: Frame) { (self.owner, self.pixels) = (owner, pixels) }

    var device: DeviceID { owner.id }

    func wait() throws { owner.counts.withLock { $0.waits += 1 } }

    func download(into planes: MutablePlanes) throws {
      let fails = owner.counts.withLock { counts in
        counts.downloads += 1
        return counts.failsDownloads
      }
      guard !fails else { throw Lost() }
      pixels.withUnsafePlanes { source in
        for index in 0..<source.count {
          Frame.copyRows(
            from: source[index], to: planes[index], rowBytes: pixels.format.rowBytes(plane: index, of: pixels.size))
        }
      }
    }
  }

  struct Counts {
    var uploads = 0
    var waits = 0
    var downloads = 0
    var failsUploads = false
    var failsDownloads = false
  }

  let id: DeviceID
  fileprivate let counts = Mutex(Counts())

  init(_ id: DeviceID = "test:0") { self.id = id }

  var copies: Counts { counts.withLock { $0 } }

  func fail(uploads: Bool, downloads: Bool) {
    counts.withLock { ($0.failsUploads, $0.failsDownloads) = (uploads, downloads) }
  }

  func upload(_ planes: Planes, format: PixelFormat, size: PixelSize) throws -> any DeviceImage {
    let fails = counts.withLock { counts in
      counts.uploads += 1
      return counts.failsUploads
    }
    guard !fails else { throw Lost() }
    var pixels = MutableFrame(format: format, size: size)
    pixels.withUnsafeMutablePlanes { target in
      for index in 0..<planes.count {
        Frame.copyRows(from: planes[index], to: target[index], rowBytes: format.rowBytes(plane: index, of: size))
      }
    }
    return Image(self, pixels.freeze())
  }
}

/// Adds 10 to the luma of its first source, on the device.
struct DeviceLift: VideoCompositor {
  static let descriptor = CompositorDescriptor(id: "test.device-lift", name: "Lift") { $0.device = "test:0" }

  init(parameters: ParameterValues, context: RenderContext) throws {}

  func compose(_ request: CompositionRequest) throws -> Frame {
    guard let source = request.instruction.requiredTrackIDs.lazy.compactMap(request.frame).first,
      let image = source.deviceImage as? TestDevice.Image
    else { throw CompositorError(.noFrame, "The source isn't on the device.") }
    var lifted = MutableFrame(format: source.format, size: source.size)
    image.pixels.withUnsafePlanes { planes in
      lifted.withUnsafeMutablePlanes { target in
        for index in 0..<planes.count {
          Frame.copyRows(
            from: planes[index], to: target[index], rowBytes: source.format.rowBytes(plane: index, of: source.size))
        }
        let luma = target[0]
        for y in 0..<luma.height {
          let row = (luma.base + y * luma.stride).assumingMemoryBound(to: UInt8.self)
          for x in 0..<luma.width { row[x] += 10 }
        }
      }
    }
    let made = TestDevice.Image(image.owner, lifted.freeze())
    return Frame(made, format: source.format, size: source.size, attributes: request.context.outputAttributes)
  }
}
