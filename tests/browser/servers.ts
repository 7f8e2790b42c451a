import { inject } from 'vitest'

/** Addresses of a running playground, without a slash at the end. */
export type Servers = Readonly<{ pages: string; service: string; identityProvider: string }>

declare module 'vitest' {
  /** One playground for each worker: what a test does to its servers disturbs no other. */
  interface ProvidedContext {
    servers: readonly Servers[]
  }
}

/** The playground of this worker. */
export function servers(): Servers {
  const found = inject('servers')[Number(process.env['VITEST_POOL_ID']) - 1]
  if (!found) throw new Error('There are more workers than playgrounds')
  return found
}
