export interface Form {
  /** As in a Content-Type header. */
  readonly type: string
  /** Without the dot; the usual one first. */
  readonly extensions: readonly [string, ...string[]]
  readonly binary: boolean
}

/** Every format in which rows leave the engine. */
export const formats = {
  json: { type: 'application/json; charset=utf-8', extensions: ['json'], binary: false },
  ndjson: { type: 'application/x-ndjson; charset=utf-8', extensions: ['ndjson', 'jsonl'], binary: false },
  csv: { type: 'text/csv; charset=utf-8; header=present', extensions: ['csv'], binary: false },
  arrow: {
    type: 'application/vnd.apache.arrow.stream',
    extensions: ['arrow', 'arrows'],
    binary: true,
  },
  parquet: { type: 'application/vnd.apache.parquet', extensions: ['parquet'], binary: true },
} as const satisfies Record<string, Form>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as readonly FormatName[]

/** The format of a file name's extension. */
export const formatOfFile = (file: string): FormatName | undefined => {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? ''
  return formatNames.find(name => (formats[name].extensions as readonly string[]).includes(extension))
}
