import { createCallSharing } from '../../../streams/kernel/shareInFlight.ts'
import { Window } from 'happy-dom'
import { firstValueFrom, of, VirtualTimeScheduler } from 'rxjs'
import type { Api } from '../../../effects/ports.ts'
import { createApi } from '../../../src/engine/adapters/api.ts'
import { createHttp } from '../../../src/engine/adapters/http.ts'
import { createSecret, revealSecret, type Secret } from '../../../streams/kernel/secret.ts'
import { PAGE_ORIGIN, type Running } from '../running.ts'

/** The service's calls as the pane makes them, over a browser's XMLHttpRequest. They time out on virtual time only. */
export type Caller = Readonly<{
  api: Api
  /** Signs in with a token of the identity provider. */
  signIn: (email: string) => Promise<void>
  token: () => Secret | null
  close: () => Promise<void>
}>

export function createCaller(
  running: Pick<Running, 'url' | 'mailClientToken'>,
  scheduler = new VirtualTimeScheduler(),
): Caller {
  const page = new Window({ url: `${PAGE_ORIGIN}/pane.html` })
  let token: Secret | null = null
  const api = createApi(
    createHttp({
      sharing: createCallSharing(),
      baseUrl: running.url,
      version: '0.1.0',
      token: () => of(token),
      renewToken: null,
      language: () => 'en',
      time: { scheduler },
      createXhr: () => new page.XMLHttpRequest() as unknown as XMLHttpRequest,
    }),
  )
  return {
    api,
    token: () => token,
    async signIn(email) {
      const accessToken = createSecret(await running.mailClientToken(email))
      const { session } = await firstValueFrom(api.verify({ accessToken, email }))
      token = createSecret(revealSecret(session.token) ?? '')
    },
    close: () => page.happyDOM.close(),
  }
}
