/** Where the callback page tells, to every page of its origin, that an answer came back to it. */
export const ANSWERS = 'signet.answers'

/** What it tells: the name of its window, which the page that opened it knows, and the state of the answer, if any. */
export type Answered = Readonly<{ window: string; state: string | null }>

/** The fields of an identity provider's answer in an address; null when the address carries none. A route of the pane is none. */
export function answerIn({
  hash,
  search,
}: Readonly<{ hash: string; search: string }>): URLSearchParams | null {
  const isRoute = hash === '' || hash.startsWith('#/')
  const fields = new URLSearchParams(isRoute ? search : hash.slice(1))
  return ['state', 'code', 'error'].some((name) => fields.has(name)) ? fields : null
}
