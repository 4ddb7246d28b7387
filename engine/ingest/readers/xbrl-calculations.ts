import { SaxesParser } from 'saxes'
import { type Reader, Refused } from './reader.ts'
import { isLinkbase } from './xbrl-instance.ts'

const LINK = 'http://www.xbrl.org/2003/linkbase'
const XLINK = 'http://www.w3.org/1999/xlink'
/** The parser looks up namespaces in every open element; linkbases have fewer than five levels. */
const DEEPEST = 200

interface Arc {
  readonly role: string
  readonly from: string
  readonly to: string
  readonly weight: string
}

export const xbrlCalculations: Reader = {
  kind: 'xbrl-calculations',
  doc: 'XBRL calculation linkbase, XML: which figures of a filing add up to which total.',
  recognises: file => isLinkbase(file) && /<(?:[\w.-]+:)?calculationLink[\s>]/.test(file.head),

  async read(file, sink) {
    const { concepts, arcs } = parseLinks(await file.text())
    const document = documentOf(file.name)
    for (const [i, { role, from, to, weight }] of arcs.entries()) {
      const at = `arc ${i + 1}`
      const [parent, child] = [concepts.get(`${role} ${from}`), concepts.get(`${role} ${to}`)]
      if (parent === undefined || child === undefined)
        await sink.refuse(at, `${from} ${to}`, 'one end of the arc is missing from the file')
      else
        await sink.take(at, [
          { dataset: 'calculations', values: { document, role, parent, child, weight: Number(weight) } },
        ])
    }
    if (arcs.length === 0) sink.note('the linkbase has no calculation arcs')
  },
}

/** The name shared by an instance and its linkbases, from either's file name. */
export function documentOf(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('!')) + 1)
  return file.replace(/(?:_cal|_htm)?\.xml(?:\.gz)?$/i, '')
}

function parseLinks(text: string): { concepts: Map<string, string>; arcs: Arc[] } {
  const concepts = new Map<string, string>()
  const arcs: Arc[] = []
  let role = ''
  let depth = 0
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', tag => {
    if (++depth > DEEPEST) throw new Refused(`elements nest deeper than ${DEEPEST} levels: not a linkbase`)
    if (tag.uri !== LINK) return
    const attribute = (local: string, uri = XLINK) =>
      Object.values(tag.attributes).find(a => a.local === local && a.uri === uri)?.value ?? ''
    if (tag.local === 'calculationLink') role = attribute('role')
    else if (tag.local === 'loc') concepts.set(`${role} ${attribute('label')}`, conceptAt(attribute('href')))
    else if (tag.local === 'calculationArc')
      arcs.push({ role, from: attribute('from'), to: attribute('to'), weight: attribute('weight', '') })
  })
  parser.on('closetag', () => {
    depth--
  })
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`not well-formed XML (${(error as Error).message}): fetch the file again`)
  }
  return { concepts, arcs }
}

/** `us-gaap-2023.xsd#us-gaap_Liabilities` is `us-gaap:Liabilities`. */
const conceptAt = (href: string): string => href.slice(href.indexOf('#') + 1).replace('_', ':')
