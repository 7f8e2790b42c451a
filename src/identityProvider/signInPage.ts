/** The two pages of the identity provider: to choose an account, and after sign-out. */
import type { FastifyReply } from 'fastify'
import type { ProviderAccount } from './accounts.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 0 auto; max-width: 24rem; padding: 2rem 1.5rem }
  h1 { font-size: 1.25rem; margin: 0 0 .25rem }
  p { margin: 0 0 1.25rem }
  button { display: block; width: 100%; margin: 0 0 .5rem; padding: .75rem 1rem; border: 1px solid; border-radius: 6px;
    background: none; color: inherit; font: inherit; text-align: start; cursor: pointer }
  button:hover, button:focus-visible { outline: 2px solid; outline-offset: 1px }
  small { display: block }
`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function sendPage(
  reply: FastifyReply,
  title: string,
  content: string,
  formTargets: readonly string[] = ["'none'"],
): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${formTargets.join(' ')}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
  }).send(`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style>
<main><h1>${title}</h1>${content}</main></html>\n`)
}

/** `request` is the query of the authorization request, which the form sends to `action`. */
export function sendSignInPage(
  reply: FastifyReply,
  options: Readonly<{
    action: string
    request: string
    accounts: readonly ProviderAccount[]
    /** The origins that the form's response may redirect to, because `form-action` applies to redirects, too. */
    callbackOrigins: readonly string[]
  }>,
): FastifyReply {
  const { action, request, accounts, callbackOrigins } = options
  const choices = accounts.map(
    ({ subject, name, email }) =>
      `<button name="account" value="${escaped(subject)}">${escaped(name)}<small>${escaped(email)}</small></button>`,
  )
  return sendPage(
    reply,
    'Choose an account',
    `<p>Sign in to continue to Signet. This page stands in for your organisation’s sign-in page.</p>
<form method="post" action="${action}"><input type="hidden" name="request" value="${escaped(request)}">
${choices.join('\n')}
<button name="cancel" value="1">Cancel</button></form>`,
    ["'self'", ...callbackOrigins],
  )
}

export const sendSignedOutPage = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, 'You’re signed out', '<p>You can close this window.</p>')
