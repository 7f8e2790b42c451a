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

/** The folder, below the address of all pictures, of pictures that are shown by their address and never attached. */
export const LINKED_FOLDER = 'linked'

/** An image, unless its address is that of a linked picture. */
const IMAGE =
  /<img\b(?![^<>]*\/linked\/[\da-f]{32}\/)|(?:url\(|background=)(?!(?:["'\\]|&quot;)*https?:[^"'()<>\s=]*\/linked\/[\da-f]{32}\/)/i

/** Whether html shows images to attach. In a list, the contents of these images may not be loaded yet. */
export const showsImages = (html: string): boolean => IMAGE.test(html)
