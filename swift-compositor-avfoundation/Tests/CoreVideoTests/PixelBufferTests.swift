import CoreVideo
import Testing

/// A buffer of a format, which must be there.
private func buffer(_ width: Int, _ height: Int, _ format: OSType, _ attributes: [String: Any] = [:]) throws -> CVPixelBuffer {
  var made: CVPixelBuffer?
  #expect(
    CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes as CFDictionary, &made) == kCVReturnSuccess)
  return try #require(made)
}

@Suite struct PixelBufferTests {
  @Test func packedBuffer_statesItsLayout() throws {
    let picture = try buffer(100, 50, kCVPixelFormatType_32BGRA, [kCVPixelBufferCGImageCompatibilityKey as String: true])
    #expect(CVPixelBufferGetWidth(picture) == 100 && CVPixelBufferGetHeight(picture) == 50)
    #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_32BGRA && !CVPixelBufferIsPlanar(picture))
    let stride = CVPixelBufferGetBytesPerRow(picture)
    #expect(stride >= 400 && stride % 64 == 0 && CVPixelBufferGetDataSize(picture) == stride * 50)
    #expect(CVPixelBufferGetPlaneCount(picture) == 0 && CVPixelBufferGetBaseAddressOfPlane(picture, 0) == nil)
    #expect(CVPixelBufferGetIOSurface(picture) == nil)
    let aligned = try buffer(100, 50, kCVPixelFormatType_32BGRA, [kCVPixelBufferBytesPerRowAlignmentKey as String: 256])
    #expect(CVPixelBufferGetBytesPerRow(aligned) == 512)
  }

  /// Columns, rows and least bytes per row of each plane, of 5 × 3 pixels.
  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, [[5, 3, 5], [3, 2, 6]]),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, [[5, 3, 5], [3, 2, 6]]),
    (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, [[5, 3, 10], [3, 2, 12]]),
    (kCVPixelFormatType_420YpCbCr8Planar, [[5, 3, 5], [3, 2, 3], [3, 2, 3]]),
  ])
  func planarBuffer_statesItsPlanes(format: OSType, planes: [[Int]]) throws {
    let picture = try buffer(5, 3, format)
    #expect(CVPixelBufferIsPlanar(picture) && CVPixelBufferGetPlaneCount(picture) == planes.count)
    #expect(CVPixelBufferLockBaseAddress(picture, []) == kCVReturnSuccess)
    var last: UnsafeMutableRawPointer?
    for (index, plane) in planes.enumerated() {
      #expect(
        CVPixelBufferGetWidthOfPlane(picture, index) == plane[0] && CVPixelBufferGetHeightOfPlane(picture, index) == plane[1])
      #expect(CVPixelBufferGetBytesPerRowOfPlane(picture, index) >= plane[2])
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, index))
      if let last { #expect(base > last) }
      last = base
    }
    #expect(CVPixelBufferGetBaseAddressOfPlane(picture, planes.count) == nil)
    #expect(CVPixelBufferUnlockBaseAddress(picture, []) == kCVReturnSuccess)
    #expect(CVPixelBufferUnlockBaseAddress(picture, []) == kCVReturnInvalidArgument)
  }

  @Test(arguments: [
    kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32ABGR, kCVPixelFormatType_24RGB,
    kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, kCVPixelFormatType_64RGBAHalf,
  ])
  func formats_areMade(format: OSType) throws { #expect(CVPixelBufferGetDataSize(try buffer(33, 7, format)) > 0) }

  @Test func wrongArguments_areRefused() {
    var made: CVPixelBuffer?
    #expect(CVPixelBufferCreate(nil, 0, 5, kCVPixelFormatType_32BGRA, nil, &made) == kCVReturnInvalidSize)
    #expect(CVPixelBufferCreate(nil, 5, 5, 0x6162_6364, nil, &made) == kCVReturnInvalidPixelFormat)
    let odd = [kCVPixelBufferBytesPerRowAlignmentKey: 48] as CFDictionary
    #expect(CVPixelBufferCreate(nil, 5, 5, kCVPixelFormatType_32BGRA, odd, &made) == kCVReturnInvalidPixelBufferAttributes)
    #expect(made == nil)
  }

  @Test func typeAndIdentity_areThoseOfObjects() throws {
    let first = try buffer(4, 4, kCVPixelFormatType_32BGRA)
    let second = try buffer(4, 4, kCVPixelFormatType_32BGRA)
    #expect(first == first && first != second && Set([first, second, first]).count == 2)
    let object = first as CFTypeRef
    #expect(CFGetTypeID(object) == CVPixelBufferGetTypeID() && CFGetTypeID("x" as CFString) == CFStringGetTypeID())
    let any: Any = first
    #expect((any as! CVPixelBuffer) === first)
    #expect(CVPixelBufferPoolGetTypeID() != CVPixelBufferGetTypeID())
  }

  /// The program's memory is read and written in place, and given back once.
  @Test func programsMemory_isUsed_andGivenBack() throws {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    defer { bytes.deallocate() }
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    func use() throws {
      var made: CVPixelBuffer?
      let result = CVPixelBufferCreateWithBytes(
        nil, 3, 4, kCVPixelFormatType_32BGRA, bytes, 16,
        { constant, base in constant?.assumingMemoryBound(to: Int.self).pointee += base == nil ? 100 : 1 }, count, nil, &made)
      let picture = try #require(result == kCVReturnSuccess ? made : nil)
      CVPixelBufferLockBaseAddress(picture, [])
      #expect(CVPixelBufferGetBaseAddress(picture) == bytes && CVPixelBufferGetBytesPerRow(picture) == 16)
      CVPixelBufferUnlockBaseAddress(picture, [])
      #expect(count.pointee == 0)
    }
    try use()
    #expect(count.pointee == 1)
    var none: CVPixelBuffer?
    #expect(
      CVPixelBufferCreateWithBytes(nil, 8, 4, kCVPixelFormatType_32BGRA, bytes, 16, nil, nil, nil, &none)
        == kCVReturnInvalidArgument)
  }

  @Test func programsPlanes_areUsed_andGivenBack() throws {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 96, alignment: 16)
    defer { bytes.deallocate() }
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    func use() throws {
      var (bases, widths, heights, strides) = ([bytes, bytes + 64] as [UnsafeMutableRawPointer?], [8, 4], [4, 2], [16, 16])
      var made: CVPixelBuffer?
      let result = CVPixelBufferCreateWithPlanarBytes(
        nil, 8, 4, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, bytes, 96, 2, &bases, &widths, &heights, &strides,
        { constant, _, size, planes, _ in constant?.assumingMemoryBound(to: Int.self).pointee += size * 10 + planes }, count,
        nil, &made)
      let picture = try #require(result == kCVReturnSuccess ? made : nil)
      #expect(CVPixelBufferGetBaseAddressOfPlane(picture, 1) == bytes + 64 && CVPixelBufferGetDataSize(picture) == 96)
      #expect(CVPixelBufferGetBytesPerRowOfPlane(picture, 1) == 16)
    }
    try use()
    #expect(count.pointee == 962)
  }
}

