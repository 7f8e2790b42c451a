/** The exports of keptBuilds.mjs; see its documentation. */
export declare function useBuild(folder: string, entry: string): boolean
export declare function deleteOldBuilds(builds: string, current: string): void
