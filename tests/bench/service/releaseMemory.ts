/** A program that compiles releases, and prints the memory for each character of their documents, as JSON. */
import { PLAIN_FORMATS } from '../../../streams/organisation/template/formats.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import {
  compilingRelease,
  type Release,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import { findingLinksOfRelease } from '../../../src/service/publishing/countedLinks.ts'
import { documentWith } from './organisation.ts'

const RELEASES = 200

export type ReleaseMemory = Readonly<{
  /** The length of one document's JSON. */
  characters: number
  /** The heap per character of a compiled document. */
  bytesForEach: number
}>

const textOf = (number: number, hasBlocks: boolean): string =>
  JSON.stringify(documentWith({ organisation: `Organisation ${String(number)}`, hasBlocks }))

function compiled(text: string, number: number): Release {
  // Parsed from JSON, like a document from the database.
  const release = runSteps(
    compilingRelease(String(number), JSON.parse(text) as ReleaseDocument, PLAIN_FORMATS),
  )
  runSteps(findingLinksOfRelease(release))
  return release
}

function measure(hasBlocks: boolean): ReleaseMemory {
  compiled(textOf(0, hasBlocks), 0)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  let characters = 0
  const kept = Array.from({ length: RELEASES }, (_, number) => {
    const text = textOf(number, hasBlocks)
    characters += text.length
    return compiled(text, number)
  })
  globalThis.gc?.()
  const bytes = process.memoryUsage().heapUsed - before
  return { characters: characters / kept.length, bytesForEach: bytes / characters }
}

console.log(JSON.stringify({ plain: measure(false), withBlocks: measure(true) }))
