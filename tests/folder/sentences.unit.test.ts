import { expect, it } from 'vitest'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { createTemplateTexts, expandTemplate } from '../../src/folder/expanded.ts'
import { filesInRequest } from '../../src/folder/files.ts'
import type { Finding } from '../../src/folder/finding.ts'
import { checkMarkup } from '../../src/folder/markup.ts'
import { readFolderFiles } from '../../src/folder/readFolder.ts'
import { yamlInThisThread } from '../../src/folder/yamlApart.ts'
import { type Files, GOOD } from './folders.ts'
import { GIF, png } from './pictures.ts'

// What a check says, word by word, with the place of what it says.

const AT = Date.parse('2026-10-01T12:00:00Z')
const GOOD_YAML = GOOD['signet.yaml'] as string

/** The good signet.yaml with one piece replaced. */
const yaml = (before: string, after: string): Files => {
  expect(GOOD_YAML).toContain(before)
  return { 'signet.yaml': GOOD_YAML.replace(before, after) }
}
const template = (html: string): Files => ({ 'templates/short.html': html })

/** The cases of a text: a line, and those that are indented below it. "#" begins a comment, and "\n" is a line end. */
const casesOf = (text: string): (readonly [line: string, below: readonly string[]])[] =>
  text
    .trim()
    .split(/\n(?! )/)
    .filter((lines) => !lines.startsWith('#'))
    .map((lines) => {
      const [line = '', ...below] = lines
        .split('\n')
        .map((each) => JSON.parse(`"${each.replaceAll('"', '\\"')}"`) as string)
      return [line, below.map((each) => each.slice(2))]
    })

/** What a case makes of the good folder: "file: before → after", "file: + more", "file: = all of it" or "file: none". */
const filesOf = (changes: readonly string[]): Files =>
  Object.fromEntries(
    changes.map((change) => {
      const [, file = '', what = ''] = /^([^:]+): (.*)$/s.exec(change) ?? []
      const good = String(GOOD[file])
      if (what === 'none') return [file, null]
      if (what.startsWith('= ')) return [file, what.slice(2)]
      if (what.startsWith('+ ')) return [file, good + what.slice(2)]
      const [, before = '', after = ''] = /^(.*?) →(?: (.*))?$/s.exec(what) ?? []
      expect(before).not.toBe('')
      expect(good).toContain(before)
      return [file, good.replace(before, after)]
    }),
  )

/** Checks the good folder with other files in it; null takes one out. */
async function check(files: Files): Promise<readonly Finding[]> {
  const sent = Object.entries({ ...GOOD, ...files }).flatMap(([path, content]) =>
    content === null ? [] : [[path, Buffer.from(content)] as const],
  )
  return checkFolder(await readFolderFiles(filesInRequest(new Map(sent)), yamlInThisThread), AT)
}

const lines = (findings: readonly Finding[]): readonly string[] =>
  findings.map(
    ({ file, line, column, level, code, message }) =>
      `${file}:${line}:${column} ${level} ${code}: ${message}`,
  )

/** Of the good folder itself. */
const isOfGood = (line: string) =>
  line.includes(' warning notShown: ') ||
  line.endsWith(' warning fitsNobody: Of the people, none has the country "AT".')

async function expectSaid(sentence: string, files: Files): Promise<void> {
  const told = lines(await check(files))
  expect(told.filter((line) => !isOfGood(line))).toEqual([sentence])
}

