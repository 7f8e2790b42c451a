// What rxjs takes from tslib, to read async iterables and streams of bytes. It is bundled with rxjs wherever that is, and
// tslib's own functions for it are three times as large. `alias` in package.json puts this file in its place.

/** The iterator of an async iterable. */
export const __asyncValues = (iterable) => iterable[Symbol.asyncIterator]()

/** Goes on with a generator, `method` being `next` or `throw`; `settle` gets each thing that it yields or returns. */
const go = (steps, method, given, settle) => {
  const { done, value } = steps[method](given)
  return settle(done, value, (promise) =>
    Promise.resolve(promise).then(
      (next) => go(steps, 'next', next, settle),
      (error) => go(steps, 'throw', error, settle),
    ),
  )
}

/** Runs a generator that yields promises; resolves with what it returns. */
export const __awaiter = (self, _arguments, _promise, body) =>
  new Promise((resolve) => {
    resolve(go(body.call(self), 'next', undefined, (done, value, wait) => (done ? value : wait(value))))
  })

export function __await(value) {
  return this instanceof __await ? Object.assign(this, { value }) : new __await(value)
}

/** Makes an async iterator of a generator that yields values, and promises in `__await`. One step at a time. */
export const __asyncGenerator = (self, args, body) => {
  const steps = body.apply(self, args)
  const step = (method) => (given) =>
    new Promise((resolve) => {
      resolve(
        go(steps, method, given, (done, value, wait) =>
          value instanceof __await ? wait(value.value) : { done, value },
        ),
      )
    })
  return {
    next: step('next'),
    throw: step('throw'),
    return: step('return'),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
