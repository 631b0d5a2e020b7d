import type { ServiceIdentifier } from 'inversify';

/**
 * Calls external systems over HTTP. Plugins must make all HTTP calls through this port. The destination may come from a
 * language model or from data, so each call states the allowed hosts, and only public addresses and networks that the
 * operator allows are reached. Each address is checked before a connection is opened, including those of redirects.
 */
export interface OutboundHttpPort {
  /**
   * Sends a request, follows redirects, and reads the whole response. A response with any status is a result, not an
   * error.
   *
   * @throws {OutboundHttpError} if there is no response; the reason of `signal` if it was aborted
   */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Like `send`, for a response that may stay open: it resolves when the headers have arrived, and the body is read as
   * it arrives. `timeoutMs` and `maxBytes` apply to the whole response. The caller must read it to the end or close it.
   *
   * @throws {OutboundHttpError} like `send`; reading the body throws it, too
   */
  stream(request: OutboundRequest): Promise<OutboundStream>;
}

export const OutboundHttpPort: ServiceIdentifier<OutboundHttpPort> = Symbol.for('@countersign/core:OutboundHttpPort');

export interface OutboundRequest {
  readonly method: string;
  /** An `http:` or `https:` URL without user information. */
  readonly url: string | URL;
  /** Headers, except those for framing and routing, and without credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly credential?: OutboundCredential;
  /**
   * Allowed hosts: `api.example.org`, `*.example.org` (all subdomains, at any depth) or `*`; with `:8443` or `:*` for
   * ports other than the default. An empty list allows none.
   */
  readonly allowedHosts: readonly string[];
  /** The configuration key of the allowed hosts, for the error message. */
  readonly allowedHostsKey?: string;
  /** Time limit for the whole call including redirects, in ms; by default 30 seconds. */
  readonly timeoutMs?: number;
  /** Largest response body after decompression, in bytes; by default 1 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of redirects, by default 5. With 0, a redirect is returned as a response. */
  readonly maxRedirects?: number;
  /**
   * Hosts that redirects may lead to in addition to that of `url`, as `URL.host` gives them. Use it if the destination
   * was disclosed before, for example to a policy. By default all allowed hosts.
   */
  readonly redirectHosts?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Credentials that are sent with the request, and dropped when a redirect leaves the origin. */
export type OutboundCredential =
  | { readonly type: 'bearer'; readonly secret: SecretSource }
  | { readonly type: 'basic'; readonly username: string; readonly secret: SecretSource }
  /** The value of a separate header such as `X-API-Key`. */
  | { readonly type: 'header'; readonly name: string; readonly secret: SecretSource };

/**
 * The name of a secret in `Connectors:Secrets`, which is sent only to the hosts of that secret; or a secret of the
 * caller.
 */
export type SecretSource = string | { reveal(): string };

export interface OutboundResponse {
  readonly status: number;
  /** The URL of the response, after redirects. */
  readonly url: string;
  /**
   * Headers by lower-case name, without cookies. A secret that was sent appears as `[secret]`, here and in the body.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  /** The body, which can be read only once. */
  readonly body: AsyncIterable<Buffer>;
  /** Closes the connection. Unread data is lost, and the body ends. */
  close(): void;
}
