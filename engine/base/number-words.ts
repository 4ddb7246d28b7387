/** `zero` to `nineteen`, each at its value. */
export const SMALL_NUMBERS = [
  'zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine',
  'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen',
] // biome-ignore format: a row of ten

/** `twenty` to `ninety`, in order. */
export const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

/** The number that digits or one word of small letters say, `12` and `twelve`, `twenty`; null if none. */
export function numberOf(said: string): number | null {
  if (/^\d+$/.test(said)) return Number(said)
  const small = SMALL_NUMBERS.indexOf(said)
  if (small >= 0) return small
  const tens = TENS.indexOf(said)
  return tens < 0 ? null : (tens + 2) * 10
}
