/** The types of lock.mjs, which documents its exports. */
export declare function takeLock(file: string): Promise<{ wasLeft: boolean; unlock: () => void }>
