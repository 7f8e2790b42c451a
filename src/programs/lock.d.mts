/** The exports of lock.mjs; see its documentation. */
export declare function takeLock(file: string): Promise<{ wasLeft: boolean; unlock: () => void }>
