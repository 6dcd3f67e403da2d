// Audio: blocks of samples from the server, each scheduled at its own time, so that they follow one another without a gap.

const ahead = 1.5
const blockDuration = 0.5

/** Plays audio through an AudioContext, whose clock is that of the loudspeakers. */
export class Audio {
  constructor(connection) {
    this.connection = connection
    this.sources = new Set()
    this.blocks = []
    this.run = -1
    this.volume = 1
    this.isMuted = false
  }

  /** Resumes the context. Browsers require a user gesture first, so call it when playback starts. */
  prepare(sampleRate) {
    if (this.context) return
    try {
      this.context = new AudioContext({ sampleRate, latencyHint: 'interactive' })
      this.gain = new GainNode(this.context)
      this.analyser = new AnalyserNode(this.context, { fftSize: 2048 })
      this.gain.connect(this.analyser).connect(this.context.destination)
      this.applyVolume()
    } catch {
      this.context = null
    }
  }

  /** Whether the loudspeakers' clock runs. On a machine without loudspeakers it doesn't. */
  get isRunning() { return this.context?.state === 'running' }

  /** The audible time in seconds of the context's clock. */
  get heard() { return this.context.currentTime - (this.context.outputLatency || this.context.baseLatency || 0) }

  /** Starts to fetch audio from a movie time. Nothing is audible before `anchor`. */
  start(run, time, rate) {
    this.stop()
    Object.assign(this, { run, rate, begin: time, next: time, asked: 0, blocks: [], anchored: null })
    this.context.resume()
    this.fetch(time)
  }

  /** Sets when the movie time of `start` is to be audible, on the context's clock. */
  anchor(instant) {
    this.anchored = instant
    for (const block of this.blocks) this.schedule(block)
    this.blocks = []
  }

  /** Whether the first block has arrived. */
  get isReady() { return this.blocks.length > 0 || this.anchored !== null }

  /** Requests more audio if the available audio ends soon. */
  fetch(time) {
    if (this.run < 0) return
    while (this.next < time + ahead * Math.max(1, this.rate) && this.asked < 8) {
      this.connection.send({ type: 'audio', run: this.run, time: this.next, duration: blockDuration })
      this.next += blockDuration
      this.asked += 1
    }
  }

  /** Schedules a block from the server. */
  take(header, bytes) {
    if (header.run !== this.run) return
    this.asked -= 1
    if (header.sampleCount === 0) return
    const buffer = new AudioBuffer({
      numberOfChannels: header.channelCount, length: header.sampleCount, sampleRate: header.sampleRate,
    })
    for (let channel = 0; channel < header.channelCount; channel += 1) {
      buffer.copyToChannel(new Float32Array(bytes, channel * header.sampleCount * 4, header.sampleCount), channel)
    }
    const block = { time: header.time, buffer }
    if (this.anchored === null) this.blocks.push(block)
    else this.schedule(block)
  }

  schedule({ time, buffer }) {
    const source = new AudioBufferSourceNode(this.context, { buffer, playbackRate: this.rate })
    const when = this.anchored + (time - this.begin) / this.rate
    const late = Math.max(0, this.context.currentTime - when)
    if (late * this.rate >= buffer.duration) return
    source.connect(this.gain)
    source.onended = () => this.sources.delete(source)
    source.start(when + late, late * this.rate)
    this.sources.add(source)
  }

  /** Stops all audio at once. */
  stop() {
    for (const source of this.sources) source.stop()
    this.sources.clear()
    this.run = -1
    this.blocks = []
    this.anchored = null
  }

  setVolume(volume) {
    this.volume = volume
    this.applyVolume()
  }

  setMuted(isMuted) {
    this.isMuted = isMuted
    this.applyVolume()
  }

  applyVolume() {
    this.gain?.gain.setTargetAtTime(this.isMuted ? 0 : this.volume ** 2, this.context.currentTime, 0.01)
  }
}