@Suite struct AttachmentTests {
  @Test func values_haveModes_andArePassedOn() throws {
    let (first, second) = (try buffer(4, 4, kCVPixelFormatType_32BGRA), try buffer(4, 4, kCVPixelFormatType_32BGRA))
    CVBufferSetAttachment(first, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_2020, .shouldPropagate)
    CVBufferSetAttachments(first, ["own": 7, "other": "x"] as CFDictionary, .shouldNotPropagate)
    var mode = CVAttachmentMode.shouldNotPropagate
    let value = CVBufferCopyAttachment(first, kCVImageBufferColorPrimariesKey, &mode)
    #expect(value as? String == "ITU_R_2020" && mode == .shouldPropagate)
    #expect(CVBufferGetAttachment(first, "own" as CFString, nil)?.takeUnretainedValue() as? Int == 7)
    #expect(CFDictionaryGetCount(CVBufferCopyAttachments(first, .shouldNotPropagate)) == 2)
    CVBufferPropagateAttachments(first, second)
    #expect(CVBufferHasAttachment(second, kCVImageBufferColorPrimariesKey) && !CVBufferHasAttachment(second, "own" as CFString))
    let passed = CVBufferGetAttachments(second, .shouldPropagate) as? [String: Any]
    #expect(passed?[kCVImageBufferColorPrimariesKey as String] as? String == "ITU_R_2020")
    CVBufferRemoveAttachment(first, "own" as CFString)
    #expect(!CVBufferHasAttachment(first, "own" as CFString))
    CVBufferRemoveAllAttachments(first)
    #expect(CVBufferCopyAttachments(first, .shouldPropagate) == nil)
  }

  @Test func attributes_mayHoldAttachments() throws {
    let values = [kCVImageBufferYCbCrMatrixKey as String: kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String]
    let picture = try buffer(4, 4, kCVPixelFormatType_32BGRA, [kCVBufferPropagatedAttachmentsKey as String: values])
    #expect(CVBufferCopyAttachment(picture, kCVImageBufferYCbCrMatrixKey, nil) as? String == "ITU_R_601_4")
  }

  @Test func displaySize_countsThePixelsShape() throws {
    let picture = try buffer(720, 576, kCVPixelFormatType_32BGRA)
    let shape = [
      kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 16, kCVImageBufferPixelAspectRatioVerticalSpacingKey: 15,
    ]
    CVBufferSetAttachment(picture, kCVImageBufferPixelAspectRatioKey, shape as CFDictionary, .shouldPropagate)
    #expect(CVImageBufferGetDisplaySize(picture) == CGSize(width: 768, height: 576))
    #expect(CVImageBufferGetEncodedSize(picture) == CGSize(width: 720, height: 576))
  }

  @Test func formatDescription_namesAlpha() {
    let alpha = CVPixelFormatDescriptionCreateWithPixelFormatType(nil, kCVPixelFormatType_32BGRA) as? [String: Any]
    #expect(alpha?[kCVPixelFormatContainsAlpha as String] as? Bool == true)
    #expect(CVPixelFormatDescriptionCreateWithPixelFormatType(nil, 5) == nil)
  }
}

@Suite struct ConstantTests {
  /// Programs and files write the values.
  @Test func constants_haveTheirValues() {
    #expect(kCVPixelBufferPixelFormatTypeKey as String == "PixelFormatType" && kCVPixelBufferWidthKey as String == "Width")
    #expect(kCVImageBufferYCbCrMatrixKey as String == "CVImageBufferYCbCrMatrix")
    #expect(kCVImageBufferTransferFunction_ITU_R_2100_HLG as String == "ITU_R_2100_HLG")
    #expect(kCVPixelFormatType_32BGRA == 0x4247_5241 && kCVPixelFormatType_32ARGB == 32)
    #expect(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange == 875_704_438)
    #expect(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange == 875_704_422)
    #expect(kCVReturnSuccess == 0 && kCVReturnInvalidPixelFormat == -6680 && kCVReturnWouldExceedAllocationThreshold == -6689)
  }
}
