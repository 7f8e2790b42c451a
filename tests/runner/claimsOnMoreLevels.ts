import type { Exceptions } from './claims.ts'

/** Rows with several sentences, each broken at a different level. A new exception needs a reason of the same kind. */
export const CLAIMS_ON_MORE_LEVELS: Exceptions = [
  {
    why: 'The rule says what, the effect when and in which order, and only the whole application meets each mail client.',
    claims: `
      AUTO-13 AUTO-17 CLIENT-1 CLIENT-2 HOST-5 INS-2 INS-3 SAFE-1 SAFE-3
    `,
  },
  {
    why: 'What is decided and what a person reads of it are two sentences of the row: the view draws what it is given.',
    claims: `
      AUTO-12 CHOOSE-1 SAFE-6 SET-2 SET-3 SET-5 SIG-7 SIG-10
    `,
  },
  {
    why: 'Two ends: the service answers, and the pane reads and decides. Either can be wrong while the other is right.',
    claims: `
      BLOCK-2 BLOCK-3 BLOCK-11 CFG-2 CHOOSE-2 MEET-1 MEET-6 SIG-4 VAR-6 VAR-7
    `,
  },
  {
    why: 'What is decided has its tests below; layout, focus, storage, a frame or a second window of it exist in a browser only.',
    claims: `
      ADOPT-6 ADOPT-8 AUTH-2 BLOCK-5 CHOOSE-3 CHOOSE-4 CHOOSE-5 CHOOSE-7 CHOOSE-8 INS-4 INS-5
      INS-6 KNOW-2 KNOW-4 KNOW-5 MEET-3 NAV-1 PROF-5 SAFE-4 SET-1 SIG-8 START-6 VAR-9
    `,
  },
  {
    why: 'A way through several programs in one row: the command or the service makes it, the rules decide, the page shows it.',
    claims: `
      ADOPT-1 ADOPT-2 ADOPT-3 ADOPT-7 ADOPT-9 ADOPT-10 ADOPT-13 ADOPT-14 SRV-32
    `,
  },
]
