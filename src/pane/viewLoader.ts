import type { ComponentType } from 'react'
import { defer, from, map, type Observable, of } from 'rxjs'
import type { ViewLoader } from '../../effects/ports.ts'
import type { ViewName } from '../../streams/router/routes.ts'
import type { LoadChunk } from '../engine/adapters/chunks.ts'

type Chunk = Readonly<{ View: ComponentType }>

/** Each of these views is a chunk of its own. The paths are literal, so that the bundler finds them. */
const chunks = (chunk: LoadChunk): Readonly<Partial<Record<ViewName, () => Promise<Chunk>>>> => ({
  about: chunk(() => import('../../views/pages/About.tsx')),
  selfTest: chunk(() => import('../../views/pages/SelfTest.tsx')),
  settings: chunk(() => import('../../views/pages/Settings.tsx')),
  variables: chunk(() => import('../../views/pages/Variables.tsx')),
})

/** Loads views, and gives the loaded ones. Views in the entry need no loading. */
export function createViewLoader(
  loadChunk: LoadChunk,
): ViewLoader & Readonly<{ viewOf(view: ViewName): ComponentType | null }> {
  const load = chunks(loadChunk)
  const views = new Map<ViewName, ComponentType>()
  return {
    load: (view): Observable<void> => {
      const chunk = load[view]
      return chunk
        ? defer(() => from(chunk())).pipe(
            map(({ View }) => {
              views.set(view, View)
            }),
          )
        : of(undefined)
    },
    viewOf: (view) => views.get(view) ?? null,
  }
}
