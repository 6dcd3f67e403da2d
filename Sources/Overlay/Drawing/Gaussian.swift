import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// e^(−x²/2)
func gaussian(_ x: Double) -> Double { exp(-x * x / 2) }
