import { Observable, type Subscriber } from 'rxjs'

type Typed = Readonly<{ type: string }>

/** A stream of events. A listener that subscribes to some types has no cost for events of other types. */
export type EventStream<E> = Observable<E> & {
  /** The events of these types, in the order of the stream. */
  ofTypes(types: ReadonlySet<string>): Observable<E>
}

export const isEventStream = <E>(event$: Observable<E>): event$ is EventStream<E> => 'ofTypes' in event$

/** Creates an event stream and its source. Listeners get the same events and order as from a filtered `Subject`. */
export function createEventStream<E extends Typed>() {
  // Listeners are called in the order of their subscription. The lists are replaced, never changed: an event reaches
  // exactly those listeners that were subscribed when it came.
  const listeners = new Set<Subscriber<E>>()
  let ofEveryType: readonly Subscriber<E>[] = []
  const byType = new Map<string, readonly Subscriber<E>[]>()
  let isComplete = false

  const change = (
    types: ReadonlySet<string> | null,
    by: (route: readonly Subscriber<E>[]) => readonly Subscriber<E>[],
  ) => {
    for (const type of types ?? byType.keys()) byType.set(type, by(byType.get(type) ?? ofEveryType))
    if (types === null) ofEveryType = by(ofEveryType)
  }
  /** The events of these types; with null, the events of every type. */
  const ofTypes = (types: ReadonlySet<string> | null) =>
    new Observable<E>((listener) => {
      if (isComplete) {
        listener.complete()
        return
      }
      listeners.add(listener)
      change(types, (route) => [...route, listener])
      return () => {
        listeners.delete(listener)
        change(types, (route) => route.filter((each) => each !== listener))
      }
    })

  return {
    event$: Object.assign(ofTypes(null), { ofTypes }) as EventStream<E>,
    next(event: E) {
      for (const listener of byType.get(event.type) ?? ofEveryType) listener.next(event)
    },
    complete() {
      isComplete = true
      for (const listener of listeners) listener.complete()
    },
  }
}
