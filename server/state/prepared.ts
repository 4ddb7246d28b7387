import type { Compilable } from 'kysely'
import type { Db } from './store.ts'

class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement compiled once: `build` gets a placeholder for each value. Compiling takes longer than SQLite does to
 * run the statement.
 */
export function prepared<V extends object, R>(build: (value: V) => Compilable<R>) {
  const places = new Proxy({}, { get: (_, name) => new Place(String(name)) })
  const compiled = build(places as V).compile()
  return async (db: Db, values: V): Promise<R[]> => {
    const parameters = compiled.parameters.map(p => (p instanceof Place ? values[p.name as keyof V] : p))
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows
  }
}
