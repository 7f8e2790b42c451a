import { parseXml as parse, XmlElement } from '@rgrove/parse-xml'

/** An element of XML. Names are as they are written, with their prefix. `text` has no spaces around it. */
export type Found = Readonly<{
  tag: string
  attributes: ReadonlyMap<string, string>
  text: string
  children: readonly Found[]
}>

/** An element, and all elements within it. */
export const within = (element: Found): readonly Found[] => [element, ...element.children.flatMap(within)]
export const named = (root: Found, tag: string): readonly Found[] =>
  within(root).filter((each) => each.tag === tag)

/** The root of a document; null when it is not well-formed XML, or nested too deeply to be read. */
export function parseXml(xml: string): Found | null {
  try {
    const { root } = parse(xml)
    return root && read(root)
  } catch {
    return null
  }
}

const read = (element: XmlElement): Found => ({
  tag: element.name,
  attributes: new Map(Object.entries(element.attributes)),
  text: element.text.trim(),
  children: element.children.flatMap((child) => (child instanceof XmlElement ? read(child) : [])),
})
