import * as css from './design.module.css'

/** Shapes of Microsoft's Fluent System Icons (MIT licence), in a 20-pixel square (`mail`: 48 pixels). */
const SHAPES = {
  // mail_add_20_regular
  newMessage:
    'M19 5.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0m-4-2a.5.5 0 0 0-1 0V5h-1.5a.5.5 0 0 0 0 1H14v1.5a.5.5 0 0 0 1 0V6h1.5a.5.5 0 0 0 0-1H15zm2 11v-4.1q.54-.27 1-.66v4.76a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 2 14.5v-8A2.5 2.5 0 0 1 4.5 4h4.7q-.13.49-.18 1H4.5C3.67 5 3 5.67 3 6.5v.3l7 4.12 1.44-.85q.5.33 1.04.55l-2.23 1.31a.5.5 0 0 1-.42.04l-.08-.04L3 7.96v6.54c0 .83.67 1.5 1.5 1.5h11c.83 0 1.5-.67 1.5-1.5',
  // arrow_reply_20_regular
  reply:
    'M7.35 3.65c.2.2.2.5 0 .7L3.71 8h6.79a7.5 7.5 0 0 1 7.5 7.5.5.5 0 0 1-1 0A6.5 6.5 0 0 0 10.5 9H3.7l3.65 3.65a.5.5 0 0 1-.7.7l-4.5-4.5a.5.5 0 0 1 0-.7l4.5-4.5c.2-.2.5-.2.7 0',
  // arrow_forward_20_regular
  forward:
    'M12.65 3.65a.5.5 0 0 0 0 .7L16.29 8H9.5A7.5 7.5 0 0 0 2 15.5a.5.5 0 0 0 1 0A6.5 6.5 0 0 1 9.5 9h6.8l-3.65 3.65a.5.5 0 0 0 .7.7l4.5-4.5a.5.5 0 0 0 0-.7l-4.5-4.5a.5.5 0 0 0-.7 0',
  // send_20_regular
  send: 'M2.18 2.11a.5.5 0 0 1 .54-.06l15 7.5a.5.5 0 0 1 0 .9l-15 7.5a.5.5 0 0 1-.7-.58L3.98 10 2.02 2.63a.5.5 0 0 1 .16-.52m2.7 8.39-1.61 6.06L16.38 10 3.27 3.44 4.88 9.5h6.62a.5.5 0 1 1 0 1z',
  // delete_20_regular
  discard:
    'M8.5 4h3a1.5 1.5 0 0 0-3 0m-1 0a2.5 2.5 0 0 1 5 0h5a.5.5 0 0 1 0 1h-1.05l-1.2 10.34A3 3 0 0 1 12.27 18H7.73a3 3 0 0 1-2.98-2.66L3.55 5H2.5a.5.5 0 0 1 0-1zM5.74 15.23A2 2 0 0 0 7.73 17h4.54a2 2 0 0 0 1.99-1.77L15.44 5H4.56zM8.5 7.5c.28 0 .5.22.5.5v6a.5.5 0 0 1-1 0V8c0-.28.22-.5.5-.5M12 8a.5.5 0 0 0-1 0v6a.5.5 0 0 0 1 0z',
  // dismiss_20_regular
  dismiss:
    'm4.09 4.22.06-.07a.5.5 0 0 1 .63-.06l.07.06L10 9.29l5.15-5.14a.5.5 0 0 1 .63-.06l.07.06c.18.17.2.44.06.63l-.06.07L10.71 10l5.14 5.15c.18.17.2.44.06.63l-.06.07a.5.5 0 0 1-.63.06l-.07-.06L10 10.71l-5.15 5.14a.5.5 0 0 1-.63.06l-.07-.06a.5.5 0 0 1-.06-.63l.06-.07L9.29 10 4.15 4.85a.5.5 0 0 1-.06-.63l.06-.07z',
  // arrow_clockwise_20_regular
  reload:
    'M4 10a6 6 0 0 1 10.47-4H12.5a.5.5 0 0 0 0 1h3a.5.5 0 0 0 .5-.5v-3a.5.5 0 0 0-1 0v1.6a7 7 0 1 0 1.98 4.36.5.5 0 1 0-1 .08L16 10a6 6 0 0 1-12 0',
  // attach_20_regular
  attachment:
    'm4.83 10.48 5.65-5.65a3 3 0 0 1 4.25 4.24L8 15.8a1.5 1.5 0 0 1-2.12-2.12l6-6.01a.5.5 0 1 0-.7-.71l-6 6.01a2.5 2.5 0 0 0 3.53 3.54l6.71-6.72a4 4 0 1 0-5.65-5.66L4.12 9.78a.5.5 0 0 0 .7.7',
  // image_20_regular
  image:
    'M14 7.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0m-1 0a.5.5 0 1 0-1 0 .5.5 0 0 0 1 0M3 6a3 3 0 0 1 3-3h8a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3zm3-2a2 2 0 0 0-2 2v8q0 .56.28 1.02l4.67-4.59a1.5 1.5 0 0 1 2.1 0l4.67 4.59Q16 14.56 16 14V6a2 2 0 0 0-2-2zm0 12h8a2 2 0 0 0 1.01-.27l-4.66-4.58a.5.5 0 0 0-.7 0l-4.66 4.58A2 2 0 0 0 6 16',
  // info_20_regular
  info: 'M10.5 8.91a.5.5 0 0 0-1 .09v4.6a.5.5 0 0 0 1-.1V8.91m.3-2.16a.75.75 0 1 0-1.5 0 .75.75 0 0 0 1.5 0M18 10a8 8 0 1 0-16 0 8 8 0 0 0 16 0M3 10a7 7 0 1 1 14 0 7 7 0 0 1-14 0',
  // arrow_sync_20_regular
  progress:
    'M11.41 3.64a.5.5 0 0 0 0-.71L9.3.8a.5.5 0 0 0-.7.7l1 1a7.5 7.5 0 0 0-4.08 13.5.5.5 0 0 0 .6-.8A6.5 6.5 0 0 1 10.14 3.5L8.59 5.04a.5.5 0 0 0 .7.7zM8.6 16.36a.5.5 0 0 0 0 .71l2.12 2.12a.5.5 0 0 0 .7-.7l-1-1a7.5 7.5 0 0 0 4.07-13.5.5.5 0 1 0-.59.8q.37.28.7.61a6.5 6.5 0 0 1-4.73 11.1l1.55-1.55a.5.5 0 1 0-.7-.7z',
  // error_circle_20_regular
  error:
    'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16m0 1a7 7 0 1 0 0 14 7 7 0 0 0 0-14m0 9.5a.75.75 0 1 1 0 1.5.75.75 0 0 1 0-1.5M10 6a.5.5 0 0 1 .5.41V11a.5.5 0 0 1-1 .09V6.5c0-.28.22-.5.5-.5',
  // mail_48_regular
  mail: 'M10.25 8A6.25 6.25 0 0 0 4 14.25v19.5C4 37.2 6.8 40 10.25 40h27.5C41.2 40 44 37.2 44 33.75v-19.5C44 10.8 41.2 8 37.75 8zM6.5 14.25a3.75 3.75 0 0 1 3.75-3.75h27.5a3.75 3.75 0 0 1 3.75 3.75v.89L24 24.35 6.5 15.06zm0 3.64 16.91 8.98c.37.2.8.2 1.17 0l16.92-8.9v15.78a3.75 3.75 0 0 1-3.75 3.75h-27.5a3.75 3.75 0 0 1-3.75-3.75z',
} as const satisfies Record<string, string>

