// The cost of frames: stacked bars along the timeline, and numbers for the instruction under the playhead.

import { sized } from './timeline.js'

export const stages = [
  { key: 'decode', name: 'Decode', note: 'waiting for decoders' },
  { key: 'conform', name: 'Conform', note: 'converting sources' },
  { key: 'compose', name: 'Compose', note: 'compositors and effects' },
  { key: 'deliver', name: 'Deliver', note: 'titles, output format' },
  { key: 'encode', name: 'Encode', note: 'JPEG for this page' },
]
const mostFrames = 200_000

/** Draws costs. */
export class Costs {
  constructor({ canvas, table, where, legend, timeline }) {
    Object.assign(this, { canvas, table, where, timeline })
    this.frames = new Map()
    this.rows = []
    this.instructions = []
    this.body = table.tBodies[0]
    for (const { key, name, note } of stages) {
      const item = document.createElement('li')
      item.className = `stage-${key}`
      item.textContent = name
      item.title = note
      legend.append(item)
      const row = this.body.insertRow()
      const head = document.createElement('th')
      head.scope = 'row'
      head.className = `stage-${key}`
      head.textContent = name
      head.title = note
      row.append(head)
      row.insertCell()
      row.insertCell()
    }
    timeline.addEventListener('layout', () => this.draw())
  }

  setMovie(project) {
    this.frames.clear()
    this.rows = []
    this.instructions = project.instructions
    this.budget = project.frameDuration[0] / project.frameDuration[1] * 1000
    this.draw()
    this.describe(-1, null)
  }

  add(frame) {
    if (this.frames.size >= mostFrames) this.frames.clear()
    this.frames.set(frame.index, { time: frame.time, cost: frame.cost })
    this.isStale = true
  }

  setRows(rows) { this.rows = rows }

  /** Draws the costs that arrived since the last call. */
  refresh() {
    if (!this.isStale) return
    this.isStale = false
    this.draw()
  }

  draw() {
    const context = sized(this.canvas)
    if (!context) return
    const style = getComputedStyle(this.canvas)
    const colors = stages.map(({ key }) => style.getPropertyValue(`--stage-${key}`))
    const height = this.canvas.clientHeight
    const columns = new Map()
    const budget = this.budget || 40
    let most = budget
    for (const { time, cost } of this.frames.values()) {
      const x = Math.round(this.timeline.x(time))
      const total = stages.reduce((sum, { key }) => sum + cost[key], 0)
      if (total > most) most = total
      // If frames share a column, the slowest one is shown.
      if (!(columns.get(x)?.total > total)) columns.set(x, { total, cost })
    }
    // A frame that waited for a disk would flatten all others, so bars are clipped.
    const unit = (height - 2) / Math.min(most, budget * 4)
    for (const [x, { cost }] of columns) {
      let bottom = height
      stages.forEach(({ key }, index) => {
        const part = cost[key] * unit
        context.fillStyle = colors[index]
        context.fillRect(x, bottom - part, 1.5, part)
        bottom -= part
      })
    }
    // The time available for a frame.
    const line = Math.round(height - (this.budget || 0) * unit) + 0.5
    context.strokeStyle = style.getPropertyValue('--budget')
    context.setLineDash([4, 4])
    context.beginPath()
    context.moveTo(this.timeline.scale.x0, line)
    context.lineTo(this.timeline.scale.x1, line)
    context.stroke()
  }

  /** Shows numbers for an instruction and the current frame. */
  describe(index, frame) {
    const row = this.rows.find(({ instruction }) => instruction === index)
    const instruction = this.instructions[index]
    this.table.hidden = !row
    if (!row) {
      this.where.textContent = 'Play or scrub to measure.'
      return
    }
    const what = instruction ? `Instruction ${index}, ${instruction.name}` : 'After the end'
    this.where.textContent = `${what}: ${row.count} ${row.count === 1 ? "frame" : "frames"}, the slowest ${row.worst.toFixed(1)} ms; a frame has ${this.budget.toFixed(1)} ms.`
    const number = value => value === undefined ? '–' : `${value.toFixed(1)} ms`
    const cost = frame?.instruction === index ? frame.cost : null
    let [own, mean] = [0, 0]
    stages.forEach(({ key }, place) => {
      const cells = this.body.rows[place].cells
      cells[1].textContent = number(cost?.[key])
      cells[2].textContent = number(row[key])
      own += cost?.[key] ?? 0
      mean += row[key]
    })
    const totals = this.table.tFoot.rows[0].cells
    totals[1].textContent = cost ? number(own) : '–'
    totals[2].textContent = number(mean)
  }
}
