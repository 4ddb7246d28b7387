export const modes = ['keyword', 'semantic', 'hybrid'] as const
export type Mode = (typeof modes)[number]
