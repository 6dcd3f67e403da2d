// The timeline diagram with its playhead, and the audio levels below it. Both share one time axis.

/** Shows the timeline. Dispatches `seek` events, whose `detail` is seconds, and `diagnostic` events, whose `detail` is an index. */
export class Timeline extends EventTarget {
  constructor({ tracks, diagram, playhead, frames, levels }) {
    super()
    Object.assign(this, { tracks, diagram, playhead, framesCanvas: frames, levelsCanvas: levels })
    this.root = diagram.attachShadow({ mode: 'open' })
    this.axis = null
    this.duration = 0
    this.parts = null
    this.frames = []
    this.time = 0
    this.listen(diagram)
    for (const canvas of tracks.querySelectorAll('canvas')) this.listen(canvas)
    new ResizeObserver(() => this.layOut()).observe(tracks)
  }

  /** Replaces the diagram. */
  show(text) {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
    const svg = parsed.documentElement
    if (svg.localName !== 'svg') return
    // The diagram's styles are added as a sheet, because the page's policy doesn't allow them in the markup.
    const sheet = new CSSStyleSheet()
    const styles = [...svg.querySelectorAll('style')]
    sheet.replaceSync(`
      svg { display: block; width: 100%; height: auto; cursor: pointer; touch-action: none }
      .playhead { display: none }
      ${styles.map(style => style.textContent).join('\n')}`)
    for (const element of styles) element.remove()
    const box = svg.viewBox.baseVal
    const number = name => Number.parseFloat(svg.getAttribute(name))
    this.axis = {
      x0: number('data-x0'), x1: number('data-x1'), start: number('data-start'), duration: number('data-duration'),
      left: box.x, width: box.width || number('width'),
    }
    svg.removeAttribute('width')
    svg.removeAttribute('height')
    this.root.adoptedStyleSheets = [sheet]
    this.root.replaceChildren(document.importNode(svg, true))
    this.layOut()
  }

  /** The position of the time axis in pixels of the page, and the seconds that it spans. */
  get scale() {
    // Narrower than the strips if the diagram has a scroll bar.
    const width = this.diagram.clientWidth
    const { x0, x1, start, duration, left, width: units } = this.axis ?? {
      x0: 0, x1: 1, start: 0, duration: this.duration || 1, left: 0, width: 1,
    }
    const factor = width / units
    return { x0: (x0 - left) * factor, x1: (x1 - left) * factor, start, duration: duration || 1 }
  }

  x(seconds) {
    const { x0, x1, start, duration } = this.scale
    return x0 + (seconds - start) / duration * (x1 - x0)
  }

  /** Moves the playhead. */
  move(seconds) {
    this.time = seconds
    this.playhead.style.transform = `translateX(${this.x(seconds)}px)`
  }

  layOut() {
    this.move(this.time)
    this.drawLevels()
    this.drawFrames()
    this.dispatchEvent(new Event('layout'))
  }

  /** Clicks and drags on the axis seek; marks of diagnostics lead to these. */
  listen(element) {
    const seconds = event => {
      const { x0, x1, start, duration } = this.scale
      const x = event.clientX - this.tracks.getBoundingClientRect().left
      return start + (x - x0) / (x1 - x0) * duration
    }
    const seek = (event, isDrag) =>
      this.dispatchEvent(new CustomEvent('seek', { detail: { seconds: Math.max(0, seconds(event)), isDrag } }))
    element.addEventListener('pointerdown', event => {
      if (event.button !== 0) return
      const mark = event.composedPath().find(node => node.getAttribute?.('data-diagnostic'))
      if (mark) {
        const detail = Number.parseInt(mark.getAttribute('data-diagnostic'), 10)
        this.dispatchEvent(new CustomEvent('diagnostic', { detail }))
        return
      }
      element.setPointerCapture(event.pointerId)
      this.isDragging = true
      seek(event, false)
    })
    element.addEventListener('pointermove', event => { if (this.isDragging) seek(event, true) })
    for (const name of ['pointerup', 'pointercancel']) {
      element.addEventListener(name, event => {
        if (this.isDragging && name === 'pointerup') seek(event, false)
        this.isDragging = false
      })
    }
  }

  /** Draws a small frame in its part of the strip. */
  async takeFrame({ index, count }, bytes) {
    const strip = this.frames
    try {
      strip[index] = { count, image: await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })) }
    } catch {
      return
    }
    if (strip === this.frames) this.drawFrames()
  }

  clearFrames() {
    this.frames = []
    this.drawFrames()
  }

  drawFrames() {
    const context = sized(this.framesCanvas)
    if (!context) return
    const height = this.framesCanvas.clientHeight
    this.framesCanvas.dataset.count = this.frames.filter(Boolean).length
    this.frames.forEach(({ count, image }, index) => {
      const [left, right] = [this.x(index / count * this.duration), this.x((index + 1) / count * this.duration)]
      const width = image.width / image.height * height
      context.save()
      context.beginPath()
      context.rect(left, 0, Math.max(1, right - left - 1), height)
      context.clip()
      context.drawImage(image, (left + right - width) / 2, 0, width, height)
      context.restore()
    })
  }

  /** Draws part of the audio levels: pairs of the lowest and the highest sample. */
  takeLevels({ first, count }, bytes) {
    if (!this.parts || this.parts.length !== count * 2) this.parts = new Int8Array(count * 2)
    this.parts.set(new Int8Array(bytes), first * 2)
    this.drawLevels()
  }

  clearLevels() {
    this.parts = null
    this.drawLevels()
  }

  drawLevels() {
    const context = sized(this.levelsCanvas)
    if (!context || !this.parts) return
    const { x0, x1, start, duration } = this.scale
    const height = this.levelsCanvas.clientHeight
    context.fillStyle = getComputedStyle(this.levelsCanvas).color
    const count = this.parts.length / 2
    const pixels = (x1 - x0) / duration
    for (let x = Math.floor(x0); x < x1; x += 1) {
      const from = Math.floor(((x - x0) / pixels + start) / this.duration * count)
      const to = Math.max(from + 1, Math.floor(((x + 1 - x0) / pixels + start) / this.duration * count))
      let [low, high] = [0, 0]
      for (let part = Math.max(0, from); part < Math.min(to, count); part += 1) {
        low = Math.min(low, this.parts[part * 2])
        high = Math.max(high, this.parts[part * 2 + 1])
      }
      if (high === low) continue
      const top = (1 - high / 127) * height / 2
      context.fillRect(x, top, 1, Math.max(1, (1 - low / 127) * height / 2 - top))
    }
  }
}

/** A cleared canvas context at the screen's resolution, in pixels of the page; null if the canvas is not laid out. */
export function sized(canvas) {
  const ratio = window.devicePixelRatio || 1
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  if (width === 0 || height === 0) return null
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const context = canvas.getContext('2d')
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}
