/**
 * The demonstration as a process.
 *
 *     node src/programs/run.mjs src/service/demonstration/main.ts --port 4401 --data <folder>
 *         --origin <page origin> --issuer <identity provider> [--origin <another>]
 *         [--tenant <id>] [--audience api://signet] [--colleagues] [--reset] [--control]
 */
import { parseArgs } from 'node:util'
import { originOption, portOption, runServer, UsageError } from '../../server/serverProcess.ts'
import { DEFAULT_AUDIENCE, startDemonstration } from './demonstration.ts'

await runServer(() => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4401' },
      data: { type: 'string' },
      origin: { type: 'string', multiple: true },
      issuer: { type: 'string' },
      tenant: { type: 'string', multiple: true, default: [] },
      audience: { type: 'string', multiple: true, default: [DEFAULT_AUDIENCE] },
      colleagues: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      control: { type: 'boolean', default: false },
    },
  })
  const { data, origin, issuer } = values
  if (data === undefined || origin === undefined || issuer === undefined) {
    throw new UsageError(
      '--data <folder>, --origin <page origin> and --issuer <identity provider> are needed.',
    )
  }
  if (!URL.canParse(issuer.replace('{tenant}', 'common')))
    throw new UsageError(`--issuer ${issuer} is not an address.`)
  return startDemonstration({
    port: portOption(values.port),
    dataFolder: data,
    origins: origin.map(originOption),
    issuer,
    tenants: values.tenant,
    tokenAudiences: values.audience,
    colleagues: values.colleagues,
    reset: values.reset,
    control: values.control,
  })
})
