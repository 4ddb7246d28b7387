/** What people keep in their account, with the maximum number of each. */
export const savedKinds = { screen: 100, columns: 100, watchlist: 20, note: 500 } as const
export type SavedKind = keyof typeof savedKinds

/** A saved screen, column preset, watchlist or note. Everybody with a seat in the account sees and changes it. */
export interface SavedItem<B extends object = Readonly<Record<string, unknown>>> {
  readonly id: string
  readonly kind: SavedKind
  /** Unique among those of its kind in the account; a note's is its subject. */
  readonly name: string
  readonly body: B
  /** Email of the person who changed it last. */
  readonly by: string
  readonly createdAt: string
  readonly changedAt: string
}

export interface NewSavedItem extends Pick<SavedItem, 'kind' | 'name' | 'body'> {}

/** How many items an import added, replaced, and left as they were. */
export interface Imported {
  readonly added: number
  readonly replaced: number
  readonly kept: number
}

/** Who saves: a person in an account. */
export interface Saver {
  readonly accountId: string
  readonly email: string
}

export interface SavedWork {
  /** By name; all kinds unless one is given. */
  savedItems(accountId: string, kind?: SavedKind): Promise<SavedItem[]>
  /** Throws if the name is taken, or the account has the maximum of this kind. */
  saveItem(saver: Saver, item: NewSavedItem): Promise<SavedItem>
  /** Changes an item by a function of its former value; throws if there is no such item. */
  changeItem(
    saver: Saver,
    at: { kind: SavedKind; id: string },
    change: (item: SavedItem) => { name: string; body: object },
  ): Promise<SavedItem>
  /** False if there is no such item. */
  removeItem(accountId: string, kind: SavedKind, id: string): Promise<boolean>
  /** Adds items of a file in one transaction: all or none. `replace` changes items of the same name. */
  importItems(saver: Saver, items: readonly NewSavedItem[], replace: boolean): Promise<Imported>
  /** The day up to which a person has seen the changes of each watchlist, by its id. */
  seenDays(email: string): Promise<ReadonlyMap<string, string>>
  markSeen(email: string, watchlistId: string, day: string): Promise<void>
}

/** Names as people call the kinds in an error. */
export const wordsOfKind: Readonly<Record<SavedKind, { one: string; many: string }>> = {
  screen: { one: 'a saved screen', many: 'saved screens' },
  columns: { one: 'a column preset', many: 'column presets' },
  watchlist: { one: 'a watchlist', many: 'watchlists' },
  note: { one: 'a note', many: 'notes' },
}
