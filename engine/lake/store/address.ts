/** Whether a location names a store rather than a folder: `s3://bucket/desk`, `file:///mnt/share/desk`. */
export const isStore = (location: string): boolean => /^[a-z][a-z0-9+]{0,20}:\/\//i.test(location)
