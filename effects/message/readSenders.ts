import { EMPTY, expand, forkJoin, map, type Observable, of, reduce, take } from 'rxjs'
import type { SendersQuery } from '../../streams/message/senders/reading.ts'
import { toSenders } from '../../streams/message/senders/rules.ts'
import type { Senders } from '../../streams/message/senders/senders.ts'
import type { ListedSignature, SignaturePage } from '../../streams/wire/signatures.ts'
import type { Api } from '../ports.ts'

/** Objects on one page; a service may send fewer. */
const PER_PAGE = 50
/** Requests for each of the two lists. */
const MOST_REQUESTS = 10

/** All objects of a list, read page after page until the total that the service gives. */
const allOf = (
  request: (page: number) => Observable<SignaturePage>,
): Observable<readonly ListedSignature[]> => {
  const read = (page: number, before: readonly ListedSignature[]) =>
    request(page).pipe(
      take(1),
      map(({ objects, total }) => {
        const all = [...before, ...objects]
        return { page, objects, all, isLast: objects.length === 0 || all.length >= total }
      }),
    )
  return read(1, []).pipe(
    expand(({ page, all, isLast }) => (isLast || page >= MOST_REQUESTS ? EMPTY : read(page + 1, all))),
    reduce<{ all: readonly ListedSignature[] }, readonly ListedSignature[]>((_, { all }) => all, []),
  )
}

/** Reads the signatures that a message may be due instead of the default, from both lists, with their images. */
export const readSenders = (
  api: Pick<Api, 'signatures' | 'delegatedSignatures'>,
  query: SendersQuery & Readonly<{ at: number }>,
): Observable<Senders> =>
  forkJoin([
    allOf((page) => api.signatures({ page, withImages: true, perPage: PER_PAGE })),
    query.delegations.length === 0
      ? of([])
      : allOf((page) =>
          api.delegatedSignatures({ userIds: query.delegations, page, withImages: true, perPage: PER_PAGE }),
        ),
  ]).pipe(map(([own, delegated]) => toSenders([...own, ...delegated], query)))
