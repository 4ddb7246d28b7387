/** The browser's Trusted Types policy: nobody may write markup, except libraries that set it to empty. */
const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): unknown } })
  .trustedTypes
types?.createPolicy('default', {
  createHTML(text: string) {
    if (text === '') return text
    throw new TypeError('markup is never written into this page')
  },
})
