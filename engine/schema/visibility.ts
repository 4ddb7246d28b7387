/**
 * Which rows callers of standard coverage see, if rows do not carry the `coverage` of their company: `all`, or those
 * that name companies, instruments or entities of standard coverage. If a row has several names, all of them must be.
 */
export type Visibility = 'all' | readonly Naming[]

/** The columns by which a row names a company, an instrument or an entity: any one of them is enough. */
export interface Naming {
  readonly names: 'companies' | 'bonds' | 'entities'
  readonly by: readonly string[]
}
