/** Maximum characters of a user agent to look at. */
const LONGEST_AGENT = 500

/** `Chrome on Windows` from a user agent; other programs' names unchanged. */
export function browserOf(agent: string | null): string {
  if (agent === null) return 'Not known'
  const text = agent.slice(0, LONGEST_AGENT)
  const browser = browsers.find(([, mark]) => mark.test(text))?.[0]
  const system = systems.find(([, mark]) => mark.test(text))?.[0]
  return browser && system ? `${browser} on ${system}` : (browser ?? agent)
}

type Marks = readonly (readonly [string, RegExp])[]

// Browsers also name those they imitate, so the rarer come first.
const browsers: Marks = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  // at most 500 characters: LONGEST_AGENT
  ['Safari', /\bVersion\/.*\bSafari\//],
]

const systems: Marks = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
