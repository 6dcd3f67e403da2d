// The WebSocket to the server: JSON both ways, frames and audio as bytes behind a header of JSON.

/** Connects, and connects again when the server comes back. Gives `message` events: `detail` is `{header, bytes}`. */
export class Connection extends EventTarget {
  constructor() {
    super()
    this.wait = 250
    this.open()
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/session`)
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      this.wait = 250
      this.dispatchEvent(new Event('open'))
    }
    socket.onmessage = ({ data }) => this.receive(data)
    socket.onclose = () => {
      this.dispatchEvent(new Event('close'))
      setTimeout(() => this.open(), this.wait)
      this.wait = Math.min(this.wait * 2, 4000)
    }
    this.socket = socket
  }

  receive(data) {
    let detail
    if (typeof data === 'string') {
      detail = { header: JSON.parse(data), bytes: null }
    } else {
      const count = new DataView(data).getUint32(0, true)
      const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, count)))
      detail = { header, bytes: data.slice(4 + count) }
    }
    this.dispatchEvent(new CustomEvent('message', { detail }))
  }

  /** Sends a message if there is somebody to take it. */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }
}
