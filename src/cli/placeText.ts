/** Formats the file and line of the deciding rule, for the terminal. */
import { ruleLineIn } from '../../streams/organisation/rules/decidingRule.ts'
import { driftOf } from '../../streams/organisation/release/drift.ts'
import { SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { ExplainedPerson } from '../../streams/organisation/rules/why.ts'
import type { DocumentPlaces } from '../folder/sections/reader.ts'

/**
 * Returns the text that ends a sentence about an item, such as `signatures.autumn`: ` (signet.yaml:14)`; empty if its
 * place is unknown.
 */
export type PlaceText = (item: string) => string

export const NO_PLACE_TEXT: PlaceText = () => ''

const textOf = (line: number | null): string => (line === null ? '' : ` (${SIGNET_FILE}:${line})`)

/** Finds places in the `signet.yaml` that `signet export` writes for the release. */
export const placesOfExport =
  ({ places = {} }: Pick<ExplainedPerson, 'places'>): PlaceText =>
  (item) =>
    textOf(places[item]?.line ?? null)

/**
 * The place in a folder's `signet.yaml` of the rule that decides about an item, or else of the item itself.
 *
 * @param path the path of the rule
 */
export const placeInFolder = (places: DocumentPlaces, item: string, path: string): string =>
  textOf(ruleLineIn({ get: (each) => places.get(each)?.line }, item, path))

/** Finds the places of the deciding rules in a folder that matches the published release. */
export const placesOfFolder =
  ({ places: known = {} }: Pick<ExplainedPerson, 'places'>, places: DocumentPlaces): PlaceText =>
  (item) =>
    placeInFolder(places, item, known[item]?.path ?? item)

/** Whether a folder matches a release, so that its line numbers apply to the release. */
export const matchesRelease = (published: ReleaseDocument, folder: ReleaseDocument): boolean =>
  driftOf(published, folder).length === 0
