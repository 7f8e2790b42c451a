import { describe, expect, it } from 'vitest'
import { htmlInWord, isTrueInWord } from '../../../streams/html/wordReading.ts'

// What classic Outlook reads of a signature.

describe('a condition in Word', () => {
  it.each([
    'mso',
    'gte mso 9',
    'mso 16',
    '(gt mso 14)&(lte mso 16)',
    '!IE',
    'IE | mso',
    'vml',
    '!(lt mso 16)',
    '!!mso',
  ])('holds: %s', (condition) => expect(isTrueInWord(condition)).toBe(true))
  it.each([
    '!mso',
    'lt mso 12',
    'mso 12',
    'gt mso 16',
    'IE',
    'gte IE 9',
    '(mso)&(IE)',
    '!vml',
    '',
    '!(mso|IE)',
  ])('does not hold: %s', (condition) => expect(isTrueInWord(condition)).toBe(false))
})

it.each([
  ['<!--[if mso]><b>x</b><![endif]-->y', '<b>x</b>y'],
  ['<!--[if lt mso 12]><b>x</b><![endif]-->y', 'y'],
  ['<!--[if !mso]><!--><b>x</b><!--<![endif]-->y', 'y'],
  ['<!--[if mso]><!--><b>x</b><!--<![endif]-->y', '<b>x</b>y'],
  ['<![if !mso]><b>x</b><![endif]>y', 'y'],
  ['<a style="color:red;mso-hide:all">x<a>y</a></a>z', 'z'],
  ['<img style="mso-hide: all">z', 'z'],
  ['<a style="mso-hide:none">x</a>', '<a style="mso-hide:none">x</a>'],
  [
    '<!--[if mso]><v:rect fillcolor="#fff" strokecolor="red" style="width:9px"><w:anchorlock/>x</v:rect><![endif]-->',
    '<span style="display:inline-block;background-color:#fff;border:1px solid red;width:9px">x</span>',
  ],
  [
    '<!--[if gte vml 1]><v:shape><v:imagedata src="a.png"/></v:shape><![endif]-->',
    '<span style="display:inline-block;"><img src="a.png"></span>',
  ],
  ['<!--[if mso]><xml><w:view>1</w:view></xml><![endif]--><!-- y -->z', 'z'],
])('Word reads of %s: %s [ADOPT-6]', (html, read) => {
  expect(htmlInWord(html)).toBe(read)
})
