import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { damaged, QueryError } from '../../base/errors.ts'
import type { Fingerprint } from '../fingerprint.ts'
import type { Store, TextObject } from './store.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** Files larger than a part are uploaded in parts: a store takes at most 5 GB at once, and a lost part is sent again alone. */
const PART_BYTES = 64 * 2 ** 20

/**
 * An S3-compatible bucket. Region, endpoint and credentials are found as the SDK documents it (`AWS_REGION`,
 * `AWS_ENDPOINT_URL_S3`, profiles, roles); they are in no message. Writes are conditional (`If-Match`,
 * `If-None-Match`), and each upload carries its SHA-256, which the store checks.
 */
export class S3Store implements Store {
  readonly url: string
  private readonly sdk: Sdk
  private readonly client: S3Client
  private readonly bucket: string
  private readonly prefix: string
  private readonly partBytes: number

  private constructor(
    url: string,
    sdk: Sdk,
    client: S3Client,
    bucket: string,
    prefix: string,
    partBytes: number,
  ) {
    this.url = url
    this.sdk = sdk
    this.client = client
    this.bucket = bucket
    this.prefix = prefix
    this.partBytes = partBytes
  }

  static async open(url: string, bucket: string, prefix: string, partBytes = PART_BYTES): Promise<S3Store> {
    // It would say at each start which versions of Node.js its next releases support (docs/dependencies.md).
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
    const sdk = await import('@aws-sdk/client-s3').catch(() => {
      throw new QueryError(
        'STORAGE_FAILED',
        's3:// needs the package @aws-sdk/client-s3: npm install @aws-sdk/client-s3',
        { store: url },
      )
    })
    // Stores other than the first of their kind are mostly reached by path.
    const byPath = Boolean(process.env['AWS_ENDPOINT_URL_S3'] || process.env['AWS_ENDPOINT_URL'])
    const client = new sdk.S3Client({
      forcePathStyle: byPath,
      followRegionRedirects: true,
      // Bytes are checked here, against the manifest; sums that stores of other makes do not know are left out.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    return new S3Store(url, sdk, client, bucket, prefix, partBytes)
  }

  async read(name: string, signal?: AbortSignal): Promise<TextObject | null> {
    try {
      const { Body, ETag } = await this.client.send(
        new this.sdk.GetObjectCommand(this.at(name)),
        during(signal),
      )
      return { text: await Body!.transformToString('utf-8'), tag: ETag! }
    } catch (error) {
      return this.absentOr(error)
    }
  }

  async describe(name: string, signal?: AbortSignal): Promise<Fingerprint | null> {
    try {
      const head = await this.client.send(new this.sdk.HeadObjectCommand(this.at(name)), during(signal))
      return { bytes: head.ContentLength ?? 0, sha256: head.Metadata?.['sha256'] ?? '' }
    } catch (error) {
      return this.absentOr(error)
    }
  }

  async get(name: string, from: number, signal?: AbortSignal): Promise<Readable> {
    try {
      const { Body } = await this.client.send(
        new this.sdk.GetObjectCommand({ ...this.at(name), ...(from > 0 && { Range: `bytes=${from}-` }) }),
        during(signal),
      )
      return Body as Readable
    } catch (error) {
      throw this.errorOf(error)
    }
  }

  async put(name: string, path: string, expected: Fingerprint, signal?: AbortSignal): Promise<void> {
    try {
      if (expected.bytes > this.partBytes) await this.putParts(name, path, expected, signal)
      else
        await this.client.send(
          new this.sdk.PutObjectCommand({
            ...this.at(name),
            Body: createReadStream(path),
            ContentLength: expected.bytes,
            ChecksumSHA256: Buffer.from(expected.sha256, 'hex').toString('base64'),
            Metadata: { sha256: expected.sha256 },
          }),
          during(signal),
        )
    } catch (error) {
      throw this.errorOf(error)
    }
  }

  private async putParts(
    name: string,
    path: string,
    expected: Fingerprint,
    signal?: AbortSignal,
  ): Promise<void> {
    const { UploadId } = await this.client.send(
      new this.sdk.CreateMultipartUploadCommand({
        ...this.at(name),
        ChecksumAlgorithm: 'SHA256',
        Metadata: { sha256: expected.sha256 },
      }),
      during(signal),
    )
    const upload = { ...this.at(name), UploadId }
    const file = await open(path, 'r')
    const whole = createHash('sha256')
    try {
      const parts = []
      for (let from = 0, number = 1; from < expected.bytes; from += this.partBytes, number++) {
        const bytes = Buffer.alloc(Math.min(this.partBytes, expected.bytes - from))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
        if (bytesRead !== bytes.length) throw damaged(path, 'became shorter while it was uploaded')
        whole.update(bytes)
        const ChecksumSHA256 = createHash('sha256').update(bytes).digest('base64')
        const sent = await this.client.send(
          new this.sdk.UploadPartCommand({ ...upload, PartNumber: number, Body: bytes, ChecksumSHA256 }),
          during(signal),
        )
        parts.push({ PartNumber: number, ETag: sent.ETag, ChecksumSHA256 })
      }
      if (whole.digest('hex') !== expected.sha256) throw damaged(path, 'changed while it was uploaded')
      await this.client.send(
        new this.sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
        during(signal),
      )
    } catch (error) {
      await this.client.send(new this.sdk.AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    } finally {
      await file.close()
    }
  }

  async swap(name: string, text: string, tag: string | null, signal?: AbortSignal): Promise<boolean> {
    const command = new this.sdk.PutObjectCommand({
      ...this.at(name),
      Body: text,
      ...(tag === null ? { IfNoneMatch: '*' } : { IfMatch: tag }),
    })
    try {
      await this.client.send(command, during(signal))
      return true
    } catch (error) {
      // 409: another conditional write of the object was under way; 404: it was removed since its tag was read.
      if ([404, 409, 412].includes(statusOf(error) ?? 0) && !isMissingBucket(error)) return false
      throw this.errorOf(error)
    }
  }

  close(): void {
    this.client.destroy()
  }

  private at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: this.prefix === '' ? name : `${this.prefix}/${name}` }
  }

  private absentOr(error: unknown): null {
    if (statusOf(error) === 404 && !isMissingBucket(error)) return null
    throw this.errorOf(error)
  }

  private errorOf(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof QueryError || error.name === 'AbortError') return error
    const status = statusOf(error)
    const advice = isMissingBucket(error)
      ? 'there is no such bucket: create it, or check the name'
      : status === 401 || status === 403
        ? 'access is denied: check the credentials and what they may do in the bucket'
        : /credential/i.test(error.name + error.message)
          ? 'no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile or a role'
          : /region is missing/i.test(error.message)
            ? 'set AWS_REGION'
            : `it cannot be reached or failed (${error.name}: ${error.message})`
    return new QueryError('STORAGE_FAILED', `${this.url}: ${advice}`, {
      store: this.url,
      ...(status && { status }),
    })
  }
}

const during = (signal: AbortSignal | undefined) => (signal ? { abortSignal: signal } : {})

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

const isMissingBucket = (error: unknown): boolean => (error as Error | null)?.name === 'NoSuchBucket'
