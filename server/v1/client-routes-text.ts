import type { Endpoint } from './operations/endpoint.ts'

const key = (name: string): string => (/\W/.test(name) ? `'${name}'` : name)

/** Whether a parameter is one of one list or company, and not only of some of the lists that an operation is given. */
const takes =
  (param: string) =>
  ({ params, resources }: Endpoint): boolean =>
    params[param] !== undefined && params['data_type'] === undefined && resources === undefined

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
    '/** Those of one list or company whose figures can be as first reported. */',
    'export const takesFirstPrints = {',
    ...endpoints.filter(takes('reported')).map(({ name }) => `  ${key(name)}: true,`),
    '} as const',
    '',
    '/** Those of one list or company whose figures are null beyond an age. */',
    'export const takesMaxAge = {',
    ...endpoints.filter(takes('max_age')).map(({ name }) => `  ${key(name)}: true,`),
    '} as const',
    '',
    '/** Those allowed in a batch. */',
    'export const primitives = {',
    ...endpoints.filter(({ batch }) => batch).map(({ name }) => `  ${key(name)}: true,`),
    '} as const',
    '',
  ].join('\n')
