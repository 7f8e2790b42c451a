import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { ESLint } from 'eslint'
import { afterAll, describe, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '..', '..')

describe('the layers', () => {
  const rulesFile = join(PROJECT, '.dependency-cruiser.cjs')

  /** A small house as it should be. `start.ts` is named by package.json, so it is where running begins. */
  const right = {
    'src/playground/start.ts': [
      "import { evolve } from '../../streams/app/reducer.ts'",
      "import { card } from '../../views/card.ts'",
      "import { load } from '../../effects/mailbox.ts'",
      "import { answer } from '../service/answer.ts'",
      "import { issue } from '../identity-provider/issue.ts'",
      "import { model } from '../mailbox/model.ts'",
      'export const pane = [evolve, card, load, answer, issue, model]',
    ],
    'src/service/answer.ts': ["import { decodeJwt } from 'jose'", 'export const answer = decodeJwt'],
    'src/identity-provider/issue.ts': [
      "import { answer } from '../service/answer.ts'",
      'export const issue = answer',
    ],
    'src/mailbox/model.ts': ["import { of } from '../../streams/kernel/of.ts'", 'export const model = of'],
    'streams/kernel/of.ts': ["export { of } from 'rxjs'"],
    'streams/app/events.ts': ["export type { Item } from '../mailbox/events.ts'"],
    'streams/app/reducer.ts': [
      "import { evolveMailbox } from '../mailbox/reducer.ts'",
      "import { evolveProfile } from '../profile/reducer.ts'",
      'export const evolve = [evolveMailbox, evolveProfile]',
    ],
    'streams/mailbox/events.ts': ['export type Item = string'],
    'streams/mailbox/reducer.ts': [
      "import type { Item } from '../app/events.ts'",
      'export const evolveMailbox = (item: Item) => item',
    ],
    'streams/profile/reducer.ts': [
      "import type { Item } from '../mailbox/events.ts'",
      'export const evolveProfile = (item: Item) => item',
    ],
    'views/card.ts': ["import { useMemo } from 'react'", 'export const card = useMemo'],
    'effects/mailbox.ts': ["import { of } from '../streams/kernel/of.ts'", 'export const load = of'],
    'tests/expected.ts': ["import { card } from '../views/card.ts'", 'export const expected = card'],
  }
  /** The same house with one more import, or one more file, for each rule. */
  const wrong = {
    ...right,
    'src/service/answer.ts': [
      ...right['src/service/answer.ts'],
      "export { of } from '../../streams/kernel/of.ts'",
    ],
    'src/identity-provider/issue.ts': [
      ...right['src/identity-provider/issue.ts'],
      "export { of } from '../../streams/kernel/of.ts'",
    ],
    'src/mailbox/model.ts': [
      ...right['src/mailbox/model.ts'],
      "export { evolve } from '../../streams/app/reducer.ts'",
    ],
    'streams/kernel/of.ts': [
      "export type { Item } from '../mailbox/events.ts'",
      "export { useMemo } from 'react'",
      ...right['streams/kernel/of.ts'],
    ],
    'streams/mailbox/events.ts': [
      "export type { later } from '../app/events.ts'",
      ...right['streams/mailbox/events.ts'],
    ],
    'streams/profile/reducer.ts': [
      "export { evolveMailbox } from '../mailbox/reducer.ts'",
      ...right['streams/profile/reducer.ts'],
    ],
    'views/card.ts': [
      "export { load } from '../effects/mailbox.ts'",
      "export { decodeJwt } from 'jose'",
      "export { atom } from 'fast-check'",
      ...right['views/card.ts'],
    ],
    'effects/mailbox.ts': [
      "export { pane } from '../src/playground/start.ts'",
      "export { expected } from '../tests/expected.ts'",
      "export { gone } from './gone.ts'",
      "export { helpers } from './helpers.ts'",
      ...right['effects/mailbox.ts'],
    ],
    'effects/helpers.ts': ['export const helpers = 1'],
    'effects/forgotten.ts': ["export { of } from '../streams/kernel/of.ts'"],
  }

  const folders: string[] = []
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

  /** What the project's own rules find in a house, as `rule: from → to`. */
  async function violations(house: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'signet-layers-'))
    folders.push(folder)
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    const files = {
      'package.json': [
        JSON.stringify({ dependencies: { rxjs: '*', react: '*' }, devDependencies: { jose: '*' } }),
      ],
      ...house,
    }
    for (const [path, lines] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), lines.join('\n'))
    }
    const options = await extractDepcruiseOptions(rulesFile)
    const { output } = await cruise(['src', 'streams', 'effects', 'views', 'tests'], {
      ...options,
      baseDir: folder,
    })
    if (typeof output === 'string') throw new TypeError('The cruise gave a text.')
    return output.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`)
  }

  test('a house as it should be passes', async () => {
    expect(await violations(right)).toEqual([])
  })

  test('each rule finds the file that breaks it, and no other', async () => {
    const found = await violations(wrong)
    expect([...new Set(found)]).toEqual([
      'declared: views/card.ts',
      'effects-know-ports: effects/mailbox.ts',
      'found: effects/mailbox.ts',
      'identity-provider-stands-alone: src/identity-provider/issue.ts',
      'kernel-knows-no-domain: streams/kernel/of.ts',
      'mailbox-stands-alone: src/mailbox/model.ts',
      'named-by-the-domain: effects/mailbox.ts',
      'no-cycles: effects/mailbox.ts',
      'no-cycles: src/playground/start.ts',
      'no-cycles: streams/app/events.ts',
      'no-orphans: effects/forgotten.ts',
      'nobody-imports-tests: effects/mailbox.ts',
      'nobody-ships-tools: views/card.ts',
      'reducers-do-not-meet: streams/profile/reducer.ts',
      'service-stands-alone: src/service/answer.ts',
      'streams-are-pure: streams/kernel/of.ts',
      'views-draw: views/card.ts',
    ])
    const { ruleSet } = await extractDepcruiseOptions(rulesFile)
    expect(new Set(found.map((violation) => violation.split(':')[0]))).toEqual(
      new Set(ruleSet?.forbidden?.map(({ name }) => name)),
    )
  })
})

describe('the linter', () => {
  const eslint = new ESLint({ cwd: PROJECT })

  /** The rules that the code breaks when it stands in this file of the project; what it leaves unused aside. */
  async function broken(path: string, code: string): Promise<readonly string[]> {
    const [result] = await eslint.lintText(code, { filePath: join(PROJECT, path) })
    const rules = result?.messages.map(({ ruleId, message }) => ruleId ?? message) ?? []
    return rules.filter((rule) => rule !== '@typescript-eslint/no-unused-vars')
  }

  // The code stands in for a file that exists, because the types are looked up in the project.
  const reducer = 'streams/mailbox/reducer.ts'
  const ports = 'effects/ports.ts'
  const adapter = 'src/playground/launch.ts'
  const testFile = 'tests/checks/layers.test.ts'

  const evolve = (fallback: string) => `
    import type { Recorded } from '../kernel/event.ts'
    import { assertNever } from '../kernel/event.ts'
    import type { MailboxEvent } from './events.ts'
    export function evolve(state: string, event: Recorded<MailboxEvent>): string {
      switch (event.type) {
        case 'mailbox/itemChanged':
          return event.data.item?.key ?? state
        ${fallback}
      }
    }`
  const onlyStore = "import { of } from 'rxjs'\nof(1).subscribe({ error: () => undefined })"
  const ticking = "import { timer } from 'rxjs'\nexport const tick$ = timer(1)"
  const effect = (pipe: string) => `
    import type { Observable } from 'rxjs'
    import { catchError, concatMap, of, switchMap, take, takeUntil } from 'rxjs'
    import { data, defineEvents, type EventOf, ofType, type Recorded } from '../streams/kernel/event.ts'
    import { settle } from '../streams/kernel/settle.ts'
    const Notes = defineEvents('notes', { saveRequested: data(), listRequested: data(), done: data() })
    const answer = settle(() => Notes.done(), () => Notes.done())
    export const keep = (
      event$: Observable<Recorded<EventOf<typeof Notes>>>,
      call: () => Observable<string>,
      stop$: Observable<void>,
    ): Observable<EventOf<typeof Notes>> => event$.pipe(${pipe})`

  test.each([
    ['a clock in a reducer', reducer, 'export const at = () => Date.now()', 'no-restricted-syntax'],
    ['the date of now in a reducer', reducer, 'export const at = () => new Date()', 'no-restricted-syntax'],
    ['chance in a reducer', reducer, 'export const id = () => Math.random()', 'no-restricted-syntax'],
    [
      'an event that a reducer hides behind its default',
      reducer,
      evolve('default: return state'),
      '@typescript-eslint/switch-exhaustiveness-check',
    ],
    ['a promise in an effect', ports, 'export const load = async () => 1', 'no-restricted-syntax'],
    ['a timer of the environment', ports, 'export const wait: unknown = setTimeout', 'no-restricted-globals'],
    ['a timer of rxjs in an effect', ports, ticking, '@typescript-eslint/no-restricted-imports'],
    ['a timer of rxjs in an adapter', adapter, ticking, '@typescript-eslint/no-restricted-imports'],
    ['an effect that subscribes', ports, onlyStore, 'no-restricted-syntax'],
    [
      'a stream without $',
      ports,
      "import { of } from 'rxjs'\nexport const tick = of(1)",
      'signet/dollar-marks-streams',
    ],
    [
      'a function with $',
      ports,
      "import { of } from 'rxjs'\nexport const tick$ = () => of(1)",
      'signet/dollar-marks-streams',
    ],
    ['a default export', ports, 'export default 1', 'no-restricted-syntax'],
    [
      'a write that the next one cancels',
      ports,
      effect('ofType(Notes.saveRequested), switchMap(() => call().pipe(answer))'),
      'rxjs-x/no-unsafe-switchmap',
    ],
    [
      'an error that ends the effect',
      ports,
      effect('concatMap(() => call().pipe(answer)), catchError(() => of(Notes.done()))'),
      'rxjs-x/no-unsafe-catch',
    ],
    [
      'an effect that ends after one event',
      ports,
      effect('take(1), concatMap(() => call().pipe(answer))'),
      'rxjs-x/no-unsafe-first',
    ],
    [
      'a stream that outlives its takeUntil',
      ports,
      effect('takeUntil(stop$), concatMap(() => call().pipe(answer))'),
      'rxjs-x/no-unsafe-takeuntil',
    ],
    [
      'a test that is the only one to run',
      testFile,
      "import { test } from 'vitest'\ntest.only('it', () => undefined)",
      'no-restricted-syntax',
    ],
  ])('finds %s', async (_, path, code, rule) => {
    expect(await broken(path, code)).toEqual([rule])
  })

  test('an inline exception changes nothing', async () => {
    const code = '// eslint-disable-next-line eqeqeq\nexport const same = (a: number, b: number) => a == b'
    expect(await broken(ports, code)).toContain('eqeqeq')
  })

  test.each([
    ['a date made from the time of an event', reducer, 'export const day = (at: number) => new Date(at)'],
    [
      'a reducer that names every event',
      reducer,
      evolve(`
        case 'mailbox/userRead':
        case 'mailbox/themeChanged':
        case 'mailbox/messageRead':
        case 'mailbox/senderChanged':
        case 'mailbox/bodyTypeChanged':
        case 'mailbox/recipientsChanged':
          return state
        default:
          return assertNever(event)`),
    ],
    [
      'a write that waits for the one before',
      ports,
      effect('ofType(Notes.saveRequested), concatMap(() => call().pipe(answer))'),
    ],
    [
      'a read that the next one cancels',
      ports,
      effect('ofType(Notes.listRequested), switchMap(() => call().pipe(answer))'),
    ],
    [
      'a stream with $ and its maker without',
      ports,
      "import { of } from 'rxjs'\nexport const tick = () => of(1)\nexport const tick$ = tick()",
    ],
    ['a timer of rxjs in a test', testFile, ticking],
  ])('lets %s pass', async (_, path, code) => {
    expect(await broken(path, code)).toEqual([])
  })
})
