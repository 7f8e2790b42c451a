/** The file and line of the rule that decides, for the terminal. */
import { lineIn } from '../../streams/organisation/rules/decidingRule.ts'
import { driftOf } from '../../streams/organisation/release/drift.ts'
import { SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { Explained } from '../../streams/organisation/rules/why.ts'
import type { DocumentPlaces } from '../folder/sections/reader.ts'

/** The place behind a sentence, by the path of what is decided: ` (signet.yaml:14)`; empty for an unknown one. */
export type PlaceText = (item: string) => string

export const NO_PLACES: PlaceText = () => ''

const textOf = (line: number | null): string => (line === null ? '' : ` (${SIGNET_FILE}:${line})`)

/** In the `signet.yaml` that `signet export` writes of the release. */
export const placesOfExport =
  ({ places = {} }: Pick<Explained, 'places'>): PlaceText =>
  (item) =>
    textOf(places[item]?.line ?? null)

/** In the `signet.yaml` of a folder; `path` is what decides about an item. */
export const placeInFolder = (places: DocumentPlaces, item: string, path: string): string =>
  textOf(lineIn({ get: (each) => places.get(each)?.line }, item, path))

/** The same rules in a folder that says exactly what is published. */
export const placesOfFolder =
  ({ places: known = {} }: Pick<Explained, 'places'>, places: DocumentPlaces): PlaceText =>
  (item) =>
    placeInFolder(places, item, known[item]?.path ?? item)

/** Whether a folder says exactly what a release says, so that its lines are those of the release. */
export const saysSame = (published: ReleaseDocument, folder: ReleaseDocument): boolean =>
  driftOf(published, folder).length === 0
