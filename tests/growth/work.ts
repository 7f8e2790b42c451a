import { isLinear } from './expressions.ts'

// Counts work instead of time: the same on every machine. Calls and turns of loops are counted where the code was
// prepared (`counting.ts`); here is what the language does by itself with texts, lists and regular expressions.

const work = {
  steps: 0,
  /** Counts what is copied, and answers it. */
  copied<Value>(value: Value): Value {
    if (typeof value === 'string' || Array.isArray(value)) work.steps += value.length
    else if (value instanceof Set || value instanceof Map) work.steps += value.size
    else if (typeof value === 'object' && value !== null) work.steps += Object.keys(value).length
    return value
  },
}
Object.assign(globalThis, { __work: work })

type Method = (this: unknown, ...args: unknown[]) => unknown
type Cost = (self: unknown, args: readonly unknown[], result: unknown) => number

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : 0
const ofSelf: Cost = (self) => lengthOf(self)
const ofResult: Cost = (_, __, result) => lengthOf(result)
const ofBoth: Cost = (self, _, result) => lengthOf(self) + lengthOf(result)
const ofArgument: Cost = (_, [first]) =>
  typeof first === 'object' && first !== null ? Object.keys(first).length : lengthOf(first)
const untilFound: Cost = (self, [, from], result) =>
  Math.abs((Number(result) < 0 ? lengthOf(self) : Number(result)) - Number(from ?? 0))
const untilFoundBackwards: Cost = (self, _, result) => lengthOf(self) - Math.max(0, Number(result))

/** What the methods cost that read more than one character or entry. Those that call a function are counted by it. */
const COSTS: readonly (readonly [target: object, costs: Readonly<Record<string, Cost>>])[] = [
  [
    String.prototype,
    {
      indexOf: untilFound,
      lastIndexOf: untilFoundBackwards,
      includes: (self, [part, from]) => {
        const at = String(self).indexOf(String(part), Number(from ?? 0))
        return (at < 0 ? lengthOf(self) : at) - Number(from ?? 0)
      },
      startsWith: ofArgument,
      endsWith: ofArgument,
      toLowerCase: ofSelf,
      toUpperCase: ofSelf,
      normalize: ofSelf,
      isWellFormed: ofSelf,
      toWellFormed: ofSelf,
      trim: (self, _, result) => lengthOf(self) - lengthOf(result),
      trimStart: (self, _, result) => lengthOf(self) - lengthOf(result),
      trimEnd: (self, _, result) => lengthOf(self) - lengthOf(result),
      repeat: ofResult,
      padStart: ofResult,
      padEnd: ofResult,
      // A regular expression is counted where it searches.
      replace: (self, [part], result) =>
        (typeof part === 'string' ? lengthOf(self) : 0) + (result === self ? 0 : lengthOf(result)),
      replaceAll: (self, [part], result) =>
        (typeof part === 'string' ? lengthOf(self) : 0) + (result === self ? 0 : lengthOf(result)),
      split: ofBoth,
    },
  ],
  [
    Array.prototype,
    {
      indexOf: untilFound,
      lastIndexOf: untilFoundBackwards,
      includes: (self, [entry]) => {
        const at = (self as unknown[]).indexOf(entry)
        return at < 0 ? lengthOf(self) : at
      },
      join: ofBoth,
      concat: ofResult,
      slice: ofResult,
      splice: ofSelf,
      shift: ofSelf,
      unshift: ofSelf,
      reverse: ofSelf,
      toReversed: ofSelf,
      flat: ofResult,
      fill: ofSelf,
      sort: ofSelf,
      toSorted: ofSelf,
    },
  ],
  [Array, { from: ofResult }],
  [
    Object,
    { keys: ofResult, values: ofResult, entries: ofResult, fromEntries: ofArgument, assign: ofArgument },
  ],
  [JSON, { parse: ofArgument, stringify: ofResult }],
  [
    globalThis,
    {
      atob: ofArgument,
      btoa: ofArgument,
      decodeURIComponent: ofArgument,
      encodeURIComponent: ofArgument,
      structuredClone: ofArgument,
    },
  ],
]

/** Whether what is called is part of the work; the counter itself is not. */
let isCounting = false

function uncounted<Value>(run: () => Value): Value {
  isCounting = false
  try {
    return run()
  } finally {
    isCounting = true
  }
}

const { value: nativeExec } = Object.getOwnPropertyDescriptor(RegExp.prototype, 'exec') as {
  value: (this: RegExp, text: string) => RegExpExecArray | null
}

/**
 * Counts a regular expression by the characters from where it begins to the end of what it finds; to the end of the text
 * when it finds nothing and has searched. So much it reads if it is linear, which `isLinear` says.
 */
function countedExec(this: RegExp, text: string): RegExpExecArray | null {
  const from = this.global || this.sticky ? this.lastIndex : 0
  const found = nativeExec.call(this, text)
  if (isCounting)
    work.steps += uncounted(() => {
      if (!isLinear(this)) throw new Error(`${String(this)} is not linear.`)
      const end = found ? found.index + found[0].length : this.sticky ? from : text.length
      return 1 + end - from
    })
  return found
}

/** Puts the counting methods in the place of the native ones. Returns what undoes it. */
function countNatives(): () => void {
  const undo: (() => void)[] = []
  const replace = (target: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(target, name)
    if (!before) throw new Error(`There is no ${name} to count.`)
    Object.defineProperty(target, name, { ...before, value })
    undo.push(() => Object.defineProperty(target, name, before))
  }
  for (const [target, costs] of COSTS)
    for (const [name, cost] of Object.entries(costs)) {
      const native = (target as Readonly<Record<string, Method>>)[name]!
      replace(target, name, function (this: unknown, ...args: unknown[]): unknown {
        const result = native.apply(this, args)
        if (isCounting) work.steps += 1 + uncounted(() => cost(this, args, result))
        return result
      })
    }
  replace(RegExp.prototype, 'exec', countedExec)
  return () => {
    for (const each of undo) each()
  }
}

/** How many steps `run` takes. */
export function stepsOf(run: () => unknown): number {
  const undo = countNatives()
  work.steps = 0
  isCounting = true
  try {
    run()
  } finally {
    isCounting = false
    undo()
  }
  return work.steps
}

/** How many times as many steps `run` takes for an input of twice the length. */
export function growthOf<Input>(
  make: (length: number) => Input,
  run: (input: Input) => unknown,
  length: number,
): number {
  const [once = 0, twice = 0] = [length, 2 * length].map((each) => {
    const input = make(each)
    // What is kept from the first call is not counted.
    run(input)
    return stepsOf(() => run(input))
  })
  return twice / once
}
