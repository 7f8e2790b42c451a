/** Shows the progress of long work on the terminal, and lets the user stop it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UNCOUNTED_PROGRESS, finishedFraction, type Progress } from '../../streams/kernel/progress.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import type { AnswerOf, CallData } from '../../streams/wire/administration/calls.ts'
import { runInSlices } from '../server/timeSlices.ts'
import type { ServiceClient } from './serviceClient.ts'
import { countText, numberText } from './planText.ts'
import { errorSentence, CommandStop, type Terminal } from './terminal.ts'

/** Progress is shown for work that takes longer than this, in milliseconds. */
export const SHOW_PROGRESS_AFTER_MS = 2_000
/** The interval of progress requests to the service, in milliseconds. */
export const PROGRESS_INTERVAL_MS = 1_000
/** The interval of progress updates for work in this process, in milliseconds. */
const DRAW_MS = 100
const BAR_WIDTH = 24

/** The title of the work, and the words for its items. */
export type WorkLabels = Readonly<{ title: string; one: string; many?: string }>

/** `1,200 of 5,000 people` */
const countedText = ({ done, of }: Progress, { one, many }: WorkLabels): string =>
  of === 0 ? 'not counted yet' : `${numberText(done)} of ${countText(of, one, many)}`

/** A progress bar: `[######------------------] 1,200 of 5,000 people` */
export function barText(progress: Progress, named: WorkLabels): string {
  const filled = Math.floor((finishedFraction(progress) ?? 0) * BAR_WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${countedText(progress, named)}`
}

/**
 * Creates a progress bar that is redrawn in place. If the terminal cannot redraw, one line appears at the start and one
 * at the end.
 */
export function createMeter({ watch, complain }: Terminal, named: WorkLabels) {
  let isShown = false
  return {
    show(progress: Progress): void {
      if (!watch) return
      if (watch.redraw) watch.redraw(barText(progress, named))
      else if (!isShown) complain(`${named.title}: ${countedText(progress, named)}\n`)
      isShown = true
    },
    end(): void {
      if (!isShown) return
      if (watch?.redraw) watch.redraw('')
      else complain(`${named.title} ended.\n`)
    },
  }
}

/**
 * Asks the service to stop at the first Ctrl-C; a second one ends the process. Returns a function that removes the
 * handler.
 */
export function stopAtInterrupt({ watch, complain }: Terminal, stop: () => Promise<unknown>): () => void {
  if (!watch) return () => {}
  return watch.onInterrupt(() => {
    watch.redraw?.('')
    complain('Stopping…\n')
    stop().catch((error: unknown) => {
      complain(`It could not be stopped: ${errorSentence(error)}\n`)
    })
  })
}

/** A call that may start long work. */
type Long = 'makePlan' | 'importPeople' | 'publish'

/**
 * Makes a call and shows its progress. Ctrl-C asks the service to stop the work, and the call then rejects with the
 * service's refusal. Publishing cannot be stopped.
 */
export async function callWithProgress<Name extends Long>(
  client: ServiceClient,
  name: Name,
  sent: CallData<Name>,
  named: WorkLabels,
  terminal: Terminal,
): Promise<AnswerOf<Name>> {
  const { watch, wait = (ms: number) => sleep(ms, undefined, { ref: false }) } = terminal
  if (!watch) return client.ask(name, sent)
  const id = watch.newName()
  const asked = client.ask(name, { ...sent, query: { ...sent.query, work: id } } as CallData<Name>)
  const over = asked.then(
    () => true,
    () => true,
  )
  const isOverBefore = (event: Promise<unknown>) => Promise.race([over, event.then(() => false)])
  const meter = createMeter(terminal, named)
  const ignore =
    name === 'publish' ? () => {} : stopAtInterrupt(terminal, () => client.ask('stopWork', { id }))
  let last = UNCOUNTED_PROGRESS
  try {
    for (
      let pause = SHOW_PROGRESS_AFTER_MS;
      !(await isOverBefore(wait(pause)));
      pause = PROGRESS_INTERVAL_MS
    ) {
      const look = client.ask('work', { id }).then(
        (progress) => (last = progress),
        () => last,
      )
      if (await isOverBefore(look)) break
      meter.show(last)
    }
    return await asked
  } finally {
    ignore()
    meter.end()
  }
}

/** Runs steps in this process and shows the progress. Ctrl-C stops them. */
export async function runWithProgress<Result>(
  steps: Steps<Result>,
  named: WorkLabels,
  terminal: Terminal,
): Promise<Result> {
  const { watch, now } = terminal
  const meter = createMeter(terminal, named)
  const begun = now()
  let drawn = begun + SHOW_PROGRESS_AFTER_MS - DRAW_MS
  let isInterrupted = false
  const ignore =
    watch?.onInterrupt(() => {
      isInterrupted = true
    }) ?? (() => {})
  function* untilInterrupted(): Steps<Result> {
    for (;;) {
      if (isInterrupted) throw new CommandStop(`${named.title} was stopped; nothing was changed.`)
      const { done, value } = steps.next()
      if (done === true) return value
      yield value
    }
  }
  try {
    return await runInSlices(untilInterrupted(), {
      reached(progress) {
        if (now() - drawn < DRAW_MS) return
        drawn = now()
        meter.show(progress)
      },
    })
  } finally {
    ignore()
    meter.end()
  }
}
