/** The most that twice the length may cost in measured time. Linear work costs 2, quadratic work 4. */
export const MOST_GROWTH = 2.5
