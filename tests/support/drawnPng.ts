import { PNG } from 'pngjs'

/** Draws a picture: a rectangle in this colour, with a border. */
export function drawnPng(width: number, height: number, colour: number): Buffer {
  const png = new PNG({ width, height })
  for (let at = 0; at < width * height; at++) {
    const isBorder = at % width < 2 || at < 2 * width
    png.data.writeUInt32BE(isBorder ? 0x202020ff : ((colour << 8) | 0xff) >>> 0, at * 4)
  }
  return PNG.sync.write(png)
}
