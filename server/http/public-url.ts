import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Request } from 'express'
import { invalid } from '../../engine/base/errors.ts'
import { urlOf } from './listen.ts'

/** A configured origin: scheme, host and port, and nothing else that links would lose. */
export function parsePublicUrl(text: string, parameter = 'public_url'): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === ''
  if (isOrigin) return url.origin
  throw invalid(
    parameter,
    text.replace(/\/\/[^/@]*@/, '//'),
    `${parameter} must be only scheme and host, such as https://debt.example.com or http://10.0.0.5:8787, without path, query or user`,
  )
}

/** The origin of the address that a connection came to: one of our own, chosen by the client. */
export function originOfSocket(socket: Socket): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket
  const isTls = (socket as TLSSocket).encrypted === true
  return new URL(urlOf(isTls ? 'https' : 'http', localAddress.replace(/^::ffff:/i, ''), localPort)).origin
}

/** Where links lead. The Host header plays no part, because the client may write anything there. */
export const publicOrigin = (publicUrl: string | null, { socket }: Pick<Request, 'socket'>): string =>
  publicUrl ?? originOfSocket(socket)

/** Whether the browser speaks TLS, to us or to the proxy in front. */
export const isSecure = (publicUrl: string | null, { secure }: Pick<Request, 'secure'>): boolean =>
  secure || publicUrl?.startsWith('https:') === true
