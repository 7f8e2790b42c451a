/** An image in a signature. `content` is base64 without a prefix, empty unless `status` is 200. */
export type SignatureImage = Readonly<{
  /** The image's id at the service; absent without one. */
  id?: string
  url: string
  name: string
  content: string
  status: number
}>

/** The html from the service, with the known contents of its images. */
export type SignatureContent = Readonly<{ html: string; images: readonly SignatureImage[] }>

export const isSameContent = (one: SignatureContent, other: SignatureContent): boolean =>
  one.html === other.html &&
  one.images.length === other.images.length &&
  one.images.every((image, index) => {
    const { url, name, content, status } = other.images[index] ?? {}
    return image.url === url && image.name === name && image.content === content && image.status === status
  })

/** Whether html shows images. In a list, the contents of these images may not be loaded yet. */
export const showsImages = (html: string): boolean => /<img\b|url\(|background=/i.test(html)
