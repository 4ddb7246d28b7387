import type { Endpoint } from './operations/endpoint.ts'

const key = (name: string): string => (/\W/.test(name) ? `'${name}'` : name)

/** The client's routes as a source file, without the engine behind them. */
export const clientRoutesText = (endpoints: readonly Endpoint[]): string =>
  [
    '// Written by `npm run docs` from the declarations. Do not edit.',
    '/** The route of each operation. */',
    'export const routes = {',
    ...endpoints.map(
      ({ name, method, path, envelope }) =>
        `  ${key(name)}: { method: '${method}', path: '${path}', envelope: '${envelope}' },`,
    ),
    '} as const',
    '',
    '/** Those allowed in a batch. */',
    'export const primitives = {',
    ...endpoints.filter(({ batch }) => batch).map(({ name }) => `  ${key(name)}: true,`),
    '} as const',
    '',
  ].join('\n')
