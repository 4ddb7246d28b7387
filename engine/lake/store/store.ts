import type { Readable } from 'node:stream'
import type { Fingerprint } from '../fingerprint.ts'

/** A small object, whole. The tag changes with its content. */
export interface TextObject {
  readonly text: string
  readonly tag: string
}

/**
 * Where snapshots are published for other machines: object storage, or a folder that they share. Names are paths with
 * forward slashes. Errors are STORAGE_FAILED, with what to do.
 */
export interface Store {
  /** As it was given. */
  readonly url: string
  /** A small object; null if there is none. */
  read(name: string, signal?: AbortSignal): Promise<TextObject | null>
  /** Size and SHA-256 of an object as they were when it was stored; null if there is none. */
  describe(name: string, signal?: AbortSignal): Promise<Fingerprint | null>
  /** The bytes of an object from an offset. */
  get(name: string, from: number, signal?: AbortSignal): Promise<Readable>
  /** Stores a file. Readers see all of it or nothing; bytes that change on the way are refused. */
  put(name: string, path: string, expected: Fingerprint, signal?: AbortSignal): Promise<void>
  /**
   * Writes a small object if it still has the tag, or, if that is null, if there is none.
   * @returns false if another writer was first
   */
  swap(name: string, text: string, tag: string | null, signal?: AbortSignal): Promise<boolean>
  close(): void
}
