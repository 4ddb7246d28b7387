import { autocompletion, closeBrackets, completeFromList, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

interface Options {
  readonly parent: ShadowRoot
  readonly text: string
  /** Tables and their columns. */
  readonly schema: Readonly<Record<string, readonly string[]>>
  readonly change: (text: string) => void
  readonly run: () => void
}

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--panel)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--panel)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--panel)',
    border: '1px solid var(--line-strong)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-accent)',
    backgroundColor: 'var(--accent)',
  },
})

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
])

/** Every column, with its tables: a column is often typed before its table. */
function columnsOf(schema: Options['schema']) {
  const tables = new Map<string, string[]>()
  for (const [table, columns] of Object.entries(schema))
    for (const column of columns) tables.set(column, [...(tables.get(column) ?? []), table])
  return [...tables].map(([column, of]) => ({
    label: /^\w+$/.test(column) ? column : `"${column}"`,
    type: 'property',
    detail: of.length > 3 ? `${of.length} tables` : of.join(', '),
  }))
}

/**
 * Typing over a selection is handled here: Chromium would preserve the selection's colour as an inline style, which
 * the policy refuses.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event
    if (inputType !== 'insertText' || !data || view.state.selection.main.empty) return false
    event.preventDefault()
    view.dispatch(view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' }))
    return true
  },
})

/**
 * An editor inside a shadow root, where its styles are constructed sheets, which a policy without inline styles
 * allows.
 */
export function openEditor({ parent, text, schema, change, run }: Options): EditorView {
  return new EditorView({
    parent,
    root: parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        autocompletion(),
        sql({ dialect: PostgreSQL, schema: schema as Record<string, string[]>, upperCaseKeywords: true }),
        PostgreSQL.language.data.of({ autocomplete: completeFromList(columnsOf(schema)) }),
        syntaxHighlighting(colours),
        look,
        typeOver,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'SQL statement' }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) change(update.state.doc.toString())
        }),
        keymap.of([
          {
            key: 'Mod-Enter',
            run: () => {
              run()
              return true
            },
          },
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
      ],
    }),
  })
}
