/** Renders the templates, slots and blocks of a release for one person, so that plans can compare them. */
import type { Candidate } from '../../html/slots.ts'
import { type Block, type Release, SENDER_ADDRESS, type Signature } from '../release/release.ts'
import {
  renderingAddresses,
  renderContextOf as ofPerson,
  type SignatureKind,
  templatePath,
} from './render.ts'
import type { PersonState } from '../facts/state.ts'
import { WRITER_PREFIX } from '../release/names.ts'
import { enteredDays } from '../rules/openTimes.ts'
import { mainSender } from '../rules/rules.ts'
import { hasWriterMark, isMailbox, senderMark, showsSender, writerMarks } from '../release/selectors.ts'
import {
  placeholdersIn,
  type RenderContext,
  renderSlotted,
  renderTemplate,
  type Template,
} from '../template/template.ts'

/** Marks the place of a block. No template contains it, because files contain no zero characters. */
const BLOCK = '\0block\0'
/**
 * Fills every slot, to find the html around its block. It fits no message, so the template's html contains no block.
 */
const STUB: Candidate = {
  id: '',
  name: '',
  html: BLOCK,
  audiences: [],
  replies: false,
  everyone: false,
  closes: null,
}

/**
 * A slot, and its offset in the html without blocks. `pieces` is the slot's html, divided at each place of its block.
 */
export type FrameSlot = Readonly<{ name: string; at: number; pieces: readonly string[] }>

/** The html of a slot with a block inserted. An empty block leaves the slot empty. */
export const slotWithBlock = ({ pieces }: FrameSlot, block: string): string =>
  block === '' ? '' : pieces.join(block)

/**
 * A template's html without blocks, and its slots. `compared` is the html for comparing releases: in a mailbox's
 * signature, it has marks for the variables of the unknown writer, and tells what a writer without values sees; for a
 * person with several addresses, it has a mark for the sender. `hasSampleWriter`: it depends on the unknown writer.
 */
export type Frame = Readonly<{
  html: string
  compared: string
  hasSampleWriter: boolean
  slots: readonly FrameSlot[]
}>

export type PersonRenderer = ReturnType<typeof createPersonRenderer>

/**
 * Creates a renderer for one person. A template that several signatures share is rendered only once.
 *
 * @param pictures the base URL of all pictures
 */
export function createPersonRenderer(pictures: string, person: PersonState) {
  const contexts = new Map<Release, RenderContext>()
  const frames = new Map<Release, Map<string, Frame | null>>()

  function contextOf(release: Release): RenderContext {
    const known = contexts.get(release)
    if (known) return known
    const context = ofPerson(release, person, renderingAddresses(pictures, person))
    contexts.set(release, context)
    return context
  }

  /**
   * Renders a template, and again to compare it if a mailbox's writer has values in this release, or if it shows the
   * sender and the person has several addresses.
   *
   * @param sender the address that the release shows as the sender; null if it shows none
   */
  function comparing<Rendered extends Readonly<{ html: string }>>(
    release: Release,
    template: Template,
    sender: string | null,
    render: (context: RenderContext) => Rendered,
  ): Rendered & Pick<Frame, 'compared' | 'hasSampleWriter'> {
    const context = contextOf(release)
    const renderWith = (values: Readonly<Record<string, string>>) =>
      render({ ...context, values: { ...context.values, ...values } })
    const shown = sender === null ? render(context) : renderWith({ [SENDER_ADDRESS]: sender })
    const writer = isMailbox(release, person) ? writerMarks(release) : {}
    const isOneSender = sender === null || person.addresses.length < 2
    const hasNoWriter = Object.keys(writer).length === 0
    if (isOneSender && hasNoWriter) return { ...shown, compared: shown.html, hasSampleWriter: false }
    const marks = {
      ...writer,
      ...(sender !== null && {
        [SENDER_ADDRESS]: isOneSender ? sender : senderMark(sender),
      }),
    }
    const marked = renderWith(marks).html
    const tested = hasNoWriter ? [] : testedWriterValues(template)
    if (tested.length === 0)
      return { ...shown, compared: marked, hasSampleWriter: hasWriterMark(release, marked) }
    const without = renderWith({ ...marks, ...Object.fromEntries(tested.map((name) => [name, ''])) }).html
    const compared = JSON.stringify([marked, without, tested.map((name) => writer[name])])
    return { ...shown, compared, hasSampleWriter: true }
  }

  return {
    frame(release: Release, signature: Signature, use: SignatureKind): Frame | null {
      const path = templatePath(signature, use)
      if (path === null) return null
      const ofRelease = frames.get(release) ?? new Map<string, Frame | null>()
      frames.set(release, ofRelease)
      const sender = showsSender(release) ? mainSender(signature, person) : null
      const key = sender === null ? path : `${path} ${sender}`
      const known = ofRelease.get(key)
      if (known !== undefined) return known
      const template = release.templateOf(path)
      const frame = template && comparing(release, template, sender, (context) => frameOf(template, context))
      ofRelease.set(key, frame)
      return frame
    },

    /** The html of a block, the html for comparing releases, and whether clicks on one of its links are counted. */
    block(release: Release, block: Block): Readonly<{ html: string; compared: string; isCounted: boolean }> {
      const template = release.templateOf(block.template)
      let isCounted = false
      const countedUrl = (address: string) => {
        isCounted = release.document.counting === true
        return address
      }
      if (template === null) return { html: '', compared: '', isCounted }
      const sender = showsSender(release) ? (person.addresses[0] ?? '') : null
      const { html, compared } = comparing(release, template, sender, (context) => ({
        html: renderTemplate(template, { ...context, countedUrl }),
      }))
      return { html, compared, isCounted }
    },

    /** The days that the person entered for a block, as text; empty without any. */
    ownDays(release: Release, { ownDays }: Block): string {
      const period = ownDays ? enteredDays(release, ownDays, person).period : null
      return period ? JSON.stringify(period) : ''
    },
  }
}

/** The writer's variables that `{{#if}}` or `{{first}}` tests for a value in a template and its parts. */
const testedWriterValues = (template: Template): readonly string[] => {
  const names = placeholdersIn(template).flatMap(({ kind, names: tested }) =>
    kind === 'if' || kind === 'first' ? tested : [],
  )
  return [...new Set(names)].filter((name) => name.startsWith(WRITER_PREFIX))
}

function frameOf(template: Template, context: RenderContext): Omit<Frame, 'compared' | 'hasSampleWriter'> {
  const { html, slots = [] } = renderSlotted(template, { ...context, blocksIn: () => [STUB] })
  return {
    html,
    slots: slots.map(({ name, start, candidates: [stub] }) => ({
      name,
      at: start,
      pieces: stub?.html.split(BLOCK) ?? [],
    })),
  }
}
