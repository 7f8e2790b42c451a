/** Serves the cards of people whose organisation and who themselves allow it. */
import { object, text } from '../../../streams/kernel/schema.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { addressesOf, renderCard } from '../../../streams/organisation/rendering/render.ts'
import { defaultChoice, visibleSignature } from '../../../streams/organisation/rules/rules.ts'
import { allowsCard } from '../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { NOTHING_HERE, type WebServer } from '../../server/webServer.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { CARD_PATH } from '../people/values.ts'
import type { Lookups } from './limits.ts'

/**
 * Serves `/card/<id>.<seal>.vcf`, as the route `/card/*`: what the person's default signature shows at the moment of the
 * request. All that has no card is one answer, 404, and no path without the right seal is looked up.
 */
export function addCards(app: WebServer, lookups: Lookups): void {
  /** The card of what the default shows; empty for none. The default may be a mailbox's: the card stays the person's. */
  function cardOf({ now, publicUrl }: ServiceContext, release: Release, person: PersonState): string {
    if (!person.active || !allowsCard(release, person)) return ''
    const choice = defaultChoice(release, person, now())?.choice
    const owned = choice && visibleSignature(release, person, choice.master, now(), new Map())
    const addresses = addressesOf(`${publicUrl()}/images`, person)
    return owned ? renderCard(release, owned.signature, person, addresses) : ''
  }

  app.get(`${CARD_PATH}*`, {
    schema: { params: object({ '*': text }) },
    async handler(request, reply) {
      lookups.admit(clientAddress(request))
      const {
        params: { '*': path },
        organisation: { context, values },
      } = request
      const { store, releases } = context
      const owner = values.cardOwnerAt(path)
      // The person is read whatever the release allows, so that the time of an answer does not tell the reason.
      const person = owner === null ? null : await store.person(owner)
      const release = releases.current()
      const card = person === null || release === null ? '' : cardOf(context, release, person)
      if (card === '') throw NOTHING_HERE
      return reply
        .type('text/vcard; charset=utf-8')
        .headers({
          'Content-Disposition': 'attachment; filename="contact.vcf"',
          'Cache-Control': 'private, max-age=60',
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
        })
        .send(card)
    },
  })
}
