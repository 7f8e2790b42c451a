/**
 * Runs the identity provider as a process.
 *
 * node src/programs/run.mjs src/identityProvider/main.ts --port 4402 --client-id <id> --origin <page origin> [--origin
 * <another>] [--audience api://signet] [--issuer-url <address in the tokens>] [--layout plain|entra] [--control]
 */
import { parseArgs } from 'node:util'
import { originOption, portOption, runServer, UsageError } from '../server/serverProcess.ts'
import { createIdentityProvider } from './identityProvider.ts'

await runServer(() => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4402' },
      origin: { type: 'string', multiple: true },
      'issuer-url': { type: 'string' },
      'client-id': { type: 'string' },
      audience: { type: 'string', default: 'api://signet' },
      layout: { type: 'string', default: 'plain' },
      control: { type: 'boolean', default: false },
    },
  })
  const { origin, 'client-id': clientId, 'issuer-url': issuerUrl } = values
  if (origin === undefined || clientId === undefined) {
    throw new UsageError('--client-id <id> and --origin <page origin> are needed.')
  }
  const { layout } = values
  if (layout !== 'plain' && layout !== 'entra')
    throw new UsageError(`--layout ${layout} is not plain or entra.`)
  return createIdentityProvider({
    port: portOption(values.port),
    origins: origin.map(originOption),
    ...(issuerUrl === undefined ? {} : { issuerUrl }),
    clientId,
    audience: values.audience,
    layout,
    control: values.control,
  })
})
