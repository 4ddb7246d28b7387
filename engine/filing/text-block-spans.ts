import { lastOf } from '../base/elements.ts'
import type { TextBlock } from './block.ts'

interface Span {
  readonly concept: string | null
  readonly id: string | null
  readonly next: string | null
  readonly from: number
  readonly depth: number
  readonly tag: string
  to: number
}

/** Collects the tagged text blocks of inline XBRL while reading: they nest, and continue elsewhere by id. */
export class TextBlockSpans {
  private readonly open_: Span[] = []
  private readonly spans: Span[] = []

  open(tag: string, attributes: Readonly<Record<string, string>>, at: number, depth: number): void {
    const { name, id = null } = attributes
    const isText = tag === 'ix:nonnumeric' && name?.endsWith('TextBlock')
    if (!isText && tag !== 'ix:continuation') return
    const span = {
      concept: isText ? name! : null,
      id,
      next: attributes['continuedat'] ?? null,
      from: at,
      to: at,
      depth,
      tag,
    }
    this.open_.push(span)
    this.spans.push(span)
  }

  close(tag: string, depth: number, at: number): void {
    while (this.open_.length > 0 && lastOf(this.open_).depth >= depth) {
      const span = this.open_.pop()!
      span.to = at
      if (span.tag === tag && span.depth === depth) return
    }
  }

  resolved(end: number): TextBlock[] {
    for (const span of this.open_) span.to = end
    const continued = new Map(
      this.spans.flatMap(span => (span.concept === null && span.id ? [[span.id, span]] : [])),
    )
    return this.spans
      .filter(span => span.concept !== null)
      .map(first => {
        const ranges: [number, number][] = []
        const seen = new Set<Span>()
        for (
          let span: Span | undefined = first;
          span && !seen.has(span);
          span = continued.get(span.next ?? '')
        ) {
          seen.add(span)
          ranges.push([span.from, span.to])
        }
        return { concept: first.concept!, ranges }
      })
  }
}
