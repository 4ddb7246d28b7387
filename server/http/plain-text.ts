import { invalid } from '../../engine/base/errors.ts'

/** Control characters, and those that turn the direction of what is around them. */
const hidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Text that people give others to read: nothing in it may be hidden. `lines` may have several. */
export function checkPlain(name: string, text: string | undefined, { lines = false } = {}): void {
  if (text !== undefined && hidden.test(lines ? text.replaceAll(/[\n\r\t]/g, '') : text))
    throw invalid(name, null, `${name} holds control characters: send plain text`)
}
