/** A separate build: pages that share files, or the launch event program. */
export type BuildGroup = Readonly<{
  /** The group's name in the terminal. */
  title: string
  /** The pages' paths in the project, all in one folder. Empty for the launch event program. */
  pages: readonly string[]
  /** Whether to write source maps; true for every shipped group. */
  hasMaps: boolean
}>

/**
 * Each shipped page is a separate group. Pages in one group share files, so each page loads more files and shared code
 * cannot be inlined. The playground's first pages share so much that one group builds in half the time.
 */
export const BUILD_GROUPS = {
  launchFile: { title: 'the program of launch events', pages: [], hasMaps: true },
  taskpane: { title: 'the pane', pages: ['src/pane/taskpane.html'], hasMaps: true },
  standalone: { title: 'the pane in a browser', pages: ['src/pane/index.html'], hasMaps: true },
  launch: { title: 'the page of launch events', pages: ['src/launch/launch.html'], hasMaps: true },
  administration: {
    title: 'the administration page',
    pages: ['src/administration/administration.html'],
    hasMaps: true,
  },
  playground: {
    title: 'the pane and the playground',
    pages: ['pane.html', 'launchFrame.html', 'playground.html'].map((page) => `src/playground/${page}`),
    hasMaps: false,
  },
  replay: { title: 'the timeline', pages: ['src/playground/replay.html'], hasMaps: false },
  office: { title: 'the playground', pages: ['src/playground/office/office.html'], hasMaps: false },
} as const satisfies Readonly<Record<string, BuildGroup>>

export type GroupName = keyof typeof BUILD_GROUPS

/** The groups that are shipped to an organisation. */
export const SHIPPED_GROUPS = ['launchFile', 'taskpane', 'standalone', 'launch', 'administration'] as const
