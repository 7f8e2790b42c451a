import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/command.ts'
import {
  barText,
  createMeter,
  SHOW_PROGRESS_AFTER_MS,
  PROGRESS_INTERVAL_MS,
  runWithProgress,
} from '../../src/cli/progress.ts'
import { CommandStop, type Terminal, type WorkDisplay } from '../../src/cli/terminal.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { planOf } from '../support/administration/plans.ts'
import { GOOD, useFolders } from '../folder/folders.ts'

// How the command shows long work, and stops it.

const PEOPLE = { title: 'The plan', one: 'person', many: 'people' }
const NAME = 'ab'.repeat(16)
const make = useFolders()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-cli-progress-'))
  await writeFile(join(folder, 'people.csv'), 'email\na@b.example\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let complaints: string[]
let drawn: string[]
let interrupt: (() => void) | null
beforeEach(() => {
  complaints = []
  drawn = []
  interrupt = null
})

const watching = (isTerminal: boolean): WorkDisplay => ({
  redraw: isTerminal ? (line) => drawn.push(line) : null,
  onInterrupt(listener) {
    interrupt = listener
    return () => {
      interrupt = null
    }
  },
  newName: () => NAME,
})
const terminalOf = (isTerminal: boolean, over: Partial<Terminal> = {}): Terminal => ({
  write: () => undefined,
  complain: (text) => complaints.push(text),
  confirm: null,
  environment: { SIGNET_TOKEN: 'a-token' },
  fetch,
  open: () => undefined,
  now: () => 0,
  watch: watching(isTerminal),
  ...over,
})

describe('a bar', () => {
  it.each([
    [{ done: 0, of: 0 }, '[------------------------] not counted yet'],
    [{ done: 0, of: 1 }, '[------------------------] 0 of 1 person'],
    [{ done: 1_250, of: 5_000 }, '[######------------------] 1,250 of 5,000 people'],
    [{ done: 4_999, of: 5_000 }, '[#######################-] 4,999 of 5,000 people'],
    [{ done: 5_000, of: 5_000 }, '[########################] 5,000 of 5,000 people'],
  ])('of %o is %s', (progress, text) => {
    expect(barText(progress, PEOPLE)).toBe(text)
  })

  it('is drawn over itself in a terminal, and leaves nothing', () => {
    const meter = createMeter(terminalOf(true), PEOPLE)
    meter.show({ done: 1, of: 2 })
    meter.show({ done: 2, of: 2 })
    meter.end()
    expect([drawn.length, drawn.at(-1), complaints]).toEqual([3, '', []])
  })

  it('is a line at its beginning and one at its end elsewhere', () => {
    const meter = createMeter(terminalOf(false), PEOPLE)
    for (const done of [1, 2, 3]) meter.show({ done, of: 3 })
    meter.end()
    expect(complaints).toEqual(['The plan: 1 of 3 people\n', 'The plan ended.\n'])
  })

  it('is none where nothing watches', () => {
    const { watch: _, ...terminal } = terminalOf(true)
    const meter = createMeter(terminal, PEOPLE)
    meter.show({ done: 1, of: 2 })
    meter.end()
    expect([drawn, complaints]).toEqual([[], []])
  })

  it('of short work is none', () => {
    createMeter(terminalOf(true), PEOPLE).end()
    createMeter(terminalOf(false), PEOPLE).end()
    expect([drawn, complaints]).toEqual([[], []])
  })
})

/** Runs a command over a service whose long call ends when `answer` says so, after some requests for its progress. */
async function run(
  words: readonly string[],
  {
    looks,
    answers,
    isTerminal = true,
    look = () => undefined,
  }: {
    looks: readonly (object | Error)[]
    answers: Readonly<Record<string, object>>
    isTerminal?: boolean
    look?: (at: number) => void
  },
) {
  const asked: string[] = []
  const waits: number[] = []
  const written: string[] = []
  let left = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let stop = false
  const code = await runCommand(
    words,
    terminalOf(isTerminal, {
      write: (text) => written.push(text),
      wait: (ms) => (waits.push(ms), Promise.resolve()),
      async fetch(address, request) {
        const path = String(address).replace(/^.*\/api\/administration\/v1/, '')
        const what = `${request?.method ?? ''} ${path}`
        asked.push(what)
        if (what === `DELETE /work/${NAME}`) {
          stop = true
          end()
          return Response.json({}, { status: 202 })
        }
        if (what === `GET /work/${NAME}`) {
          look(left)
          const progress = looks[left++]
          if (progress === undefined) {
            end()
            return new Promise(() => undefined)
          }
          if (progress instanceof Error) throw progress
          return Response.json(progress)
        }
        if (path.includes('work=')) await ended
        if (stop && path.includes('work='))
          return Response.json(
            { code: 'stopped', message: 'Stopped: 500 of 1200 people are stored.' },
            { status: 409 },
          )
        return Response.json(answers[what] ?? { code: 'not_found', message: what }, {
          status: answers[what] ? 200 : 404,
        })
      },
    }),
  )
  return { code, asked, waits, written: written.join('') }
}

const SERVICE = ['--service', 'https://signet.example.com']
const IMPORTED = { added: 1, changed: 0, unchanged: 0, refused: [], problems: [] }
const importing = (more: Partial<Parameters<typeof run>[1]>) =>
  run(['people', 'import', join(folder, 'people.csv'), ...SERVICE], {
    looks: [],
    answers: { [`POST /people/import?try=false&work=${NAME}`]: IMPORTED },
    ...more,
  })

describe('an import', () => {
  it('that lasts draws how far it is, although a request for that fails', async () => {
    const { code, waits, written } = await importing({
      looks: [{ done: 500, of: 1_200 }, new Error('away'), { done: 1_000, of: 1_200 }],
    })
    expect([code, written]).toEqual([0, '1 added, 0 changed, 0 unchanged, 0 problems\n'])
    expect(waits.slice(0, 2)).toEqual([SHOW_PROGRESS_AFTER_MS, PROGRESS_INTERVAL_MS])
    expect(drawn.map((line) => line.slice(27))).toEqual([
      '500 of 1,200 people',
      '500 of 1,200 people',
      '1,000 of 1,200 people',
      '',
    ])
    expect(interrupt).toBeNull()
  })

  it('asks the service to stop at Ctrl-C, and says what is stored', async () => {
    const { code, asked } = await importing({
      looks: [{ done: 500, of: 1_200 }],
      look: () => interrupt?.(),
    })
    expect(code).toBe(1)
    expect(asked).toContain(`DELETE /work/${NAME}`)
    expect(complaints.join('')).toBe('Stopping…\nstopped: Stopped: 500 of 1200 people are stored.\n')
  })

  it('writes a line at first and one at the end without a terminal', async () => {
    await importing({
      looks: [
        { done: 500, of: 1_200 },
        { done: 900, of: 1_200 },
      ],
      isTerminal: false,
    })
    expect(complaints).toEqual(['The import: 500 of 1,200 people\n', 'The import ended.\n'])
  })
})

describe('a plan', () => {
  it('and publishing have names, and only the plan can be stopped', async () => {
    const plan = planOf({ pictures: 'https://p.example/images' })
    const isInterruptible: boolean[] = []
    const words = ['publish', await make(GOOD), ...SERVICE, '--out', join(folder, 'plan.html')]
    const { code, asked } = await run([...words, '--yes', '--plan', plan.id], {
      looks: [],
      look: () => isInterruptible.push(interrupt !== null),
      answers: {
        'POST /pictures/missing': { missing: [] },
        [`POST /plans?work=${NAME}`]: plan,
        [`POST /releases?work=${NAME}`]: { release: 'r-1', history: [] },
      },
    })
    expect(code).toBe(0)
    expect(asked.filter((what) => what.startsWith('POST'))).toEqual([
      'POST /pictures/missing',
      `POST /plans?work=${NAME}`,
      `POST /releases?work=${NAME}`,
    ])
    expect(isInterruptible[0]).toBe(true)
    expect(isInterruptible.slice(1)).not.toContain(true)
  })
})

describe('steps in this process', () => {
  function* stepping(all: number): Steps<string> {
    for (let done = 0; done < all; done += 1) {
      yield
      yield { done, of: all }
    }
    return 'done'
  }

  it('are drawn once they last, and not at each step', async () => {
    let clock = 0
    const now = () => (clock += 30)
    expect(await runWithProgress(stepping(100), PEOPLE, terminalOf(true, { now }))).toBe('done')
    expect(drawn.at(-1)).toBe('')
    const numbers = drawn.slice(0, -1).map((line) => Number(/(\d+) of 100/.exec(line)?.[1]))
    expect(numbers[0]).toBeGreaterThanOrEqual(SHOW_PROGRESS_AFTER_MS / 30 - 2)
    expect(numbers[0]).toBeLessThanOrEqual(SHOW_PROGRESS_AFTER_MS / 30)
    expect(numbers.length).toBeGreaterThan(2)
    expect(numbers.length).toBeLessThan(20)
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
  })

  it('that are short are not drawn', async () => {
    expect(await runWithProgress(stepping(100), PEOPLE, terminalOf(true))).toBe('done')
    expect(drawn).toEqual([])
  })

  it('end at Ctrl-C', async () => {
    function* endless(): Steps<string> {
      for (let done = 0; ; done += 1) {
        if (done === 5) interrupt?.()
        yield
      }
    }
    await expect(runWithProgress(endless(), PEOPLE, terminalOf(true))).rejects.toEqual(
      new CommandStop('The plan was stopped; nothing was changed.'),
    )
    expect(interrupt).toBeNull()
  })
})

describe('a sync', () => {
  const run = {
    id: 'run-1',
    source: 'graph',
    at: 1,
    until: null,
    isTrial: false,
    by: 'x',
    outcome: 'running',
    read: 9,
    added: 2,
    changed: 0,
    retired: 0,
    returned: 0,
    refused: 0,
    failure: null,
    samples: [],
  }
  const syncing = async (later: object, look: (at: number) => void = () => undefined) => {
    const [asked, written]: [string[], string[]] = [[], []]
    let looks = 0
    const code = await runCommand(
      ['sync', ...SERVICE],
      terminalOf(true, {
        write: (text) => written.push(text),
        wait: () => Promise.resolve(),
        async fetch(address, request) {
          const what = `${request?.method ?? ''} ${String(address).replace(/^.*\/v1/, '')}`
          asked.push(what)
          if (what !== 'GET /directory') return Response.json(what.startsWith('POST') ? run : {})
          look(looks)
          looks += 1
          const progress = { done: looks * 100, of: 500 }
          const now =
            looks < 5 ? { ...run, ...(looks < 4 ? {} : { progress }) } : { ...run, until: 2, ...later }
          return Response.json({ kind: 'graph', sources: [], isRunning: true, runs: [now], groups: [] })
        },
      }),
    )
    return { code, asked, out: written.join('') }
  }

  it('that lasts draws how many entries are applied', async () => {
    expect(await syncing({ outcome: 'done' })).toMatchObject({ code: 0 })
    expect(drawn.map((line) => line.slice(27))).toEqual(['not counted yet', '400 of 500 changed entries', ''])
    expect(interrupt).toBeNull()
  })

  it('is stopped at Ctrl-C, and says what was done', async () => {
    const { code, asked, out } = await syncing({ outcome: 'interrupted', stoppedBy: 'alex' }, (at) => {
      if (at === 2) interrupt?.()
    })
    expect([code, out]).toEqual([1, '2 added, 0 changed, 0 retired, 0 returned, 0 problems\n'])
    expect(asked).toContain('DELETE /directory/sync')
    expect(complaints).toEqual(['Stopping…\n', 'The sync was stopped by alex; the next sync continues.\n'])
  })
})
