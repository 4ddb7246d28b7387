import type { Column, Kind } from '../../../../engine/schema/column.ts'
import type { AnswerOf } from '../../../v1/client.ts'

export type Result = AnswerOf<'sql'>

/** A column of a statement's result: its kind is known, its unit is not. */
export const columnOf = (kind: string): Column => ({ kind: kind as Kind, doc: kind, nullable: true })
