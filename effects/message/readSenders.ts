import { EMPTY, expand, forkJoin, map, type Observable, of, reduce, take } from 'rxjs'
import type { SendersQuery } from '../../streams/message/senders/reading.ts'
import { toSenders } from '../../streams/message/senders/rules.ts'
import type { Senders } from '../../streams/message/senders/senders.ts'
import type { ListedSignature, SignaturePage } from '../../streams/wire/signatures.ts'
import type { Api } from '../ports.ts'

/** The number of objects requested per page. A service may send fewer. */
const PER_PAGE = 50
/** The maximum number of requests for each of the two lists. */
const MAX_REQUESTS = 10

/** Reads all objects of a list, page by page, up to the total that the service reports. */
const allOf = (
  request: (page: number) => Observable<SignaturePage>,
): Observable<readonly ListedSignature[]> => {
  const read = (page: number, before: number) =>
    request(page).pipe(
      take(1),
      map(({ objects, total }) => ({ page, objects, total, count: before + objects.length })),
    )
  return read(1, 0).pipe(
    expand(({ page, objects, total, count }) =>
      objects.length === 0 || count >= total || page >= MAX_REQUESTS ? EMPTY : read(page + 1, count),
    ),
    map(({ objects }) => objects),
    reduce((all, objects) => [...all, ...objects]),
  )
}

/** Reads the user's own and the delegated signatures that may replace the default in a message, with their images. */
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
