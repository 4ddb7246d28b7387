/** The element at an index that is within bounds by construction; anything else is a bug. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  if (element === undefined) throw new RangeError(`there is no element ${index} in a list of ${list.length}`)
  return element
}

/** The first element of a list that is never empty. */
export const firstOf = <T>(list: ArrayLike<T>): T => elementAt(list, 0)

/** The last element of a list that is never empty. */
export const lastOf = <T>(list: ArrayLike<T>): T => elementAt(list, list.length - 1)

/** The text of a group that takes part in every match of its pattern. */
export function groupOf(match: RegExpMatchArray, name: number | string): string {
  const text = typeof name === 'number' ? match[name] : match.groups?.[name]
  if (text === undefined) throw new RangeError(`the match has no group ${name}`)
  return text
}

/** A member that the record always has. */
export function memberOf<T>(record: Readonly<Record<string, T>>, name: string): T {
  const member = record[name]
  if (member === undefined) throw new RangeError(`there is no member ${name}`)
  return member
}
