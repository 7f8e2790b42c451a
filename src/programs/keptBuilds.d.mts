/** What keptBuilds.mjs exports, which has the documentation. */
export declare function useBuild(folder: string, entry: string): boolean
export declare function deleteOldBuilds(builds: string, current: string): void
