/** Whether `npm run test:long` runs. */
export const IS_LONG = process.env['LONG'] !== undefined

/** The number of cases for a property: few in each run, many in `npm run test:long`. */
export const cases = (few: number, many = 20 * few) => ({ numRuns: IS_LONG ? many : few })
