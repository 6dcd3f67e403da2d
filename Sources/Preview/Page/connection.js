// The WebSocket to the server: JSON in both directions, frames and audio as bytes after a JSON header.

/** Connects, and reconnects when the server comes back. Dispatches `message` events, whose `detail` is `{header, bytes}`. */
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

  /** Sends a message if the connection is open. */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }
}
