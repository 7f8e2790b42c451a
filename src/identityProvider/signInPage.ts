/** The identity provider's pages: for choosing an account, for a refused request, and after sign-out. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CardContent, cardPage, helpdeskSection, markup } from '../server/cardPage.ts'
import { expectsHtmlPage } from '../server/refusalPage.ts'
import { Refusal } from '../server/webServer.ts'
import { describeAccess, type ProviderAccount } from './accounts.ts'

function sendPage(reply: FastifyReply, card: Omit<CardContent, 'language' | 'program'>): FastifyReply {
  const { headers, body } = cardPage({ language: 'en', program: 'Playground sign-in', ...card })
  return reply.headers(headers).send(body)
}

/** Sends the page for choosing an account. Its form posts `request`, the authorization request's query, to `action`. */
export function sendSignInPage(
  reply: FastifyReply,
  options: Readonly<{
    action: string
    request: string
    accounts: readonly ProviderAccount[]
    /** The origins to which the form's response can redirect. */
    callbackOrigins: readonly string[]
  }>,
): FastifyReply {
  const { action, request, accounts, callbackOrigins } = options
  const choices = accounts.map((account) => {
    const { subject, name, email } = account
    const lines = [email, describeAccess(account)].map((line) => markup`<small>${line}</small>`)
    return markup`<button class="button choice" name="account" value="${subject}">${name}${lines}</button>\n`
  })
  return sendPage(reply, {
    heading: 'Choose an account',
    sentences: ['Sign in to continue to Signet. This page stands in for your organisation’s sign-in page.'],
    below: [
      markup`<form method="post" action="${action}"><input type="hidden" name="request" value="${request}">
${choices}<button class="button" name="cancel" value="1">Cancel</button></form>`,
    ],
    formTargets: ["'self'", ...callbackOrigins],
  })
}

export const sendSignedOutPage = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, { heading: 'You’re signed out', sentences: ['You can close this window.'] })

const INCOMPLETE = [
  'This is no complete sign-in request.',
  'Close this window, and sign in again from Signet.',
]
/** The problem with a refused request and its remedy, by refusal code. */
const REFUSED: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'unknown_client',
    [
      'Signet asked with a client id that this provider does not know.',
      'Start the pages and the provider with the same client id.',
    ],
  ],
  [
    'invalid_redirect_uri',
    [
      'The answer would go to an address that is no page of Signet.',
      'Open Signet at the address that the playground printed, and try again there.',
    ],
  ],
  ['invalid_query', INCOMPLETE],
  ['invalid_body', INCOMPLETE],
])

/** Shows a refusal if a person's browser made the request. Any other error goes to the server's handler. */
export function sendRefusedPage(error: Error, { headers }: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof Refusal) || !expectsHtmlPage(headers)) throw error
  const { status, code, message } = error
  const sentences = REFUSED.get(code)
  if (sentences === undefined) throw error
  sendPage(reply.code(status), {
    heading: 'This was refused',
    sentences,
    below: [helpdeskSection('For developers', [`${String(status)} ${code}`, message])],
  })
}