it.each(
  casesOf(String.raw`
# signet.yaml
signet.yaml:1:1 error noFile: There is no signet.yaml; it says who gets which signature.
  signet.yaml: none
signet.yaml:18:1 error yaml: A tab stands before the text of the line; put blanks there.
  signet.yaml:     name: Corporate → \tname: Corporate
signet.yaml:22:1 error yaml: There is a second document in this file.
  signet.yaml: mailboxes: → ---\nmailboxes:
signet.yaml:18:11 error yamlAlias: An alias is not read; write the value once more.
  signet.yaml: name: Corporate → name: *a
signet.yaml:18:14 error yamlAnchor: The anchor "a" is not read.
  signet.yaml: name: Corporate → name: &a Corporate
signet.yaml:18:20 error yamlTag: The tag "tag:yaml.org,2002:binary" is not read.
  signet.yaml: name: Corporate → name: !!binary Q29ycA==
signet.yaml:6:3 error twice: "first_name" is here twice.
  signet.yaml:   job_title: { →   first_name: {
signet.yaml:18:5 error unknownKey: "nome" is not known here. A signature may have name, template, reply, mobile, meeting, for, not, during, time-zone, recipients, thread, collection and editors.
  signet.yaml: name: Corporate → nome: Corporate
signet.yaml:3:1 error unknownKey: "intern" is not known here. signet.yaml may have version, organisation, internal, choose-default, plan, counting, limits, readers, variables, brand, cards, pictures, recipient-lists, signatures, blocks, guard, mailboxes, approval and editors.
  signet.yaml: internal: → intern:
signet.yaml:6:16 error unknownKey: "form" is not known here. A variable may have from, value, edit, resync, hidden, label and group.
  signet.yaml: { from: jobTitle } → { form: jobTitle }
signet.yaml:23:60 error unknownKey: "value" is not known here. A mailbox may have for, not and values.
  signet.yaml: values: { first_name: Sales } → value: { first_name: Sales }
signet.yaml:13:10 error notList: "not" is written as a list: [a, b].
  signet.yaml: not: [{ person: cfo@northwind.example }] → not: cfo
signet.yaml:13:11 error notMap: A condition is written as "key: value".
  signet.yaml: { person: cfo@northwind.example } → cfo
signet.yaml:18:11 error notText: "name" is a text.
  signet.yaml: name: Corporate → name: [a]
signet.yaml:7:42 error notFlag: "edit" is true or false.
  signet.yaml: edit: true → edit: perhaps
signet.yaml:1:1 error version: The first line is "version: 1", the format of this folder.
  signet.yaml: version: 1 → version: 2
signet.yaml:3:11 error value: "pictures" is "linked", or left out if pictures are attached: "attached" is neither.
  signet.yaml: organisation: Northwind Trading\n → organisation: Northwind Trading\npictures: attached\n
signet.yaml:1:1 error organisation: "organisation" is the name of yours.
  signet.yaml: organisation: Northwind Trading\n →
signet.yaml:3:1 error value: "nowhere" is not a domain.
  signet.yaml: [northwind.example] → [northwind.example, nowhere]
signet.yaml:21:5 error value: "for" is everyone, or a list of conditions.
  signet.yaml: for: everyone → for: some
signet.yaml:17:3 error noFor: The signature does not say for whom it is: for: everyone.
  signet.yaml:     for: everyone\n →
signet.yaml:21:5 error noFor: The signature is for no user; say "everyone", or take it out.
  signet.yaml: for: everyone → for: []
signet.yaml:21:11 error noValue: An empty condition would fit every user; say "everyone".
  signet.yaml: for: everyone → for: [{}]
signet.yaml:12:32 error noValue: "country" has no value, so it fits no user.
  signet.yaml: country: [DE, AT] → country: []
signet.yaml:12:55 error value: "" is not a group.
  signet.yaml: group: sales-emea }]\n    not → group: "" }]\n    not
signet.yaml:13:13 error value: "cfo" is not a mail address.
  signet.yaml: cfo@northwind.example → cfo
signet.yaml:13:13 error value: "northwind" is not a pattern of an address.
  signet.yaml: { person: cfo@northwind.example } → { address: northwind }
signet.yaml:12:13 error value: "__proto__" is not a field of a directory.
  signet.yaml: department: Sales → __proto__: Sales
signet.yaml:23:3 error noFor: The mailbox does not say for whom it is: for: everyone.
  signet.yaml: { for: [{ group: sales-emea }], values → { values
signet.yaml:23:3 error value: "Sales" is not a mail address.
  signet.yaml: Sales@northwind.example: → Sales:
signet.yaml:23:70 error unknownVariable: There is no variable "a b".
  signet.yaml: { first_name: Sales } → { a b: Sales }
signet.yaml:23:82 error notText: "first_name" is a text.
  signet.yaml: { first_name: Sales } → { first_name: [a] }
signet.yaml:23:68 error notMap: "values" is written as "key: value".
  signet.yaml: { first_name: Sales } → a
signet.yaml:6:16 error value: "__proto__" is not a field of a directory.
  signet.yaml: { from: jobTitle } → { from: __proto__ }
signet.yaml:6:3 error name: A variable is named by letters, digits and "_": "job-title" is not.
  signet.yaml:   job_title: →   job-title:
signet.yaml:7:24 error resync: "resync" needs "from": the field of the directory.
  signet.yaml: from: businessPhones.0, edit → edit
signet.yaml:15:5 error timeZone: "Europe/Berlyn" is not a time zone: Europe/Berlin.
  signet.yaml: Europe/Berlin → Europe/Berlyn
signet.yaml:14:5 error timeZone: "time-zone" needs "during".
  signet.yaml:     during: 2026-09-01/2026-11-30\n →
signet.yaml:16:5 error value: "recipients" is everyone, internal, external, or a list of domains, addresses and names of lists.
  signet.yaml: recipients: external → recipients: outside
signet.yaml:16:5 error noValue: "recipients" has no domain, address or name of a list.
  signet.yaml: recipients: external → recipients: []
signet.yaml:16:5 error value: "a b" is not a domain, an address or the name of a list.
  signet.yaml: recipients: external → recipients: [a b]
signet.yaml:17:3 error name: A signature is named by a to z, digits and "_": "Corporate" is not.
  signet.yaml:   corporate: →   Corporate:
signet.yaml:20:12 error notText: "reply" is a text.
  signet.yaml: reply: templates/short.html → reply: [a]
signet.yaml:20:5 error path: "short.html" is not a template: templates/corporate.html.
  signet.yaml: reply: templates/short.html → reply: short.html
signet.yaml:17:3 error noTemplate: A signature needs a template: templates/corporate.html.
  signet.yaml:     template: templates/corporate.html\n →
signet.yaml:24:17 error notFlag: "choose-default" is true or false.
  signet.yaml: + choose-default: perhaps\n
signet.yaml:24:1 error noFor: "choose-default" does not say for whom it is: for: everyone.
  signet.yaml: + choose-default: { not: [{ group: board }] }\n
signet.yaml:24:9 error unknownKey: "form" is not known here. "plan" may have from and value.
  signet.yaml: + plan: { form: a }\n
signet.yaml:24:7 error notMap: "plan" is written as "key: value".
  signet.yaml: + plan: [a]\n
signet.yaml:24:1 error value: "pine" is not a mail client; known are outlook-windows, outlook-new, outlook-mac, outlook-mobile, gmail, apple-mail, thunderbird, yahoo, samsung and proton.
  signet.yaml: + readers: [pine]\n
# the files
templates/a.txt:1:1 error templateName: A template ends in ".html", a part in ".part.html".
  templates/a.txt: = x
templates/a b.html:1:1 error fileName: Names may have letters from A to Z, digits, ".", "-" and "_", and paths 8 parts.
  templates/a b.html: = x
templates/1/2/3/4/5/6/7/8.html:1:1 error fileName: Names may have letters from A to Z, digits, ".", "-" and "_", and paths 8 parts.
  templates/1/2/3/4/5/6/7/8.html: = x
templates:1:1 error link: This is a link or a file; it must be a folder.
  templates: = x
  templates/short.html: none
  templates/corporate.html: none
  templates/autumn.html: none
  templates/legal.part.html: none
pictures/a.svg:1:1 error pictureFormat: Mail clients do not show SVG; save the picture as PNG.
  pictures/a.svg: = x
pictures/a.PNG:1:1 error pictureFormat: Pictures end in .png, .jpg, .gif, .webp and .jpeg, in lower case.
  pictures/a.PNG: = x
pictures/a.png:1:1 error pictureInvalid: This is not exactly one PNG, JPEG, GIF or WebP.
  pictures/a.png: = x
# names
signet.yaml:18:11 error nameTwice: The signature "autumn" has the name " autumn FAIR", too; users could not tell them apart.
  signet.yaml: name: Corporate → name: " autumn FAIR"
signet.yaml:20:12 error unknownTemplate: There is no file "templates/shirt.html".
  signet.yaml: reply: templates/short.html → reply: templates/shirt.html
signet.yaml:20:12 error unknownTemplate: "templates/legal.part.html" is a part, no template.
  signet.yaml: reply: templates/short.html → reply: templates/legal.part.html
signet.yaml:14:13 error neverOpens: The last day is before the first one: it never opens.
  signet.yaml: 2026-09-01/2026-11-30 → 2026-09-01/2026-08-31
signet.yaml:14:13 warning isOver: The last day is over: the signature is not shown any more.
  signet.yaml: 2026-09-01/2026-11-30 → 2026-09-01/2026-09-30
signet.yaml:23:70 error unknownVariable: There is no variable "fon".
  signet.yaml: { first_name: Sales } → { fon: Sales }
signet.yaml:23:70 error unknownVariable: "email" comes from the directory.
  signet.yaml: { first_name: Sales } → { email: a }
signet.yaml:7:69 warning emptyLabel: Users read this, and it is empty; leave it out.
  signet.yaml: resync: true } → resync: true, label: "" }
signet.yaml:19:17 warning emptyLabel: Users read this, and it is empty; leave it out.
  signet.yaml: name: Corporate → name: Corporate\n    collection: ""
templates/short.html:1:15 error braces: A placeholder has two braces on each side: "{{tel phone}}".
  templates/short.html: = {{first_name}}{ tel  phone }
templates/short.html:1:15 error unclosed: {{#if phone}} has no {{/if}}.
  templates/short.html: = {{first_name}}{{#if phone}}a
templates/short.html:1:15 error unexpectedElse: {{else}} stands outside of {{#if …}}, or is here twice.
  templates/short.html: = {{first_name}}{{else}}
templates/short.html:1:15 error unexpectedClose: {{/if}} closes nothing.
  templates/short.html: = {{first_name}}{{/if}}
templates/short.html:1:15 error unknownPart: There is no part "templates/lagal.part.html".
  templates/short.html: = {{first_name}}{{> lagal}}
templates/legal.part.html:1:2 error partInPart: A part includes no other part.
  templates/legal.part.html: = a{{> legal}}
templates/short.html:1:15 error unknownPlaceholder: "{{ph one}}" is not a placeholder.
  templates/short.html: = {{first_name}}{{ph one}}
templates/short.html:1:15 error unknownPicture: There is no picture "pictures/logo.png".
  templates/short.html: = {{first_name}}{{picture logo.png}}
templates/short.html:1:15 error unknownVariable: There is no variable "fone".
  templates/short.html: = {{first_name}}{{fone}}
# fields of the directory
signet.yaml:6:22 error unknownField: people.csv has no column "jobTitel", and no directory has it: it is empty for all people. Did you mean "jobTitle"?
  signet.yaml: from: jobTitle → from: jobTitel
signet.yaml:6:22 error unknownField: people.csv has no column "badge", and no directory has it: it is empty for all people.
  signet.yaml: from: jobTitle → from: badge
signet.yaml:6:22 error unknownField: "businessPhones" is a list or has parts, and no value itself. Did you mean "businessPhones.0"?
  signet.yaml: from: jobTitle → from: businessPhones
signet.yaml:6:22 warning unknownField: No directory has the field "badge", unless a file of people does: then put it here as people.csv.
  signet.yaml: from: jobTitle → from: badge
  people.csv: none
signet.yaml:6:22 error unknownField: No directory has the field "jobTitel", unless a file of people does: then put it here as people.csv. Did you mean "jobTitle"?
  signet.yaml: from: jobTitle → from: jobTitel
  people.csv: none
# whom rules select
signet.yaml:12:53 error unknownGroup: Of the people, none is in the group "sales".
  signet.yaml: { group: sales-emea }]\n    not → { group: sales }]\n    not
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has the country "AT".
  signet.yaml: department: Sales → department: Legal
signet.yaml:13:11 error fitsNobody: The condition fits none of the people. Of the people, none has the address "ceo@northwind.example". Did you mean "cfo@northwind.example"?
  signet.yaml: cfo@northwind.example → ceo@northwind.example
signet.yaml:13:11 error fitsNobody: The condition fits none of the people. Of the people, none has an address like "*@nortwind.example". Did you mean "*@northwind.example"?
  signet.yaml: { person: cfo@northwind.example } → { address: "*@nortwind.example" }
signet.yaml:13:45 error fitsNobody: Of the people, none has the address "max@nortwind.example". Did you mean "max@northwind.example"?
  signet.yaml: cfo@northwind.example → [cfo@northwind.example, max@nortwind.example]
signet.yaml:12:27 error unknownKey: "start" is not known here. A field may have starts, ends, contains, any, before and after. Did you mean "starts"?
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { start: Sa } }
signet.yaml:12:27 error value: "any" is true: the field is not empty. For an empty field, put that below "not".
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { any: false } }
signet.yaml:12:32 error notFlag: "any" is true or false.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { any: yes } }
signet.yaml:12:27 error value: "before" is a day: 2026-01-01.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { before: soon } }
signet.yaml:12:27 error value: 2026-02-30 is not a day: 2026-02 has 28 days.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { after: 2026-02-30 } }
signet.yaml:12:27 error noValue: "starts" has no value, so it fits no user.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { starts: [] } }
signet.yaml:12:27 error value: "" is not a text.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { starts: [""] } }
signet.yaml:12:13 error noValue: "department" has no value, so it fits no user.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: {} }
signet.yaml:12:13 error value: "Deutsch!" is not a language, such as pt-BR.
  signet.yaml: { department: Sales, country: [DE, AT] } → { language: [Deutsch!] }
signet.yaml:12:13 error noValue: "manager" has no value, so it fits no user.
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: {} }
signet.yaml:12:24 error value: "group" is not known of a manager: fields of the directory, "person" and "address" are.
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: { group: board } }
signet.yaml:12:24 error value: "manager" is not known of a manager: fields of the directory, "person" and "address" are.
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: { manager: Ann } }
signet.yaml:12:24 error value: "bo" is not a mail address.
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: { person: bo } }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has a department that starts with "Le!".
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { starts: Le! } }
signet.yaml:12:43 warning fitsNobody: Of the people, none has a department that ends with "x".
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { ends: [al, gal, x] } }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has a department that contains "x".
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { contains: x } }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has a hired.
  signet.yaml: { department: Sales, country: [DE, AT] } → { hired: { any: true } }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has a date in department before 2026-01-01.
  signet.yaml: { department: Sales, country: [DE, AT] } → { department: { before: 2026-01-01 } }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the people, none has the language "de".
  signet.yaml: { department: Sales, country: [DE, AT] } → { language: de }
signet.yaml:12:34 error unknownField: Of the people, none has the field "departmnt". Did you mean "department"?
  signet.yaml: { department: Sales, country: [DE, AT] } → { departmnt: { starts: Sa } }
signet.yaml:12:24 error unknownField: Of the people, none has the field "departmnt". Did you mean "department"?
  signet.yaml: { department: Sales, country: [DE, AT] } → { departmnt: Sales }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the managers, none has the department "Sales".
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: { department: Sales } }
signet.yaml:12:11 error fitsNobody: The condition fits none of the people. Of the managers, none has the address "bo@northwind.example".
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: { person: bo@northwind.example } }
signet.yaml:12:24 warning unknownField: No directory has the field "departmnt", unless a file of people does. Did you mean "department"?
  signet.yaml: { department: Sales, country: [DE, AT] } → { departmnt: Sales }
  people.csv: none
signet.yaml:12:41 warning unknownField: No directory has the field "manager.jobTitel", unless a file of people does. Did you mean "manager.jobTitle"?
  signet.yaml: { department: Sales, country: [DE, AT] } → { manager: { jobTitel: { any: true } } }
  people.csv: none
signet.yaml:12:5 warning fitsEverybody: The list fits all of the people; say "everyone".
  signet.yaml: department: Sales, country: [DE, AT] → country: [DE, PT]
signet.yaml:23:3 error unknownDomain: "northwnid.example" is the domain of no person, and not of "internal". Did you mean "sales@northwind.example"?
  signet.yaml: Sales@northwind.example: → Sales@northwnid.example:
signet.yaml:23:3 warning unknownDomain: "other.example" is the domain of no person, and not of "internal".
  signet.yaml: Sales@northwind.example: → Sales@other.example:
signet.yaml:3:23 error unknownDomain: "northwind.exampel" is the domain of no person. Did you mean "northwind.example"?
  signet.yaml: internal: [northwind.example] → internal: [a.example, northwind.exampel]
signet.yaml:16:18 warning unknownDomain: "nortwind.example" is the domain of no person, and not of "internal". Did you mean "northwind.example"?
  signet.yaml: recipients: external → recipients: [nortwind.example]
signet.yaml:13:21 warning unknownDomain: "nortwind.example" is the domain of no person, and not of "internal". Did you mean "cfo@northwind.example"?
  signet.yaml: cfo@northwind.example → cfo@nortwind.example
  people.csv: none
# what people would get
templates/short.html:1:6 error emptyLine: The line shows "T" with nothing behind it for 2 people (cfo@northwind.example is one): put {{#if …}} around it.
  templates/short.html: = <p>T {{phone}}</p>
templates/short.html:1:25 error emptyLine: The line is empty for 2 people (cfo@northwind.example is one): put {{#if …}} around it.
  templates/short.html: = <p>{{first_name}}</p><p>{{phone}}</p>
templates/short.html:1:32 error emptyLink: The link leads nowhere for 2 people (cfo@northwind.example is one): put {{#if …}} around it.
  templates/short.html: = <p>{{first_name}} <a href="tel:{{tel phone}}">Call</a></p>
# expect.yaml
expect.yaml:1:3 error expectation: "default" of maria@northwind.example is "corporate" (signet.yaml:21), not "autumn" (signet.yaml:14).
  expect.yaml: = - { person: maria@northwind.example, on: 2026-12-01, default: autumn }
expect.yaml:1:3 error expectation: "default" of cfo@northwind.example is "corporate" (signet.yaml:21), not "none".
  expect.yaml: = - { person: cfo@northwind.example, default: none }
expect.yaml:1:3 error expectation: "reply" of maria@northwind.example is "autumn" (signet.yaml:12), not "corporate" (signet.yaml:21).
  expect.yaml: = - { person: maria@northwind.example, reply: corporate }
expect.yaml:1:3 error expectation: The default of maria@northwind.example does not contain "Carl".
  expect.yaml: = - { person: maria@northwind.example, contains: [Carl] }
expect.yaml:1:3 error expectation: There is no person "x@northwind.example".
  expect.yaml: = - { person: x@northwind.example, default: corporate }
expect.yaml:1:3 error expectation: 3 people have a default: maria@northwind.example is one.
  expect.yaml: = - everyone: { has-default: false }
expect.yaml:1:3 error expectation: "autumn" of maria@northwind.example has 133 characters, more than 20.
  expect.yaml: = - everyone: { at-most: { characters: 20 } }
expect.yaml:1:3 error noPeople: Without people.csv expect.yaml cannot be compared.
  expect.yaml: = - everyone: { has-default: true }
  people.csv: none
expect.yaml:1:5 error value: An expectation names a person by the mail address, or everyone.
  expect.yaml: = - { person: maria }
expect.yaml:1:26 error unknownKey: "defualt" is not known here. An expectation may have person, everyone, on, default, reply, recipients, blocks and contains.
  expect.yaml: = - { person: a@b.example, defualt: a }
expect.yaml:1:28 error value: "characters" is a number.
  expect.yaml: = - { everyone: { at-most: { characters: many } } }
expect.yaml:1:26 error value: "tomorrow" is not a day: 2026-10-01.
  expect.yaml: = - { person: a@b.example, on: tomorrow }
expect.yaml:1:1 error notList: expect.yaml is written as a list: [a, b].
  expect.yaml: = person: a@b.example
expect.yaml:1:17 error unknownKey: "has-defaults" is not known here. "everyone" may have has-default and at-most.
  expect.yaml: = - { everyone: { has-defaults: true } }
expect.yaml:1:28 error unknownKey: "chars" is not known here. "at-most" may have characters.
  expect.yaml: = - { everyone: { at-most: { chars: 1 } } }
expect.yaml:1:30 error notFlag: "has-default" is true or false.
  expect.yaml: = - { everyone: { has-default: 7 } }
expect.yaml:1:48 error notList: "contains" is written as a list: [a, b].
  expect.yaml: = - { person: maria@northwind.example, contains: a }
expect.yaml:1:49 error notText: "contains" is a text.
  expect.yaml: = - { person: maria@northwind.example, contains: [[a]] }
expect.yaml:1:3 error value: An expectation names a person by the mail address, or everyone.
  expect.yaml: = - {}
# people.csv
people.csv:1:1 error csv.noEmail: The first row has the names of the columns; "email" is missing. Did you mean "emial"?
  people.csv: = emial,givenName\n
people.csv:1:1 error csv.twice: The column "givenName" is here twice.
  people.csv: country → givenName
people.csv:1:1 error csv.column: "__proto__" is not a name of a column.
  people.csv: country → __proto__
people.csv:5:3 error csv.unclosed: The quote that opens here is never closed.
  people.csv: + a,"b
people.csv:5:4 error csv.quote: A quote stands in a cell that does not begin with one; put the cell in quotes and double the quote.
  people.csv: + a,b"c
people.csv:5:6 error csv.afterQuote: After the closing quote of a cell there is the separator or the end of the line.
  people.csv: + a,"b"c
people.csv:4:1 error csv.notUtf8: A character cannot be read; save the file as text in UTF-8.
  people.csv: Tom → T�m
people.csv:1:1 error csv.notUtf8: A character cannot be read; save the file as text in UTF-8.
  people.csv: country → c�untry
`),
)('says %s', (sentence, changes) => expectSaid(sentence, filesOf(changes)))

