import { runCommand } from '../../src/cli/command.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

/** The moment of commands, unless a test says another one. */
export const NOW = Date.parse('2026-10-01T12:00:00Z')

/**
 * Runs a command of `signet` in this process, without a user who could confirm and without a network. `all` has what it
 * wrote and complained of, in order.
 */
export async function runSignet(words: readonly string[], over: Partial<Terminal> = {}) {
  const [out, complaints, all]: [string[], string[], string[]] = [[], [], []]
  const code = await runCommand(words, {
    write: (text) => void (out.push(text), all.push(text)),
    complain: (text) => void (complaints.push(text), all.push(text)),
    confirm: null,
    environment: {},
    fetch: () => Promise.reject(new TypeError('no network')),
    open: () => undefined,
    now: () => NOW,
    ...over,
  })
  return { code, out: out.join(''), complaints: complaints.join(''), all: all.join('') }
}
