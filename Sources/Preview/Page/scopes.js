// Histogram, waveform and vectorscope of the current frame, drawn by the server.

/** Selects and shows a scope. */
export class Scopes {
  constructor({ choices, image, connection }) {
    Object.assign(this, { choices, image, connection })
    choices.addEventListener('change', () => this.choose())
  }

  get chosen() { return this.choices.querySelector('input:checked').value }

  /** Sends the selection to the server, also after a reconnection. */
  choose() {
    this.connection.send({ type: 'scope', scope: this.chosen || undefined })
    if (!this.chosen) this.image.hidden = true
  }

  take({ scope }, bytes) {
    if (scope !== this.chosen) return
    const url = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }))
    const old = this.image.src
    this.image.onload = () => { if (old.startsWith('blob:')) URL.revokeObjectURL(old) }
    this.image.src = url
    this.image.alt = `${scope} of the frame that is shown`
    this.image.hidden = false
  }
}
