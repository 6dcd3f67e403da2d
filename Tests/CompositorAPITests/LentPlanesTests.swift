import CompositorAPI
import Testing

@Suite struct LentPlanesTests {
  let size = PixelSize(width: 33, height: 17)

  private func frame(_ pool: FramePool, _ format: PixelFormat, value: UInt8) throws -> Frame {
    var frame = try pool.makeFrame(format: format, size: size)
    frame.withUnsafeMutablePlanes { planes in
      for index in 0..<planes.count {
        let count = format.rowBytes(plane: index, of: size)
        for y in 0..<planes[index].height {
          (planes[index].base + y * planes[index].stride).initializeMemory(as: UInt8.self, repeating: value, count: count)
        }
      }
    }
    return frame.freeze()
  }

  @Test(arguments: [PixelFormat.yuv420p, .nv12, .rgba, .yuv422p10, .planar(.s444, bitDepth: 8, alpha: true)])
  func lendPlanes_isTheFramesOwnMemory(_ format: PixelFormat) throws {
    let frame = try frame(FramePool(), format, value: 7)
    let lent = frame.lendPlanes()
    #expect(lent.count == format.planeCount && lent.frame.isSameMemory(as: frame))
    for index in 0..<lent.count {
      let plane = lent[index]
      frame.withUnsafePlanes { planes in
        #expect(plane.base == planes[index].base && plane.stride == planes[index].stride)
        #expect(plane.width == planes[index].width && plane.height == planes[index].height)
      }
      #expect(format.planeSize(index, of: size) == PixelSize(width: plane.width, height: plane.height))
    }
  }

  @Test func lendPlanes_held_keepsTheMemoryFromThePool_untilReleased() throws {
    let pool = FramePool(maximumOutstanding: 2)
    // Given to C: nothing of Swift holds the frame any more.
    let owner = Unmanaged.passRetained(try frame(pool, .rgba, value: 200).lendPlanes())
    let plane = owner.takeUnretainedValue()[0]
    #expect(pool.statistics == (outstanding: 1, allocations: 1))
    for value in 0..<20 {
      let other = try frame(pool, .rgba, value: UInt8(value))
      #expect(other.withUnsafePlanes { $0[0].base != plane.base })
    }
    #expect(pool.statistics == (outstanding: 1, allocations: 2))
    for y in 0..<plane.height {
      let row = UnsafeRawBufferPointer(start: plane.base + y * plane.stride, count: plane.width * 4)
      #expect(row.allSatisfy { $0 == 200 })
    }
    let base = plane.base
    owner.release()
    #expect(pool.statistics == (outstanding: 0, allocations: 2))
    let (first, second) = (try frame(pool, .rgba, value: 1), try frame(pool, .rgba, value: 2))
    #expect(first.withUnsafePlanes { $0[0].base == base } || second.withUnsafePlanes { $0[0].base == base })
    #expect(pool.statistics == (outstanding: 2, allocations: 2))
  }

  @Test func lendPlanes_ofWrappedMemory_releasesItOnce_fromAnyThread() async {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 33 * 17 * 4, alignment: 64)
    await confirmation { released in
      var lent: LentPlanes? = Frame(
        wrapping: [memory], strides: [33 * 4], format: .rgba, size: size, attributes: FrameAttributes(),
        release: {
          memory.deallocate()
          released()
        }
      ).lendPlanes()
      if let planes = lent { await Task.detached { #expect(planes[0].stride == 132) }.value }
      lent = nil
    }
  }
}
