import { type YamlEntry, type EntryFields, isListEntry, readYaml } from '../yaml.ts'
import { type Finding, type Place, quoteUntrusted } from '../finding.ts'
import { SIGNET_FILE } from '../../../streams/organisation/release/paths.ts'

/**
 * The places of the document's parts by path, for later findings: `signatures.autumn`, `signatures.autumn.template`,
 * `blocks.fair.slot`, `blocks.fair.during.from`, `guard.0.block`, `brand.logos.0`, `cards.unless`, `pictures`,
 * `lists.partners`, `variables.phone`, `mailboxes.sales@northwind.example`, `internal.0`. The path of a condition in a selection ends in `.for.0`. The path
 * of a condition's value ends in `.for.0.department.1`, `.for.0.jobTitle.starts.0` or `.for.0.manager.department.0`.
 */
export type DocumentPlaces = ReadonlyMap<string, Place>

export type SectionReader = ReturnType<typeof createSectionReader>

/** Returns functions that read `signet.yaml`, record the places of its parts, and add findings to `problems`. */
export function createSectionReader(content: string, problems: Finding[]) {
  const yaml = readYaml(SIGNET_FILE, content, problems)
  const { error, items, placeOf, text } = yaml
  const places = new Map<string, Place>()

  /** The texts of an entry, which is a text or a list of texts. Records the place of each text as `path.0`. */
  function texts(entry: YamlEntry, path: string): readonly string[] {
    const found: string[] = []
    for (const each of isListEntry(entry) ? items(entry) : [entry]) {
      const one = text(each)
      if (one === null) continue
      places.set(`${path}.${found.length}`, placeOf(each))
      found.push(one)
    }
    return found
  }

  function keepPlaces(of: EntryFields, path: string, names: readonly string[]) {
    for (const name of names) if (of[name] !== undefined) places.set(`${path}.${name}`, placeOf(of[name]))
  }

  /** Returns the allowed texts and reports all others. */
  const only = (
    all: readonly string[],
    place: Place,
    isAllowed: (text: string) => boolean,
    what: string,
  ): readonly string[] =>
    all.filter((one) => isAllowed(one) || error(place, 'value', `${quoteUntrusted(one)} is not a ${what}.`))

  return { ...yaml, problems, places, texts, keepPlaces, only }
}
