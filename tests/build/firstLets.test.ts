import { describe, expect, test } from 'vitest'
import { withFirstLets } from '../../src/build/firstLets.ts'

describe('the variables with which a function begins', () => {
  test.each([
    [
      'function f(a) { var b; return (b = a) == null ? 1 : b }',
      'function f(a) { let b; return (b = a) == null ? 1 : b }',
    ],
    [
      'f(() => { var a, b; let c; g(function () { var a }) })',
      'f(() => { let a, b; let c; g(function () { let a }) })',
    ],
    ['class A { m() { var a; } }', 'class A { m() { let a; } }'],
    ['(() => { var { a, b: [c = 1, ...d] } = e })()', '(() => { let { a, b: [c = 1, ...d] } = e })()'],
  ])('are declared by let: %s', (code, expected) => {
    expect(withFirstLets(code)).toBe(expected)
  })

  test.each([
    ['a parameter has the name', 'function f(a) { var a; return a }'],
    ['a part of a parameter has the name', 'function f({ a: [b] = [] }) { var b; return b }'],
    ['a later declaration has the name', 'function f() { var a; for (var a of b) g(a) }'],
    ['a function has the name', 'function f() { var a; function a() {} }'],
    ['something comes before', 'function f() { g(); var a }'],
    ['it is in a block', 'function f() { for (;;) { var a; g(() => a) } }'],
    ['it is in no function', 'var a'],
    ['it is a text', 'f("{ var a; let b }")'],
  ])('stay as they are where %s', (_, code) => {
    expect(withFirstLets(code)).toBe(code)
  })
})
