/** The types of keptBuilds.mjs, which documents its exports. */
export declare function useBuild(folder: string, entry: string): boolean
export declare function deleteOldBuilds(builds: string, current: string): void
