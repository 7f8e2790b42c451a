export function openHiddenFrame(
  title: string,
  page: Readonly<{ src: string; name?: string }>,
): Readonly<{ frame: HTMLIFrameElement; target: Window }> {
  const frame = Object.assign(document.createElement('iframe'), { title, hidden: true, ...page })
  document.body.append(frame)
  const target = frame.contentWindow
  if (!target) throw new Error('A frame in the document has a window')
  return { frame, target }
}