/** Icons drawn as lines in a 20-pixel square. */
const LINES = {
  inbox:
    'M3 11h4a3 3 0 0 0 6 0h4M3 11l2-6.4A2 2 0 0 1 6.9 3.2h6.2A2 2 0 0 1 15 4.6L17 11v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  calendar:
    'M3 8h14M6.5 2.5v3M13.5 2.5v3M5 4h10a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z',
  newMeeting:
    'M3 8h14M6.5 2.5v3M13.5 2.5v3M5 4h10a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM10 10v5M7.5 12.5h5',
  save: 'M4 3h9l4 4v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V4a1 1 0 0 1 1-1zM6.5 3v4H12V3M6 17v-5h8v5',
  online:
    'M4.5 5h7A1.5 1.5 0 0 1 13 6.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 13.5v-7A1.5 1.5 0 0 1 4.5 5zM13 9l4-2.5v7L13 11',
  draft: 'M4 16l.9-3.9 8.7-8.6a1.9 1.9 0 0 1 2.8 2.8L7.8 15zM12 5l3 3',
  bold: 'M6.5 4H11a3 3 0 0 1 0 6H6.5zm0 6h5a3 3 0 0 1 0 6h-5zM7.4 4v12',
  italic: 'M8.5 4h5M6.5 16h5M11.6 4 8.4 16',
  underline: 'M6 3.5v5a4 4 0 0 0 8 0v-5M5 16.5h10',
  bullets: 'M8 5h9M8 10h9M8 15h9M4 4.9v.2M4 9.9v.2M4 14.9v.2',
  numbers:
    'M8.5 5H17M8.5 10H17M8.5 15H17M3.4 4l1.1-.6v3.2M3.3 9c.3-.9 1.9-.8 1.7.3-.1.7-1.7 1.3-1.7 2.2H5M3.4 13.6c.6-.5 1.7-.3 1.7.5 0 .7-.7.8-1.1.8.5 0 1.2.1 1.2.9s-1.3 1-1.9.4',
  link: 'M8.5 6H6.4a4 4 0 0 0 0 8h2.1M11.5 6h2.1a4 4 0 0 1 0 8h-2.1M7 10h6',
  person: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.5c0-2.8 2.6-4.4 6-4.4s6 1.6 6 4.4',
  language:
    'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM3.3 8h13.4M3.3 12h13.4M10 3c-3.6 3.6-3.6 10.4 0 14M10 3c3.6 3.6 3.6 10.4 0 14',
  theme: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM10 3v14M12.5 4v12M15 5.6v8.8',
} as const satisfies Record<string, string>

export type IconName = keyof typeof SHAPES | keyof typeof LINES

/** A decorative icon in the text colour. A button with only an icon needs an `aria-label`. */
export function Icon({ name }: { name: IconName }) {
  const side = name === 'mail' ? 48 : 20
  const drawing = {
    'aria-hidden': true,
    className: css.icon,
    width: side,
    height: side,
    viewBox: `0 0 ${side} ${side}`,
  } as const
  if (!isLine(name))
    return (
      <svg {...drawing} fill="currentColor">
        <path d={SHAPES[name]} />
      </svg>
    )
  return (
    <svg
      {...drawing}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'bold' ? 1.8 : 1.2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={LINES[name]} />
    </svg>
  )
}

const isLine = (name: IconName): name is keyof typeof LINES => name in LINES
