import { Fragment } from 'react'

/** A snippet of the API, whose `<b>` becomes our own element; everything else stays text. */
export const Marked = ({ text }: { text: string }) => (
  <>
    {partsOf(text).map(({ at, text, marked }) =>
      marked ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
    )}
  </>
)

export function partsOf(text: string): { at: number; text: string; marked: boolean }[] {
  const parts: { at: number; text: string; marked: boolean }[] = []
  let marked = false
  let at = 0
  for (const part of text.split(/(<\/?b>)/)) {
    if (part === '<b>') marked = true
    else if (part === '</b>') marked = false
    else if (part) parts.push({ at, text: unescaped(part), marked })
    at += part.length
  }
  return parts
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

/** The entities that a snippet escapes. */
const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name]!)
