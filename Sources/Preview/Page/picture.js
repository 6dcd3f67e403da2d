// Video: frames arrive as JPEGs ahead of time, wait in a short queue and are painted when they are due.

/** Paints frames on a canvas. */
export class Picture extends EventTarget {
  constructor(canvas, connection) {
    super()
    this.canvas = canvas
    this.context = canvas.getContext('2d', { alpha: false })
    this.connection = connection
    this.queue = []
    this.shown = null
    this.decoding = Promise.resolve()
  }

  /** Adds a frame from the server; `isWanted` is called once it is decoded. */
  take(header, bytes, isWanted) {
    const image = createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
    // Frames are decoded in parallel and queued in order.
    this.decoding = this.decoding.then(async () => {
      try {
        const frame = { ...header, image: await image }
        this.connection.send({ type: 'ack', frame: header.frame })
        const wish = isWanted(frame)
        if (wish === 'now') this.paint(frame)
        else if (wish === 'later') this.queue.push(frame)
        else frame.image.close()
        this.dispatchEvent(new CustomEvent('arrived', { detail: frame }))
      } catch {
        this.connection.send({ type: 'ack', frame: header.frame })
      }
    })
  }

  /** Drops waiting frames. */
  clear() {
    for (const frame of this.queue) frame.image.close()
    this.queue = []
  }

  /** Paints the frame that is due at a movie time for a playback direction; drops older waiting ones. */
  paintDue(time, direction) {
    const slack = 0.002
    const isDue = frame => direction > 0 ? frame.time <= time + slack : frame.time + frame.duration >= time - slack
    let due = null
    while (this.queue.length > 0 && isDue(this.queue[0])) {
      due?.image.close()
      due = this.queue.shift()
    }
    if (due) this.paint(due)
    return due
  }

  paint(frame) {
    const { canvas, context } = this
    // Setting the size clears a canvas, so only set it if it differs.
    if (canvas.width !== frame.image.width || canvas.height !== frame.image.height) {
      canvas.width = frame.image.width
      canvas.height = frame.image.height
    }
    context.drawImage(frame.image, 0, 0)
    frame.image.close()
    this.shown = frame
    this.dispatchEvent(new CustomEvent('painted', { detail: frame }))
  }

  /** Shows black in the movie's aspect ratio. */
  blacken(width, height) {
    this.clear()
    this.canvas.width = Math.max(1, width)
    this.canvas.height = Math.max(1, height)
    this.shown = null
  }
}
