#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sine and cosine, exact at whole quarter turns, so that a rotation by 90° has no residue that would force resampling.
func sineCosine(_ radians: Double) -> (sine: Double, cosine: Double) {
  let quarters = radians / (.pi / 2)
  if quarters == quarters.rounded(), abs(quarters) < 1e9 {
    switch Int(quarters) & 3 {
    case 0: return (0, 1)
    case 1: return (1, 0)
    case 2: return (0, -1)
    default: return (-1, 0)
    }
  }
  return (sin(radians), cos(radians))
}
