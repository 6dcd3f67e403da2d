// The transport: paused at a frame, or playing by the loudspeakers' clock, which the server follows.

import { FrameGrid } from './timecode.js'

const clockInterval = 150
const paceInterval = 1000

/** Plays, seeks and keeps the time. Dispatches `change` (playing, rate, range) and `move` (time) events. */
export class Transport extends EventTarget {
  constructor(connection, picture, audio) {
    super()
    Object.assign(this, { connection, picture, audio })
    this.grid = new FrameGrid()
    this.duration = 0
    this.hasAudio = false
    this.canPlay = false
    this.run = 0
    this.pausedFrom = 0
    this.rate = 0
    this.position = 0
    this.anchor = null
    this.inPoint = null
    this.outPoint = null
    this.dropped = 0
    this.late = 0
    this.pace = { due: 0, dropped: 0, since: 0 }
    this.ticked = null
    this.flying = null
    this.waiting = null
    this.firstTimes = []
    this.seekTimes = []
    picture.addEventListener('painted', ({ detail }) => this.painted(detail))
    setInterval(() => this.beat(), clockInterval)
    const tick = () => {
      this.tick()
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  }

  /** Loads a project. The time is kept, limited to the movie's end. */
  setMovie(project) {
    const wasPlaying = this.rate
    const time = this.time
    this.stop()
    this.grid = new FrameGrid(project.frameDuration[0], project.frameDuration[1], project.frameCount)
    this.duration = project.duration
    this.hasAudio = project.hasAudio
    this.sampleRate = project.sampleRate
    this.canPlay = project.isValid && project.frameCount > 0
    const last = Math.max(0, this.grid.count - 1)
    if (this.outPoint !== null) this.outPoint = Math.min(this.outPoint, last)
    if (this.inPoint !== null && this.inPoint > (this.outPoint ?? last)) this.inPoint = null
    this.flying = this.waiting = null
    if (this.canPlay) this.seek(this.grid.index(time))
    if (this.canPlay && wasPlaying) this.play(wasPlaying)
    this.changed()
  }

  get isPlaying() { return this.rate !== 0 }

  /** The frame that is shown or requested. */
  get frame() { return this.isPlaying ? this.grid.index(this.time) : this.position }

  /** The current movie time in seconds. */
  get time() {
    if (!this.isPlaying) return this.grid.start(this.position)
    if (!this.anchor) return this.startTime
    return this.timeAt(this.host)
  }

  /** The movie time, in seconds, of the painted frame. Everything on the page shows the same time. */
  get shownTime() { return this.isPlaying && this.ticked ? this.ticked.time : this.time }

  /** The movie time, in seconds, when the master clock is at `host`. */
  timeAt(host) {
    const passed = host - this.anchor.host
    return Math.min(Math.max(0, this.anchor.time + Math.max(0, passed) * this.rate), this.duration)
  }

  /** The master clock during playback, in seconds. */
  get host() { return this.anchor.isHeard ? this.audio.heard : performance.now() / 1000 }

  // User input

  play(rate = 1) {
    if (!this.canPlay || rate === 0) return
    const { first, last } = this.bounds
    let from = this.frame
    if (rate > 0 && from >= last) from = first
    if (rate < 0 && from <= first) from = last
    this.silence()
    this.rate = rate
    this.position = from
    this.startTime = this.grid.start(from)
    this.startsBy = performance.now() + 400
    this.run += 1
    this.flying = this.waiting = null
    this.picture.clear()
    this.lastIndex = this.ticked = null
    this.pace = { due: 0, dropped: 0, since: performance.now() }
    this.connection.send({ type: 'play', run: this.run, time: this.startTime, rate })
    this.playsAudio = this.hasAudio && rate > 0
    if (this.playsAudio) {
      this.audio.prepare(this.sampleRate)
      if (this.audio.context) this.audio.start(this.run, this.startTime, rate)
      else this.playsAudio = false
    }
    this.changed()
  }

  pause() {
    if (!this.isPlaying) return
    // The painted frame counts, unless video has fallen behind audio.
    const [shown, heard] = [this.picture.shown, this.frame]
    const frame = shown?.run === this.run && Math.abs(shown.index - heard) <= 2 ? shown.index : heard
    this.stop()
    this.seek(frame)
    this.changed()
  }

  toggle() {
    if (this.isPlaying) this.pause()
    else this.play(1)
  }

  /** L and J: each press doubles the rate, or reverses the direction at once. */
  shuttle(direction) {
    const isSame = Math.sign(this.rate) === direction
    this.play(isSame ? Math.max(-4, Math.min(4, this.rate * 2)) : direction)
  }

  step(frames) {
    if (this.isPlaying) this.pause()
    this.seek(this.position + frames)
  }

  /**
   * Seeks to a frame. While a seek is in progress, only the newest request waits for it; those in between are dropped. With a tolerance in
   * seconds, a nearby frame may come first; the exact one follows, unless there is a newer request by then.
   */
  seek(index, { tolerance = 0 } = {}) {
    if (this.isPlaying) this.stop()
    const frame = Math.min(Math.max(0, Math.round(index)), Math.max(0, this.grid.count - 1))
    this.position = frame
    const isFlying = this.flying && performance.now() - this.flying.sent < 3000
    const wish = { frame, tolerance, asked: performance.now() }
    // The end of a drag requests a frame that is already on its way.
    if (isFlying && this.flying.frame === frame) this.waiting = null
    else if (isFlying && !this.flying.isAnswered) this.waiting = wish
    else this.ask(wish)
    this.dispatchEvent(new Event('move'))
    this.changed()
  }

  seekTime(seconds, options) { this.seek(this.grid.index(seconds), options) }

  setIn() {
    this.inPoint = this.frame
    if (this.outPoint !== null && this.outPoint < this.inPoint) this.outPoint = null
    this.changed()
  }

  setOut() {
    this.outPoint = this.frame
    if (this.inPoint !== null && this.inPoint > this.outPoint) this.inPoint = null
    this.changed()
  }

  clearRange() {
    this.inPoint = this.outPoint = null
    this.changed()
  }

  /** The frames within which playback stays. */
  get bounds() {
    return { first: this.inPoint ?? 0, last: this.outPoint ?? Math.max(0, this.grid.count - 1) }
  }

  // Messages of the server

  /** Handles a frame that has arrived. */
  wish(frame) {
    if (this.isPlaying) {
      if (frame.run !== this.run) return 'never'
      // Never backward on the way: frames may arrive late, and another size begins where the server's clock is, not after the last
      // frame in the queue.
      const before = this.picture.queue.at(-1)?.index ?? this.lastIndex
      const isBehind = before !== null && (frame.index - before) * Math.sign(this.rate) <= 0
      return isBehind ? 'never' : 'later'
    }
    if (frame.run < Math.max(this.pausedFrom, this.picture.shown?.run ?? 0)) return 'never'
    return 'now'
  }

  /** Handles the answer to a seek. If there is a frame, it is still on its way, and painting it ends the seek. */
  seeked({ run, isShown }) {
    if (this.flying?.run === run && !isShown) this.landed()
  }

  // Internals

  ask({ frame, tolerance, asked }) {
    this.run += 1
    this.flying = { run: this.run, frame, tolerance, asked, sent: performance.now(), isAnswered: false }
    this.connection.send({ type: 'seek', run: this.run, time: this.grid.start(frame), tolerance })
  }

  landed() {
    this.flying = null
    this.askWaiting()
  }

  askWaiting() {
    const wish = this.waiting
    this.waiting = null
    if (wish) this.ask(wish)
  }

  /** Handles a frame painted while paused: the requested one, or one nearby until it arrives. */
  answer(frame) {
    const { flying } = this
    if (!flying || frame.run !== flying.run) return
    const isThere = frame.index === flying.frame
    const distance = Math.abs(frame.index - flying.frame) * this.grid.frameDuration
    if (!isThere && (frame.isExact || distance > flying.tolerance)) return
    const passed = performance.now() - flying.asked
    if (!flying.isAnswered) keep(this.firstTimes, passed)
    flying.isAnswered = true
    if (isThere) {
      keep(this.seekTimes, passed)
      this.landed()
    } else {
      this.askWaiting()
    }
  }

  painted(frame) {
    if (!this.isPlaying) {
      this.answer(frame)
      return
    }
    const behind = (this.grid.index(this.ticked.time) - frame.index) * Math.sign(this.rate)
    if (behind > Math.max(1, Math.ceil(Math.abs(this.rate)))) this.late += 1
    if (this.lastIndex !== null) {
      const advanced = Math.abs(frame.index - this.lastIndex)
      const missed = Math.max(0, advanced - Math.max(1, Math.ceil(Math.abs(this.rate))))
      this.dropped += missed
      this.pace.due += advanced
      this.pace.dropped += missed
    }
    this.lastIndex = frame.index
  }

  tick() {
    if (!this.isPlaying) return
    if (!this.anchor && !this.begin()) return
    const host = this.host
    const time = this.timeAt(host)
    this.ticked = { time, heard: this.anchor.isHeard ? host : null }
    const { first, last } = this.bounds
    const [start, end] = [this.grid.start(first), this.grid.start(last + 1)]
    // Never a frame outside the in and out points, on whatever side of them this tick comes.
    this.picture.paintDue(Math.min(Math.max(time, start + 0.003), end - 0.003), this.rate)
    this.dispatchEvent(new Event('move'))
    const isOver = this.rate > 0 ? time >= Math.min(end, this.duration) - 1e-4 : time <= start + 1e-4
    if (!isOver) return
    if (this.inPoint !== null || this.outPoint !== null) {
      this.jump(this.rate > 0 ? first : last)
    } else {
      const frame = this.rate > 0 ? last : first
      this.stop()
      this.seek(frame)
      this.changed()
    }
  }

  /** Continues from another frame at the same rate. */
  jump(frame) {
    const rate = this.rate
    this.stop()
    this.position = frame
    this.play(rate)
  }

  /** Starts the clock once there is something to see and to hear, or after a short wait. */
  begin() {
    const isLate = performance.now() > this.startsBy
    const isHeard = this.playsAudio && this.audio.isRunning
    if (!isLate && this.playsAudio && !(this.audio.isReady && isHeard)) return false
    if (!isLate && this.picture.queue.length < 2) return false
    if (isHeard) {
      const instant = this.audio.context.currentTime + 0.03
      this.audio.anchor(instant)
      this.anchor = { time: this.startTime, host: instant, isHeard: true }
    } else {
      this.anchor = { time: this.startTime, host: performance.now() / 1000, isHeard: false }
    }
    this.sendClock()
    return true
  }

  /** Also called in a background page, in which nothing is painted. */
  beat() {
    if (!this.isPlaying || !this.anchor) return
    this.sendClock()
    if (this.anchor.isHeard) this.audio.fetch(this.time)
    const { due, dropped, since } = this.pace
    if (performance.now() - since < paceInterval) return
    // A frame that never arrived counts as missing like one that was skipped.
    const expected = Math.floor((performance.now() - since) / 1000 * Math.abs(this.rate) / this.grid.frameDuration)
    const missing = Math.max(dropped, expected - due - 2)
    if (!document.hidden) this.connection.send({ type: 'pace', due: Math.max(due, expected), dropped: Math.max(0, missing) })
    this.pace = { due: 0, dropped: 0, since: performance.now() }
  }

  sendClock() { this.connection.send({ type: 'clock', time: this.time }) }

  /** Stops at the current time without requesting its frame. */
  stop() {
    if (this.isPlaying) {
      this.position = this.grid.index(this.time)
      this.connection.send({ type: 'pause' })
    }
    // Frames of playback that are still on their way belong to no seek.
    this.pausedFrom = this.run + 1
    this.silence()
    this.rate = 0
    this.anchor = null
    this.picture.clear()
  }

  silence() {
    this.audio.stop()
    this.anchor = null
  }

  changed() {
    this.dispatchEvent(new Event('change'))
    this.dispatchEvent(new Event('move'))
  }
}

/** Adds a time to the measured ones. */
function keep(times, passed) {
  times.push(passed)
  if (times.length > 10_000) times.shift()
}
