/** Serves contact cards of people, if both the organisation and the person allow it. */
import { object, text } from '../../../streams/kernel/schema.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { renderingAddresses, renderCard } from '../../../streams/organisation/rendering/render.ts'
import { defaultChoice, visibleSignature } from '../../../streams/organisation/rules/rules.ts'
import { allowsCard } from '../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { NOT_FOUND_REFUSAL, type WebServer } from '../../server/webServer.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { CARD_PATH } from '../people/values.ts'
import type { LookupLimit } from './limits.ts'

/**
 * Serves `/card/<id>.<seal>.vcf` by the route `/card/*`. The card contains what the person's default signature shows at
 * that moment. Every path without a card gets the same 404, and paths without a valid seal cause no query.
 */
export function addCards(app: WebServer, lookups: LookupLimit): void {
  /**
   * The card for the default among the person's own signatures; empty for none. Ignores mailboxes' signatures, because
   * the card is the person's.
   */
  function cardOf({ now, publicUrl }: ServiceContext, release: Release, person: PersonState): string {
    if (!person.active || !allowsCard(release, person)) return ''
    const choice = defaultChoice(release, person, now())?.choice
    const owned = choice && visibleSignature(release, person, choice.master, now(), new Map())
    const addresses = renderingAddresses(`${publicUrl()}/images`, person)
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
      // Reads the person even if the release allows no cards, so that the response time does not reveal the reason.
      const person = owner === null ? null : await store.person(owner)
      const release = releases.current()
      const card = person === null || release === null ? '' : cardOf(context, release, person)
      if (card === '') throw NOT_FOUND_REFUSAL
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
