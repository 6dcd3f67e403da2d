// Frames, seconds and timecode.

/** The frame times of a movie: a frame lasts `numerator / denominator` seconds. */
export class FrameGrid {
  constructor(numerator = 1, denominator = 25, count = 0) {
    this.numerator = numerator
    this.denominator = denominator
    this.count = count
  }

  /** Duration of a frame in seconds. */
  get frameDuration() { return this.numerator / this.denominator }

  /** Start of a frame in seconds. */
  start(index) { return index * this.numerator / this.denominator }

  /** The frame at a time, limited to the movie. A start that was rounded down still counts as its frame. */
  index(seconds) {
    const index = Math.floor(seconds * this.denominator / this.numerator + 0.01)
    return Math.min(Math.max(0, index), Math.max(0, this.count - 1))
  }

  /** `00:00:02:12`: hours, minutes, seconds and frames, without drop-frame. */
  timecode(index) {
    const rate = Math.max(1, Math.round(this.denominator / this.numerator))
    const pad = number => String(number).padStart(2, '0')
    const seconds = Math.floor(index / rate)
    return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, index % rate].map(pad).join(':')
  }

  /** The same for screen readers: `2 seconds, frame 12`. */
  spoken(index) {
    const rate = Math.max(1, Math.round(this.denominator / this.numerator))
    const seconds = Math.floor(index / rate)
    const minutes = Math.floor(seconds / 60)
    const parts = [minutes && `${minutes} minutes`, `${seconds % 60} seconds`, `frame ${index % rate}`]
    return parts.filter(Boolean).join(', ')
  }
}
