/** Gathers the lines of the log, so that the requests of a moment cost one write. */
import type { DestinationStream } from 'pino'

/** How long a line waits for others. */
export const GATHERED_MS = 20

/**
 * Writes the lines of `GATHERED_MS` in one piece, in their order. `atExit` gets what writes the lines that still wait, to
 * call it when the process ends. Only a process that is killed may lose them.
 */
export function gathered(
  output: DestinationStream,
  atExit: (write: () => void) => void = (write) => process.once('exit', write),
): DestinationStream {
  let lines = ''
  const write = () => {
    const waiting = lines
    lines = ''
    if (waiting !== '') output.write(waiting)
  }
  atExit(write)
  return {
    write(line) {
      if (lines === '') setTimeout(write, GATHERED_MS).unref()
      lines += line
    },
  }
}

/** Writes the time of a line, as ISO 8601 in UTC with milliseconds. Each second is written out once. */
export function lineTime(): () => string {
  let [second, text] = [NaN, '']
  return () => {
    const at = Date.now()
    if (Math.floor(at / 1000) !== second) {
      second = Math.floor(at / 1000)
      text = new Date(second * 1000).toISOString().slice(0, -4)
    }
    return `,"time":"${text}${String(at % 1000).padStart(3, '0')}Z"`
  }
}
