// npm run licences: writes the bill of materials (CycloneDX) and the licences of what runs with Tranche, from the
// lock file and the installed packages. No network, no time stamps: the same lock file gives the same bytes.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Locked {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

export interface Part {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly integrity: string | null
  readonly isOptional: boolean
  /** Part of the explorer's bundle rather than installed. */
  readonly isBundled: boolean
  /** Null if it is not installed here, as the binaries for other systems are not. */
  readonly text: string | null
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly description: string
}

/** Packages whose code the explorer's bundle contains, with what they need. */
const BUNDLED = [
  'react',
  'react-dom',
  'scheduler',
  'echarts',
  'zrender',
  'flexsearch',
  '@tanstack/',
  '@codemirror/',
  '@lezer/',
  '@fontsource-variable/inter',
  '@marijn/find-cluster-break',
  'style-mod',
  'w3c-keyname',
  'crelt',
] as const

const isBundled = (name: string): boolean =>
  BUNDLED.some(one => (one.endsWith('/') ? name.startsWith(one) : name === one))

/** Everything that is installed with the package or bundled into it, by name and version. */
export function partsOf(root: string): Part[] {
  const { packages } = readJson<{ packages: Readonly<Record<string, Locked>> }>(
    join(root, 'package-lock.json'),
  )
  const parts = new Map<string, Part>()
  for (const [path, locked] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const bundles = locked.dev === true && isBundled(name)
    if (path === '' || (locked.dev && !bundles)) continue
    parts.set(`${name}@${locked.version}`, {
      name,
      version: locked.version,
      license: locked.license ?? 'unknown',
      integrity: locked.integrity ?? null,
      isOptional: locked.optional === true,
      isBundled: bundles,
      text: licenceText(join(root, path)),
    })
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** The licence and notices that a package carries. */
function licenceText(folder: string): string | null {
  if (!existsSync(folder)) return null
  const files = readdirSync(folder)
    .filter(name => /^(licen[cs]e|copying|notice|ofl)([.-].*)?$/i.test(name))
    .sort()
  const texts = files.map(name => readFileSync(join(folder, name), 'utf8').replace(/\r\n?/g, '\n').trim())
  return texts.length > 0 ? texts.join('\n\n') : null
}

const purlOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`

/** The bill of materials, CycloneDX 1.6. */
export function billOf(parts: readonly Part[], { name, version, license, description }: Manifest): string {
  const components = parts.map(part => ({
    type: 'library',
    'bom-ref': purlOf(part),
    name: part.name,
    version: part.version,
    scope: part.isOptional ? 'optional' : 'required',
    ...(part.integrity && { hashes: [hashOf(part.integrity)] }),
    licenses: [
      / (OR|AND) /.test(part.license) ? { expression: part.license } : { license: { id: part.license } },
    ],
    purl: purlOf(part),
    ...(part.isBundled && { properties: [{ name: 'tranche:bundled', value: 'dist/web' }] }),
  }))
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex')
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')
  const component = {
    type: 'application',
    'bom-ref': purlOf({ name, version }),
    name,
    version,
    description,
    licenses: [{ license: { id: license } }],
    purl: purlOf({ name, version }),
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: { component },
    components,
    dependencies: [{ ref: component['bom-ref'], dependsOn: components.map(part => part['bom-ref']) }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/s)
  return { alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }
}

/** The licences in full, each text once. Optional packages may not be installed here: their licence is named. */
export function licencesText(parts: readonly Part[]): string {
  const byText = new Map<string, Part[]>()
  for (const part of parts.filter(each => !each.isOptional)) {
    const text = part.text ?? `Licensed under ${part.license}; the package carries no licence text.`
    byText.set(text, [...(byText.get(text) ?? []), part])
  }
  const optional = parts.filter(each => each.isOptional)
  const nameOf = ({ name, version, license }: Part) => `${name} ${version} (${license})`
  const rule = '-'.repeat(80)
  return [
    'Tranche runs with these packages. Their licences:',
    ...[...byText].map(([text, those]) => `${rule}\n${those.map(nameOf).join('\n')}\n\n${text}`),
    `${rule}\nInstalled where the system allows, under the licence named:\n\n${optional.map(nameOf).join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

/** The files and their text. */
export function licenceFiles(root: string): ReadonlyMap<string, string> {
  const parts = partsOf(root)
  return new Map([
    ['sbom.cdx.json', billOf(parts, readJson<Manifest>(join(root, 'package.json')))],
    ['THIRD-PARTY-LICENCES.txt', licencesText(parts)],
  ])
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const [file, text] of licenceFiles(process.cwd())) writeFileSync(file, text)
