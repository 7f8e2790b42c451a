/** What lock.mjs exports, which has the documentation. */
export declare function takeLock(file: string): Promise<{ wasLeft: boolean; unlock: () => void }>
