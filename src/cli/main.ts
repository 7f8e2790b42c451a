import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import { debuglog } from 'node:util'
import { runCommand } from './command.ts'

// The process of the `signet` command.

/** The command that opens a file, by platform. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}

// A closed pipe (`signet releases | head`) ends the process without an error.
process.stdout.on('error', () => process.exit())

const debug = debuglog('signet')

process.exitCode = await runCommand(process.argv.slice(2), {
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
  confirm: process.stdin.isTTY
    ? async (question) => {
        const terminal = createInterface({ input: process.stdin, output: process.stdout })
        try {
          return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
        } finally {
          terminal.close()
        }
      }
    : null,
  environment: process.env,
  fetch,
  open(file) {
    const [program = 'xdg-open', ...words] = OPENERS[process.platform] ?? []
    const opener = spawn(program, [...words, file], { detached: true, stdio: 'ignore' })
    // A missing browser is not an error, because the command prints the file name.
    opener.on('error', () => undefined).unref()
  },
  // Node prints the original error if NODE_DEBUG=signet is set.
  trace: (original) => debug('%o', original),
  now: Date.now,
  watch: {
    redraw: process.stderr.isTTY ? (line) => void process.stderr.write(`\r\u001b[K${line}`) : null,
    onInterrupt(listener) {
      process.once('SIGINT', listener)
      return () => void process.removeListener('SIGINT', listener)
    },
    newName: () => randomBytes(16).toString('hex'),
  },
})
