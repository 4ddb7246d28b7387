/** A parameter's name as an option: `min_ytm` is `min-ytm`. */
export const kebab = (name: string): string => name.replaceAll('_', '-')
export const snake = (name: string): string => name.replaceAll('-', '_')
