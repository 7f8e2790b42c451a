import type { Log } from '../../effects/ports.ts'

export type FakeLog = Log &
  Readonly<{ lines: readonly Readonly<{ level: keyof Log; action: string; detail: unknown }>[] }>

/** A log that keeps its lines. */
export function fakeLog(): FakeLog {
  const lines: { level: keyof Log; action: string; detail: unknown }[] = []
  return {
    lines,
    debug: (action, detail = {}) => {
      lines.push({ level: 'debug', action, detail })
    },
    warn: (action, detail = {}) => {
      lines.push({ level: 'warn', action, detail })
    },
    error: (action, detail = {}) => {
      lines.push({ level: 'error', action, detail })
    },
  }
}
