/** Gathers the lines of the log, so that requests that end together cost one write. */
import type { DestinationStream } from 'pino'

/**
 * Writes the lines of one turn of the event loop in one piece, in their order. `atExit` gets what writes the lines that
 * still wait, to call it when the process ends. Only a process that is killed may lose them.
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
      if (lines === '') setImmediate(write)
      lines += line
    },
  }
}
