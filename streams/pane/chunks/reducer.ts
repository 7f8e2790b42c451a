import type { Router } from '../router/events.ts'
import type { Chunks } from './events.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type PageName, routeAt } from '../router/routes.ts'

/** `pending` shows nothing, `slow` the loading page, `timedOut` the timeout page. `asked` is the `seq` of the visit. */
export type ChunkState =
  Readonly<{ status: 'pending' | 'slow'; asked: number }> | Readonly<{ status: 'loaded' | 'timedOut' }>

/** A page that was never visited has no entry. */
export type ChunksState = Readonly<Partial<Record<PageName, ChunkState>>>

export const chunks = defineSlice<ChunksState, typeof Chunks | typeof Router>()(
  {},
  {
    'router/navigated': (state, { data: { path }, meta }) => {
      const page = routeAt(path)?.page ?? null
      if (page === null) return state
      const isNeeded = state[page] === undefined || state[page].status === 'timedOut'
      return isNeeded ? { ...state, [page]: { status: 'pending', asked: meta.seq } } : state
    },
    'chunks/loaded': (state, { data: { page } }) =>
      state[page]?.status === 'loaded' ? state : { ...state, [page]: { status: 'loaded' } },
    'chunks/slow': (state, { data: { page } }) => {
      const chunk = state[page]
      return chunk?.status === 'pending' ? { ...state, [page]: { ...chunk, status: 'slow' } } : state
    },
    'chunks/timedOut': (state, { data: { page } }) => {
      const status = state[page]?.status
      return status === 'loaded' || status === 'timedOut'
        ? state
        : { ...state, [page]: { status: 'timedOut' } }
    },
  },
)
