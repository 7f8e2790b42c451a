/** The two pages of the identity provider: choosing an account, and having signed out. */
import type { Answer } from '../server/webServer.ts'
import type { Account } from './accounts.ts'

const style = `
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

function page(
  title: string,
  content: string,
  headers: Record<string, string>,
  formTargets: readonly string[] = [],
): Answer {
  const forms = formTargets.length > 0 ? formTargets.join(' ') : "'none'"
  return {
    status: 200,
    html: `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style>
<main><h1>${title}</h1>${content}</main></html>\n`,
    headers: {
      ...headers,
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    },
  }
}

/** `request` is the query of the authorization request; the choice sends it on. */
export function signInPage(options: {
  readonly action: string
  readonly request: string
  readonly accounts: readonly Account[]
  /** Where the answer to the form leads in the end: browsers hold the redirection to the policy, too. */
  readonly callbackOrigins: readonly string[]
}): Answer {
  const { action, request, accounts, callbackOrigins } = options
  const choices = accounts.map(
    ({ subject, name, email }) =>
      `<button name="account" value="${escaped(subject)}">${escaped(name)}<small>${escaped(email)}</small></button>`,
  )
  return page(
    'Choose an account',
    `<p>Sign in to continue to Signet. This page stands in for your organisation’s sign-in page.</p>
<form method="post" action="${action}"><input type="hidden" name="request" value="${escaped(request)}">
${choices.join('\n')}
<button name="cancel" value="1">Cancel</button></form>`,
    {},
    ["'self'", ...callbackOrigins],
  )
}

export const farewellPage = (headers: Record<string, string>): Answer =>
  page('You’re signed out', '<p>You can close this window.</p>', headers)
