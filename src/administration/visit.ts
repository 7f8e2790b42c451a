const VISIT_BYTES = 12

/** Creates the id of a visit: 24 random hex digits, which no other client can guess. */
export const createVisitId = (random: Pick<Crypto, 'getRandomValues'>): string =>
  Array.from(random.getRandomValues(new Uint8Array(VISIT_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
