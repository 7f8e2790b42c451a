import { describe, expect, test } from 'vitest'
import {
  compareVersions,
  featuresAbove,
  floorOf,
  namesInFloor,
  readFloor,
} from '../../src/build/floor/features.ts'
import { featureUsesIn } from '../../src/build/floor/scan.ts'
import { usesInStyleSheet } from '../../src/build/floor/styleSheet.ts'

const floor = floorOf(['chrome 103', 'chrome 102', 'edge 102', 'safari 16.0', 'firefox 153'])
const above = featuresAbove(floor)
const known = namesInFloor(floor)
const foundIn = (...scripts: readonly string[]): readonly string[] =>
  featureUsesIn(
    scripts.map((text, index) => ({ name: `${index}.js`, text })),
    above,
    (name) => known.has(name),
  ).map(({ feature }) => feature.path)

describe('the floor', () => {
  test('is the oldest version of each browser', () => {
    expect(floorOf(['chrome 109', 'chrome 102', 'safari 16.4', 'safari 16.0'])).toEqual({
      chrome: '102',
      safari: '16.0',
    })
    expect(() => floorOf(['and_uc 15.5'])).toThrow('and_uc')
    expect(['16.4', '9', '16.0', '16.10'].sort(compareVersions)).toEqual(['9', '16.0', '16.4', '16.10'])
  })

  test('comes from package.json, with every browser that docs/administrator.md names', () => {
    expect(Object.keys(readFloor()).sort()).toEqual(['chrome', 'edge', 'firefox', 'safari'])
  })
})

describe('a script above the floor', () => {
  test.each([
    ['a static method', 'if (URL.canParse(a)) b()', 'api.URL.canParse_static'],
    ['a static method of the window', 'window.URL.canParse(a)', 'api.URL.canParse_static'],
    ['a builtin', 'Promise.withResolvers()', 'javascript.builtins.Promise.withResolvers'],
    ['a method of any object', 'a.b().toSorted()', 'javascript.builtins.TypedArray.toSorted'],
    ['a method by a string', 'a["toSorted"]()', 'javascript.builtins.TypedArray.toSorted'],
    ['a method by a template', 'a[`toSorted`]()', 'javascript.builtins.TypedArray.toSorted'],
    ['a global', 'requestIdleCallback(a)', 'api.Window.requestIdleCallback'],
    ['an interface', 'new CloseWatcher()', 'api.CloseWatcher'],
    ['a constructor', 'new CSSStyleSheet()', 'api.CSSStyleSheet.CSSStyleSheet'],
    ['a member of the navigator', 'navigator.connection', 'api.Navigator.connection'],
    [
      'a value of an option',
      'createImageBitmap(a,{imageOrientation:"from-image"})',
      'api.createImageBitmap.options_imageOrientation_parameter.from-image',
    ],
    ['an option', 'a.focus({focusVisible:true})', 'api.HTMLElement.focus.options_focusVisible_parameter'],
    ['a lookbehind', '/(?<=a)b/.test(c)', 'javascript.regular_expressions.lookbehind_assertion'],
    ['a lookbehind in a string', 'RegExp("(?<!a)b")', 'javascript.regular_expressions.lookbehind_assertion'],
    [
      'a lookbehind in a template',
      'RegExp(`(?<!${a})b`)',
      'javascript.regular_expressions.lookbehind_assertion',
    ],
    ['a flag', '/a/v', 'javascript.builtins.RegExp.unicodeSets'],
    ['a static block', 'class A{static{a()}}', 'javascript.classes.static.initialization_blocks'],
  ])('is found: %s', (_, script, path) => {
    expect(foundIn(script)).toEqual([path])
  })

  test.each([
    ['a member of the floor', '[1].at(-1);Object.hasOwn(a,b);structuredClone(a);new URL(a)'],
    ['a type that is asked for', 'typeof Iterator;typeof URL.canParse;typeof navigator.connection'],
    ['an optional call', 'a.toSorted?.()'],
    ['a name of the script', 'let CloseWatcher=a;new CloseWatcher;function f({requestIdleCallback:g}){g()}'],
    ['a method of the script', 'let a={toSorted(){}};a.toSorted()'],
    ['a property of any object', 'a.connection.b;a.navigation'],
    ['a named group', '/(?<a>b)(?!c)[(?<=]/'],
    ['syntax of the floor', 'class A{#a=1;static b;has(c){return #a in c}}a??=b?.c;await d'],
  ])('is not: %s', (_, script) => {
    expect(foundIn(script)).toEqual([])
  })

  test('is not a method that another script of the page gives', () => {
    expect(foundIn('a.toSorted()', 'b.toSorted=c')).toEqual([])
    expect(foundIn('a.toSorted()', 'give(e,"toSorted",()=>c)')).toEqual([])
    expect(foundIn('a.toSorted()', 'give(e,`toSorted`,()=>c)')).toEqual([])
  })

  test('is named with its place and the browser that lacks it', () => {
    const [use] = featureUsesIn([{ name: 'a.js', text: 'a()\n  b(URL.canParse(c))' }], above, () => true)
    expect(use).toMatchObject({
      file: 'a.js',
      line: 2,
      column: 4,
      says: 'URL.canParse',
      feature: { lackedBy: 'chrome 102' },
    })
  })
})

describe('a style sheet above the floor', () => {
  const pathsIn = (text: string) =>
    usesInStyleSheet({ name: 'a.css', text }, above).map(({ feature }) => feature.path)
  const DYNAMIC = 'css.types.length.viewport_percentage_units_dynamic'

  test.each([
    ['a unit', '.a{color:red;height:calc(100dvh - 16px)}', [DYNAMIC]],
    ['a pseudo-class', '.a:has(b){color:red}', ['css.selectors.has']],
    ['an at-rule', '@scope(.a){.b{color:red}}', ['css.at-rules.scope']],
    ['a unit in another @supports', '@supports (height:1lvh){.a{height:1dvh}}', [DYNAMIC]],
    ['a unit after one that asks', '@supports (height:1dvh){.a{height:1dvh}}.b{height:1dvh}', [DYNAMIC]],
    ['a unit that @supports asks for', '@supports (height:1dvh){.a{height:1dvh}}', []],
    ['a unit after one of the floor', '.a{height:100vh;color:red;height:100dvh}', []],
    ['what looks like a unit', '.a{color:#1dvh;background:url(x-1dvh.png);width:1px}', []],
  ])('%s', (_, text, paths) => {
    expect(pathsIn(text)).toEqual(paths)
  })
})
