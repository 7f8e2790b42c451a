/** The call that explains a signature in a mail: the release that produced it, and what its owner would get today. */
import { sanitizeMarkup } from '../../../../streams/html/sanitizeMarkup.ts'
import { fillSlots } from '../../../../streams/html/slots.ts'
import { type NumberedRelease, numberReleases } from '../../../../streams/organisation/facts/history.ts'
import { evolvePerson } from '../../../../streams/organisation/facts/reducer.ts'
import { type SignatureKind, templatePath } from '../../../../streams/organisation/rendering/render.ts'
import {
  assignedSignatures,
  combinedIds,
  defaultChoice,
  parseCombinedIds,
} from '../../../../streams/organisation/rules/rules.ts'
import { displayName } from '../../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import type { ExplainedSent } from '../../../../streams/wire/administration/explaining.ts'
import { normaliseAddress } from '../../../values/mailAddress.ts'
import { Refusal } from '../../../server/webServer.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { createDelegatedOwners } from '../../context/owners.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import type { AdministrationLookup } from './lookup.ts'
import { namesLeftOf } from './namesLeft.ts'
import { decidingPlacesFor } from './places.ts'
import type { CallHandlers } from './routes.ts'
import {
  createSentRenderings,
  findingRendering,
  type SentMessage,
  type SentRendering,
} from './sentRenderings.ts'

/**
 * The number of releases to try before and after the time of the mail. Later releases are tried because clocks may
 * differ.
 */
const MAX_BEFORE = 10
const MAX_AFTER = 3
/** The number of a person's states to try, because a signature may be older than its mail. */
const MAX_STATES = 4
/** The number of the writer's states to try, beside those of the mailbox. */
const MAX_WRITER_STATES = 2

export function explainingCalls(
  { store, releases, publicUrl, now }: ServiceContext,
  { owner: findOwner }: AdministrationLookup,
) {
  const { slottedFor, rendering } = createSentRenderings(publicUrl)
  const delegating = createDelegatedOwners(store)

  /** The person's last states until a time, the most likely first, then their current state. */
  async function statesOf(owner: PersonState, at: number): Promise<readonly PersonState[]> {
    const facts = await store.personFacts(owner.id, 0)
    const states: PersonState[] = []
    let state: PersonState | null = null
    for (const fact of facts) {
      if (fact.meta.at > at) break
      state = evolvePerson(state, fact, owner.id)
      if (state) states.push(state)
    }
    const then = states.slice(-MAX_STATES).reverse()
    return [...then, ...(then[0]?.revision === owner.revision ? [] : [owner])]
  }

  /** Renders what the owner would get now in such a message: this signature and the default, if assigned. */
  async function todayOf(
    owner: PersonState,
    id: string,
    use: SignatureKind,
    writer: PersonState | null,
    { isReply, domains, recipients = domains }: SentMessage,
  ): Promise<ExplainedSent['today']> {
    const release = releases.current()
    if (release === null || !owner.active) return []
    const at = now()
    const others = await delegating.delegated({ person: owner, release })
    const choice = defaultChoice(release, owner, at, new Map(others.map((one) => [one.id, one])))?.choice
    const slotted = slottedFor(release, owner, writer, at)
    return assignedSignatures(release, owner, at).flatMap((signature) => {
      const isDefault = combinedIds(signature.id, owner.id) === choice?.master
      if (signature.id !== id && !isDefault) return []
      const rendered = slotted(signature, use) ?? slotted(signature, 'signature')
      const filled =
        rendered &&
        fillSlots(rendered, { isReply, thread: isReply ? 'later' : 'first', recipients, turn: 0, at })
      return [
        {
          signature: signature.id,
          name: signature.name,
          isDefault,
          html: filled && sanitizeMarkup(filled.html, 'insert'),
          blocks: filled?.blocks.map(({ name }) => name) ?? [],
        },
      ]
    })
  }

  /** The releases to try, the most likely first: the current release at that time, then earlier and later releases. */
  function tried(at: number): readonly NumberedRelease[] {
    const history = numberReleases(releases.state().history)
    const before = history.filter((entry) => entry.at <= at)
    const after = history.slice(0, history.length - before.length).toReversed()
    const seen = new Set<string>()
    return [...before.slice(0, MAX_BEFORE), ...after.slice(0, MAX_AFTER)].filter(
      ({ release }) => !seen.has(release) && seen.add(release),
    )
  }

  return {
    async explainSent({ body, client }) {
      const ids = parseCombinedIds(body.combinedIds)
      if (ids === null) throw new Refusal(404, 'not_found', 'There is no such signature.')
      const owner = await findOwner(ids.owner)
      const states = await statesOf(owner, body.at)
      // An unknown address is no mistake of the call: the mail says what it says.
      const writer =
        body.writer === undefined ? null : await store.personByAddress(normaliseAddress(body.writer))
      const writers = writer === null ? [] : (await statesOf(writer, body.at)).slice(0, MAX_WRITER_STATES)
      let best: Readonly<{ by: ExplainedSent['by']; found: SentRendering; entry: NumberedRelease }> | null =
        null
      for (const entry of tried(body.at)) {
        const release = await releases.of(entry.release)
        const signature = release?.signatureOf(ids.signature)
        if (!release || !signature) continue
        const looked = await runInSlices(
          findingRendering(rendering(release, signature, states, writers, body), body),
          {
            client,
          },
        )
        if (looked === null) continue
        if (best === null || SURE[looked.by] > SURE[best.by]) best = { ...looked, entry }
        if (looked.by === 'hash') break
      }
      if (best === null)
        throw new Refusal(404, 'not_found', `No release of that time has the signature ${ids.signature}.`)
      const { release, signature, use, blocks, html, owner: state, writer: writing } = best.found
      return {
        owner: {
          id: owner.id,
          address: owner.addresses[0] ?? owner.id,
          name: displayName(release, state),
          isActive: owner.active,
        },
        signature: { id: signature.id, name: signature.name },
        ...(writing && {
          writer: {
            id: writing.id,
            address: writing.addresses[0] ?? writing.id,
            name: displayName(release, writing),
          },
        }),
        release: release.id,
        number: best.entry.number,
        published: best.entry.at,
        by: best.by,
        use,
        blocks: blocks.map(({ id, name }) => ({ block: id, name })),
        html: sanitizeMarkup(html, 'insert'),
        places: await decidingPlacesFor(release, state, body.at, store),
        today: await todayOf(owner, signature.id, use, writer, body),
        ...(owner.active ? await namesLeftOf(store, releases.current() ?? release, owner) : {}),
        template: templatePath(signature, use) ?? signature.template,
      }
    },
  } satisfies Partial<CallHandlers>
}

const SURE: Readonly<Record<ExplainedSent['by'], number>> = { time: 0, words: 1, hash: 2 }
