/**
 * Which rows callers of standard coverage see, where rows do not carry the `coverage` of their company: `all`, or those
 * that name companies, instruments or entities of standard coverage. All of several names must be of such.
 */
export type Visibility = 'all' | readonly Naming[]

/** The columns by which a row names a company, an instrument or an entity: any one of them is enough. */
export interface Naming {
  readonly names: 'companies' | 'bonds' | 'entities'
  readonly by: readonly string[]
}