it.each<readonly [sentence: string, files: Files]>([
  [
    'signet.yaml:24:69 error tooDeep: There are more than 60 levels in each other.',
    { 'signet.yaml': `${GOOD_YAML}readers: ${'['.repeat(100)}\n` },
  ],
  [
    'pictures/a.png:1:1 error pictureInvalid: The picture is empty, or larger than 4096 × 4096 pixels.',
    { 'pictures/a.png': png(4097, 1) },
  ],
  [
    'pictures/a.png:1:1 error pictureFormat: The content is that of a ".gif"; name it so.',
    { 'pictures/a.png': GIF },
  ],
])('says %s', expectSaid)

it.each(
  casesOf(String.raw`
<p>a</p>\n<script>x</script>
  2:1 error element: Mail does not take <script>.
<link rel="stylesheet">
  1:1 error element: Mail does not load style sheets; put the styles here.
  1:7 warning attributeLeftOut: The add-in leaves the attribute "rel" out.
<style>@import "a.css";</style>
  1:8 error element: Mail does not load style sheets; put the styles here.
<style>@media print { p { color: red } }</style>a
<marquee>a</marquee><marquee>b</marquee>
  1:1 warning elementLeftOut: The add-in leaves "<marquee>" out, not what is in it.
<v:rect>a</v:rect>
  1:1 warning elementLeftOut: The add-in leaves "<v:rect>" out, not what is in it.
<!--[if mso]><v:rect>a</v:rect><xml>a</xml><center>b</center><blink>c</blink><![endif]-->
  1:62 warning elementLeftOut: The add-in leaves "<blink>" out, not what is in it.
<!--[if mso]><x:rect></x:rect><v:></v:><![endif]-->
  1:14 warning elementLeftOut: The add-in leaves "<x:rect>" out, not what is in it.
  1:31 warning elementLeftOut: The add-in leaves "<v:>" out, not what is in it.
<img src="https://a.example/a.png">
  1:1 error noAlternative: A picture needs a text for those who do not see it: alt="Northwind".
<img src="https://a.example/a.png" alt="">
<p onclick="a">a</p>
  1:4 error handler: Mail does not take the handler "onclick".
<p data="a">a</p>
  1:4 error attribute: Mail does not take the attribute "data".
<p srcset="a" action="a">a</p>
  1:4 error attribute: Mail does not take the attribute "srcset".
  1:15 error attribute: Mail does not take the attribute "action".
<p foo="a">a</p><p foo="b">b</p>
  1:4 warning attributeLeftOut: The add-in leaves the attribute "foo" out.
<!--[if mso]><p foo="a">a</p><![endif]-->
<img alt="" src="logo.png">
  1:13 error address: Pictures are {{picture logo.png}} or an https address; "logo.png" is neither.
<img alt="" src=" http://a.example/a.png">
  1:13 error address: Pictures are {{picture logo.png}} or an https address; " http://a.example/a.png" is neither.
<td background="logo.png">a</td>
  1:5 error address: Pictures are {{picture logo.png}} or an https address; "logo.png" is neither.
<blockquote cite="javascript:x">a</blockquote>
  1:13 error address: The address "javascript:x" is not taken by mail.
<blockquote cite="#">a</blockquote>
<blockquote cite="mailto:?subject=a">a</blockquote>
<a href=" # ">a</a>
  1:4 error emptyLink: The link " # " leads nowhere.
<a href="mailto:">a</a>
  1:4 error emptyLink: The link "mailto:" leads nowhere.
<a href="sms:">a</a>
  1:4 error emptyLink: The link "sms:" leads nowhere.
<a href="http:/">a</a>
  1:4 error emptyLink: The link "http:/" leads nowhere.
<a href="https:">a</a>
  1:4 error emptyLink: The link "https:" leads nowhere.
<a href="javascript:x">a</a>
  1:4 error address: The address "javascript:x" is not taken by mail.
<a href="mailto:?subject=a">a</a>
  1:4 warning emptyLink: The link begins a mail without a recipient: write the address behind "mailto:".
<a href="mailto:?subject=a&to=b@c.example">a</a>
<a href="mailto:?to=b@c.example">a</a>
<a href="mailto:?subject=a#&to=b">a</a>
  1:4 warning emptyLink: The link begins a mail without a recipient: write the address behind "mailto:".
<a href="mailto:a@b.example">a</a>
<a href="#x">a</a>
  1:4 error emptyLink: Nothing here is named "x": the link leads nowhere.
<a name="x"></a><a href="#x">a</a>
  1:4 warning attributeLeftOut: The add-in leaves the attribute "name" out.
  1:20 error emptyLink: The add-in leaves the name "x" out; it keeps one with a digit or a hyphen, such as "legal-1".
<a name="x-1"></a><a href=" #x-1">a</a>
  1:4 warning attributeLeftOut: The add-in leaves the attribute "name" out.
<p id="x1">b</p><a href="#x1">a</a>
<p style="behavior:url(#a)">a</p>
  1:11 error activeStyle: The style "behavior:url(#a)" runs something; mail does not take it.
<p style="-ms-behavior:a">a</p>
  1:11 error activeStyle: The style "-ms-behavior:a" runs something; mail does not take it.
<p style="-moz-binding:a">a</p>
  1:11 error activeStyle: The style "-moz-binding:a" runs something; mail does not take it.
<p style="-o-link:a">a</p>
  1:11 error activeStyle: The style "-o-link:a" runs something; mail does not take it.
<p style="width:expression (x)">a</p>
  1:11 error activeStyle: The style "width:expression (x)" runs something; mail does not take it.
<p style="background:url(javascript:x)">a</p>
  1:11 error activeStyle: The style "background:url(javascript:x)" runs something; mail does not take it.
<p style="background:url(vbscript:x)">a</p>
  1:11 error activeStyle: The style "background:url(vbscript:x)" runs something; mail does not take it.
<p style="background: url( 'data:text/html,a')">a</p>
  1:11 error activeStyle: The style "background:url( 'data:text/html,a')" runs something; mail does not take it.
<p style="background:url( ' http://a.example/a.png')">a</p>
  1:11 error address: Pictures are {{picture logo.png}} or an https address; "background:url( ' http://a.example/a.png')" has neither.
<p style="position:fixed">a</p><p style="position:fixed">b</p>
  1:11 warning styleLeftOut: The add-in leaves "position:fixed" out.
<p style="color:&#114;ed;position:fixed">a</p>
  1:4 warning styleLeftOut: The add-in leaves "position:fixed" out.
<p style="background:url({{picture a.png}})">a</p>
<p style="color:{{v}}">a</p>
  1:17 error placeholder: A value in a style could become another style.
<p style="color:{{#if v}}red{{/if}}">a</p>
<style>body{color:red}</style>a
  1:8 warning styleBound: In a message, "body" counts inside of the signature only.
<style>html p,p{color:red}</style>a
  1:8 warning styleBound: In a message, "html p,p" counts inside of the signature only.
<style>p , :root{color:red}</style>a
  1:8 warning styleBound: In a message, "p , :root" counts inside of the signature only.
<style>*{color:red}</style>a
  1:8 warning styleBound: In a message, "*" counts inside of the signature only.
<style>.body{color:red}</style>a
<style>body-x{color:red}</style>a
<style>p>body{color:red}</style>a
<style>p{color:red} body{color:red} body{color:blue}</style>a
  1:21 warning styleBound: In a message, "body" counts inside of the signature only.
<style>p:has(a){color:red}</style>a
<style>p::before{content:"x"}</style>a
<a href="https://a.example"></a>
  1:1 warning noLabel: The link has no text, and no picture with one: a screen reader cannot name it.
<a href="https://a.example"> <img alt=" " src="https://a.example/a.png"></a>
  1:1 warning noLabel: The link has no text, and no picture with one: a screen reader cannot name it.
<a href="https://a.example"><img alt="a" src="https://a.example/a.png"></a>
<a href="https://a.example" title="a"></a>
<a href="https://a.example" aria-label="a"></a>
<a href="https://a.example" title=" "></a>
  1:1 warning noLabel: The link has no text, and no picture with one: a screen reader cannot name it.
<a href="https://a.example">
<a href="https://a.example"><a href="https://b.example">b</a>
  1:1 warning noLabel: The link has no text, and no picture with one: a screen reader cannot name it.
<a name="a1"></a>
  1:4 warning attributeLeftOut: The add-in leaves the attribute "name" out.
<a href="https://a.example"><style>p{color:red}</style></a>
  1:1 warning noLabel: The link has no text, and no picture with one: a screen reader cannot name it.
<a href="https://a.example">a<a href="https://b.example"></a>
  1:30 warning noLabel: The link has no text, and no picture with one: a screen reader cannot name it.
<!--[if mso]><a href="https://a.example"></a><![endif]-->
<p title={{v}}>a</p>
  1:10 error placeholder: A value here could become markup: placeholders stand in text, or in attributes with quotes.
<p title="{{v}}">a</p>
<p onclick="{{v}}">a</p>
  1:4 error handler: Mail does not take the handler "onclick".
  1:13 error placeholder: A value here could become markup: placeholders stand in text, or in attributes with quotes.
<a href="{{v}}">a</a>
  1:10 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<a href="{{web v}}">a</a>
<a href="{{web v}}/x{{w}}">a</a>
<a href="{{web v}}{{#if w}}x{{/if}}">a</a>
  1:19 error placeholder: A condition may not decide where an address leads; put it around the whole element.
  1:29 error placeholder: A condition may not decide where an address leads; put it around the whole element.
<a href="{{#if v}}https://a.example/{{/if}}">a</a>
  1:4 error address: The address "{{#if v}}https://a.example/{{/if}}" is not taken by mail.
  1:10 error placeholder: A condition may not decide where an address leads; put it around the whole element.
  1:37 error placeholder: A condition may not decide where an address leads; put it around the whole element.
<a href="https://a.example/{{#if v}}x{{else}}y{{/if}}{{w}}">a</a>
<a href="https://a.example:80/{{v}}">a</a>
<a href="https://a.example{{v}}">a</a>
  1:27 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<a href="https://a.example?{{v}}">a</a>
<a href="https://a.example#{{v}}">a</a>
<a href=" mailto:{{v}}">a</a>
<a href="sms:{{v}}">a</a>
  1:4 error address: The address "sms:{{v}}" is not taken by mail.
<a href="tel:{{tel v}}">a</a>
<a href="ftp://a/{{v}}">a</a>
  1:18 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<img alt="" src="{{picture a.png}}">
<img alt="" src="{{picture_url}}">
<img alt="" src="{{web picture_url}}">
<img alt="" src="{{v}}">
  1:13 error address: Pictures are {{picture logo.png}} or an https address; "{{v}}" is neither.
  1:18 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<img alt="" src="x{{picture a.png}}">
  1:13 error address: Pictures are {{picture logo.png}} or an https address; "x{{picture a.png}}" is neither.
  1:19 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<img alt="" src="{{tel picture_url}}">
  1:13 error address: Pictures are {{picture logo.png}} or an https address; "{{tel picture_url}}" is neither.
  1:18 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<td background="{{picture a.png}}">a</td>
<a href="{{picture a.png}}">a</a>
  1:10 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<a href="{{picture_url}}">a</a>
  1:10 error placeholder: A value in an address needs "web", or "tel:", "mailto:" or a whole host before it.
<!--[if mso]>{{v}}<![endif]-->
<!--[if mso]>{{v}}> a<![endif]-->
  1:14 error placeholder: In a comment for Outlook, write "&gt;" instead of ">" beside a value.
<!--[if mso]><p title="{{v}}>">a</p><![endif]-->
  1:24 error placeholder: In a comment for Outlook, write "&gt;" instead of ">" beside a value.
<!--[if mso]><p title=">">{{v}}</p><![endif]-->
<!--[if mso]>{{#if v}}a<![endif]--><!--[if mso]>{{/if}}<![endif]-->
  1:49 error condition: The condition begins and ends in different places of the markup: put it around whole elements.
<!-- {{v}} -->
  1:6 error placeholder: A value here could become markup: placeholders stand in text, or in attributes with quotes.
{{#if v}}<p title="{{/if}}a">b</p>
  1:20 error condition: The condition begins and ends in different places of the markup: put it around whole elements.
{{#if v}}<b>a</b>{{else}}<i>b</i>{{/if}}
<p title="{{#if v}}a">{{/if}}b</p>
  1:23 error condition: The condition begins and ends in different places of the markup: put it around whole elements.
<p title="{{#if v}}a{{else}}b{{/if}}">{{v}}</p>
{{else}}a{{/if}}
<p title="{{v}}" title="{{v}}">a</p>
  1:25 error placeholder: A value here could become markup: placeholders stand in text, or in attributes with quotes.
<table><tr><td width="{{v}}">a</td></tr></table>
<!doctype html>a
  1:1 warning elementLeftOut: The add-in leaves "<!doctype>" out, not what is in it.
<textarea>{{v}}</textarea>
  1:1 error element: Mail does not take <textarea>.
  1:11 error placeholder: A value here could become markup: placeholders stand in text, or in attributes with quotes.
`),
)('says of %j what mail does not take', (html, sentences) => {
  const expanded = expandTemplate(
    'templates/a.html',
    createTemplateTexts({ 'templates/a.html': html }, new Map()),
  )
  const told = expanded === null ? [] : lines(checkMarkup(expanded))
  expect(told).toEqual(sentences.map((sentence) => `templates/a.html:${sentence}`))
})

it.each<readonly [what: string, files: Files, codes: readonly string[]]>([
  [
    'of the fields of people beside a template with an error',
    { ...yaml('from: jobTitle', 'from: jobTitel'), ...template('{{fone}}') },
    ['signet.yaml unknownField', 'templates/short.html unknownVariable'],
  ],
  [
    'no more of fields where people cannot be read',
    { ...yaml('from: jobTitle', 'from: jobTitel'), 'people.csv': 'x\n' },
    ['people.csv csv.noEmail'],
  ],
  [
    'nothing of a pattern that fits some',
    yaml('{ person: cfo@northwind.example }', '{ address: "c*@northwind.example" }'),
    [],
  ],
  [
    'nothing of a mailbox in the domain of the people',
    yaml('internal: [northwind.example]', 'internal: []'),
    [],
  ],
])('says %s', async (_, files, codes) => {
  const told = (await check(files)).filter((finding) => !lines([finding]).some(isOfGood))
  expect(told.map(({ file, code }) => `${file} ${code}`)).toEqual(codes)
})
