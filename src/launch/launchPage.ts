import { asyncScheduler, map, type Observable } from 'rxjs'
import { Failed } from '../../streams/kernel/failure.ts'
import { revealSecret } from '../../streams/kernel/secret.ts'
import { browserPage, createChunkLoader } from '../engine/adapters/chunks.ts'
import { createLog } from '../engine/adapters/log.ts'
import { createSanitizerLoader } from '../engine/adapters/sanitizerChunk.ts'
import { createStorage } from '../engine/adapters/storage.ts'
import { config } from '../engine/config.ts'
import { createNestedSignIn } from '../engine/signIn/officeIdentity.ts'
import type { LaunchGlobal, PageParts } from './launchGlobal.ts'

// The last script of launch.html. It provides launch-guard.js with the parts that need a page. launch-guard.js also
// works without them.

declare const signetLaunch: LaunchGlobal | undefined

const time = { scheduler: asyncScheduler }
const log = createLog(() => (config.stage.production ? 'error' : 'trace'))
const { kept } = createStorage({ log, time })
const nested = createNestedSignIn({ page: window, signIn: config.signIn, time, log })
const promise = <T>(value$: Observable<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    value$.subscribe({ next: resolve, error: reject })
  })

const parts: PageParts = {
  kept: {
    get: (key) => promise(kept.get(key)),
    set: (key, value) => promise(kept.set(key, value)),
    remove: (key) => promise(kept.remove(key)),
  },
  accessToken: (loginHint) => {
    if (!nested.isOffered()) return Promise.reject(new Failed({ kind: 'auth', code: 'host_13000' }))
    return promise(
      nested
        .signIn({
          allowConsentPrompt: false,
          silent: true,
          ...(loginHint === undefined ? {} : { loginHint }),
        })
        .pipe(map(({ token }) => revealSecret(token) ?? '')),
    )
  },
  sanitizer: createSanitizerLoader(time, createChunkLoader(browserPage)),
}
if (typeof signetLaunch !== 'undefined') {
  signetLaunch.parts = parts
  for (const tell of signetLaunch.onParts.splice(0)) tell()
}
