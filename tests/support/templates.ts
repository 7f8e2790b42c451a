// Templates that people really have: of the corpus, the gallery and the demonstration.
import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import { GALLERY_NAMES, galleryTemplate } from '../../streams/organisation/release/gallery.ts'
import { realSignatures } from './realSignatures.ts'

export type NamedTemplate = Readonly<{ name: string; text: string }>

export async function realTemplates(): Promise<readonly NamedTemplate[]> {
  const [{ document }, signatures] = await Promise.all([readDemonstration(), realSignatures()])
  return [
    ...signatures.map(({ kind, html }) => ({ name: kind, text: html })),
    ...GALLERY_NAMES.map((name) => ({
      name: `gallery: ${name}`,
      text: galleryTemplate(name, document).template,
    })),
    ...Object.entries(document.templates).map(([name, text]) => ({ name, text })),
  ]
}
