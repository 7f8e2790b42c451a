// Prints an access token of Microsoft Entra for Signet, for a pipeline that signs in with the token of its own platform.
// There is no stored secret: Entra trusts the platform for this repository (docs/pipelines/README.md).
//
//     SIGNET_TOKEN="$(node pipelines/token.mjs)"; export SIGNET_TOKEN
//
// ENTRA_TENANT, ENTRA_CLIENT   the directory, and the registration of the pipeline
// ENTRA_SCOPE                  the application ID URI of Signet, with /.default behind it
// ENTRA_ASSERTION              the token of GitLab; GitHub is asked for one
// ENTRA_AUTHORITY              of another cloud; default: https://login.microsoftonline.com

const AUDIENCE = 'api://AzureADTokenExchange'
const {
  ENTRA_AUTHORITY = 'https://login.microsoftonline.com',
  ENTRA_ASSERTION,
  ACTIONS_ID_TOKEN_REQUEST_URL,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN,
} = process.env

function stop(message) {
  console.error(message)
  process.exit(1)
}

const needed = (name) => process.env[name] || stop(`${name} is missing.`)

/** The JSON of an answer. */
async function asked(what, address, request) {
  const response = await fetch(address, { ...request, signal: AbortSignal.timeout(30_000) }).catch((error) =>
    stop(`${what} cannot be reached: ${error.message}`),
  )
  const body = await response.json().catch(() => ({}))
  if (!response.ok)
    stop(`${what} answers with status ${response.status}: ${body.error_description ?? body.message ?? ''}`)
  return body
}

async function assertionOfGitHub() {
  if (!ACTIONS_ID_TOKEN_REQUEST_URL || !ACTIONS_ID_TOKEN_REQUEST_TOKEN)
    stop(
      'There is no token of the platform: "permissions: { id-token: write }" in GitHub, "id_tokens" in GitLab.',
    )
  const { value } = await asked(
    'GitHub',
    `${ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${encodeURIComponent(AUDIENCE)}`,
    {
      headers: { Authorization: `Bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
    },
  )
  return value
}

const [tenant, client, scope] = ['ENTRA_TENANT', 'ENTRA_CLIENT', 'ENTRA_SCOPE'].map(needed)
const { access_token: token } = await asked('Entra', `${ENTRA_AUTHORITY}/${tenant}/oauth2/v2.0/token`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    scope,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: ENTRA_ASSERTION || (await assertionOfGitHub()),
  }),
})
console.log(token)
