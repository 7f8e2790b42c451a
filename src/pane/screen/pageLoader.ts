import type { ComponentType } from 'react'
import { defer, from, map, type Observable, of } from 'rxjs'
import type { ChunkLoader } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { PageName } from '../../../streams/pane/router/routes.ts'
import type { LoadChunk } from '../../engine/adapters/chunks.ts'

type Chunk = Readonly<{ View: ComponentType }>

/** Each of these views has its own chunk. The paths are literal, so that the bundler finds them. */
const chunks = (chunk: LoadChunk): Readonly<Partial<Record<PageName, () => Promise<Chunk>>>> => ({
  about: chunk(() => import('../../../views/pane/settings/About.tsx')),
  help: chunk(() => import('../../../views/pane/settings/Help.tsx')),
  selfTest: chunk(() => import('../../../views/pane/settings/SelfTest.tsx')),
  settings: chunk(() => import('../../../views/pane/settings/Settings.tsx')),
  variables: chunk(() => import('../../../views/pane/variables/Variables.tsx')),
})

/** Loads pages, and keeps their views. Pages without their own chunk are in the first chunk. */
export function createPageLoader(
  loadChunk: LoadChunk,
): ChunkLoader & Readonly<{ viewOf(page: PageName): ComponentType | null }> {
  const load = chunks(loadChunk)
  const views = new Map<PageName, ComponentType>()
  return {
    load: (page): Observable<void> => {
      const chunk = load[page]
      return chunk
        ? defer(() =>
            from(
              chunk().catch(() => {
                throw new Failed({ kind: 'notLoaded' })
              }),
            ),
          ).pipe(
            map(({ View }) => {
              views.set(page, View)
            }),
          )
        : of(undefined)
    },
    viewOf: (page) => views.get(page) ?? null,
  }
}
