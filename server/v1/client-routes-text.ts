import type { Endpoint } from './operations/endpoint.ts'

const key = (name: string): string => (/\W/.test(name) ? `'${name}'` : name)

/** The client's routes: a source file without the engine behind it. */
export const clientRoutesText = (endpoints: readonly Endpoint[]): string =>
  [
    '// Written by `npm run docs` from the declarations. Do not edit.',
    '/** Where each operation is asked. */',
    'export const routes = {',
    ...endpoints.map(
      ({ name, method, path, envelope }) =>
        `  ${key(name)}: { method: '${method}', path: '${path}', envelope: '${envelope}' },`,
    ),
    '} as const',
    '',
    '/** Those that may stand in a batch. */',
    'export const primitives = {',
    ...endpoints.filter(({ batch }) => batch).map(({ name }) => `  ${key(name)}: true,`),
    '} as const',
    '',
  ].join('\n')
