import { isLei } from '../../credit/identifiers.ts'
import { parseJson } from './companyfacts.ts'
import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import { type Output, type Reader, Refused, type SourceFile } from './reader.ts'
import { textIn } from './source-cells.ts'

/** An LEI record of either form. */
interface Entity {
  readonly lei: string | null
  readonly name: string | null
  readonly otherNames: readonly string[]
  readonly jurisdiction: string | null
  readonly status: string | null
}

export const gleif: Reader = {
  kind: 'gleif',
  doc: 'LEI records of GLEIF (level 1 golden copy), JSON or CSV, and answers of its API.',
  recognises: file =>
    isAnswer(file) ||
    /^[\s\uFEFF]*\{\s*"records"\s*:\s*\[\s*\{\s*"LEI"\s*:\s*\{\s*"\$"/.test(file.head) ||
    hasColumns(headerOf(file), 'LEI', 'Entity.LegalName'),

  async read(file, sink) {
    let position = 0
    for await (const { at, raw, entity } of entitiesIn(file)) {
      const made = outputOf(entity, ++position)
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else await sink.take(at, [made])
      if (position % 10_000 === 0) await sink.drain()
    }
  },
}

function outputOf(
  { lei, name, otherNames, jurisdiction, status }: Entity,
  position: number,
): Output | string {
  if (lei === null || !isLei(lei))
    return `LEI: ${JSON.stringify(lei ?? '')} is not an LEI with valid check digits`
  if (name === null) return 'no legal name'
  const others = [...new Set(otherNames)].filter(other => other !== name)
  return {
    dataset: 'directory',
    values: {
      registry: 'gleif',
      name,
      position,
      lei,
      jurisdiction,
      other_names: others.length > 0 ? others : null,
      status,
    },
  }
}

interface Located {
  readonly at: string
  readonly raw: string
  readonly entity: Entity
}

const isJson = (file: SourceFile) => /^[\s\uFEFF]*\{/.test(file.head)

const entitiesIn = (file: SourceFile): AsyncGenerator<Located> => {
  if (isAnswer(file)) return answeredEntities(file)
  return isJson(file) ? jsonEntities(file) : csvEntities(file)
}

/** An answer of `api.gleif.org/api/v1/lei-records`, of one record or a page of them. */
const isAnswer = (file: SourceFile): boolean =>
  isJson(file) &&
  /"data"\s{0,20}:\s{0,20}(?:\[\s{0,20})?\{\s{0,20}"type"\s{0,20}:\s{0,20}"lei-records"/.test(file.head) &&
  /"attributes"\s*:/.test(file.head)

interface Answered {
  readonly id?: string
  readonly attributes?: {
    readonly lei?: string
    readonly entity?: {
      readonly legalName?: { readonly name?: string }
      readonly otherNames?: readonly { readonly name?: string }[]
      readonly transliteratedOtherNames?: readonly { readonly name?: string }[]
      readonly jurisdiction?: string | null
    }
    readonly registration?: { readonly status?: string | null }
  }
}

async function* answeredEntities(file: SourceFile): AsyncGenerator<Located> {
  const { data } = parseJson(await file.text()) as { data: Answered | readonly Answered[] }
  for (const [i, record] of [data].flat().entries()) {
    const { lei, entity, registration } = record.attributes ?? {}
    yield {
      at: `record ${i + 1}`,
      raw: JSON.stringify(record),
      entity: {
        lei: lei ?? record.id ?? null,
        name: textIn(entity?.legalName?.name),
        otherNames: [...(entity?.otherNames ?? []), ...(entity?.transliteratedOtherNames ?? [])].flatMap(
          other => textIn(other.name) ?? [],
        ),
        jurisdiction: textIn(entity?.jurisdiction ?? undefined),
        status: textIn(registration?.status ?? undefined),
      },
    }
  }
}

async function* csvEntities(file: SourceFile): AsyncGenerator<Located> {
  let column: ReturnType<typeof columnsOf> | undefined
  let others: number[] = []
  for await (const { at, cells, raw } of csvRecords(file)) {
    if (!column) {
      column = columnsOf(cells)
      others = cells.flatMap((name, i) =>
        /^Entity\.(Transliterated)?OtherEntityNames\.(Transliterated)?OtherEntityName\.\d+$/.test(name.trim())
          ? [i]
          : [],
      )
      continue
    }
    const get = (name: string) => textIn(cells[column!(name) ?? -1])
    yield {
      at,
      raw,
      entity: {
        lei: get('LEI'),
        name: get('Entity.LegalName'),
        otherNames: others.flatMap(i => textIn(cells[i]) ?? []),
        jurisdiction: get('Entity.LegalJurisdiction'),
        status: get('Registration.RegistrationStatus'),
      },
    }
  }
}

interface Named {
  readonly $?: string
}

interface Registered {
  readonly LEI?: Named
  readonly Entity?: {
    readonly LegalName?: Named
    readonly OtherEntityNames?: { readonly OtherEntityName?: Named | Named[] }
    readonly TransliteratedOtherEntityNames?: { readonly TransliteratedOtherEntityName?: Named | Named[] }
    readonly LegalJurisdiction?: Named
  }
  readonly Registration?: { readonly RegistrationStatus?: Named }
}

async function* jsonEntities(file: SourceFile): AsyncGenerator<Located> {
  let count = 0
  for await (const raw of recordsOf(file)) {
    const at = `record ${++count}`
    const { LEI, Entity, Registration } = parsed(raw, at)
    yield {
      at,
      raw,
      entity: {
        lei: LEI?.$ ?? null,
        name: textIn(Entity?.LegalName?.$),
        otherNames: [
          Entity?.OtherEntityNames?.OtherEntityName ?? [],
          Entity?.TransliteratedOtherEntityNames?.TransliteratedOtherEntityName ?? [],
        ]
          .flat()
          .flatMap(other => textIn(other.$) ?? []),
        jurisdiction: textIn(Entity?.LegalJurisdiction?.$),
        status: textIn(Registration?.RegistrationStatus?.$),
      },
    }
  }
}

function parsed(raw: string, at: string): Registered {
  try {
    return JSON.parse(raw) as Registered
  } catch (error) {
    throw new Refused(`${at} is not JSON (${(error as Error).message}): fetch the file again`)
  }
}

/** The text of each object in the file's first array, streamed: the whole file need not fit in memory. */
async function* recordsOf(file: SourceFile): AsyncGenerator<string> {
  const source = await file.open()
  source.setEncoding('utf8')
  let pending = ''
  let at = 0
  let begin = -1
  let depth = 0
  let inText = false
  let isEnded = false
  for await (const chunk of source as AsyncIterable<string>) {
    if (isEnded) continue
    pending = begin >= 0 ? pending + chunk : pending.slice(at) + chunk
    if (begin < 0) at = 0
    for (; at < pending.length && !isEnded; at++) {
      const code = pending.charCodeAt(at)
      if (inText) {
        if (code === BACKSLASH) at++
        else if (code === QUOTE) inText = false
      } else if (code === QUOTE) inText = true
      else if (code === OPEN) {
        // Depth 1 is the file's own object; records are at depth 2.
        if (++depth === 2) begin = at
      } else if (code === CLOSE) {
        if (--depth === 1) {
          yield pending.slice(begin, at + 1)
          pending = pending.slice(at + 1)
          at = -1
          begin = -1
        } else if (depth === 0) isEnded = true
      }
    }
  }
  if (!isEnded) throw new Refused('the file is truncated: download it again')
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
