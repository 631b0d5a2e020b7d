import type { ServiceIdentifier } from 'inversify';

/**
 * The one way in which plugins call other systems over HTTP. Where a call goes may come from a model or from data, so
 * each call says which hosts are meant, and only public addresses are reached, or those of networks that the operator
 * has allowed: each address is checked before it is connected to, on every redirect again.
 */
export interface OutboundHttpPort {
  /**
   * Sends one request, follows redirects, and reads the answer to its end. An answer of any status is an answer.
   *
   * @throws {OutboundHttpError} where there is none; what `signal` was aborted with, where it was.
   */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * The same, for an answer that may stay open: it is there with its head, and its body is read as it comes. `timeoutMs`
   * and `maxBytes` hold for the whole of it. Whoever takes it reads it to its end, or closes it.
   *
   * @throws {OutboundHttpError} as `send`, and so does the body while it is read
   */
  stream(request: OutboundRequest): Promise<OutboundStream>;
}

export const OutboundHttpPort: ServiceIdentifier<OutboundHttpPort> = Symbol.for('@countersign/core:OutboundHttpPort');

export interface OutboundRequest {
  readonly method: string;
  /** `http:` or `https:`, without user and password. */
  readonly url: string | URL;
  /** Without those that say how the message is framed and where it goes, and without credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly credential?: OutboundCredential;
  /**
   * `api.example.org`, `*.example.org` (any depth below, not itself) or `*`; with `:8443` or `:*` for other ports than the
   * one of the protocol. None allow nothing.
   */
  readonly allowedHosts: readonly string[];
  /** The key of the configuration that the allowed hosts come from, for who is refused. */
  readonly allowedHostsKey?: string;
  /** For all of it, redirects included, in milliseconds; by default 30 seconds. */
  readonly timeoutMs?: number;
  /** Largest body of the answer, decompressed; by default 1 MiB. */
  readonly maxBytes?: number;
  /** By default 5. With 0 a redirect is an answer like any other. */
  readonly maxRedirects?: number;
  /**
   * Hosts that redirects may lead to beside that of `url`, as `URL.host` gives them: for those who have told somebody where
   * the call goes to. By default all that are allowed.
   */
  readonly redirectHosts?: readonly string[];
  readonly signal?: AbortSignal;
}

/** What is sent along to prove who calls; left out as soon as a redirect leaves the origin. */
export type OutboundCredential =
  | { readonly type: 'bearer'; readonly secret: SecretSource }
  | { readonly type: 'basic'; readonly username: string; readonly secret: SecretSource }
  /** The value of a header of its own, such as `X-API-Key`. */
  | { readonly type: 'header'; readonly name: string; readonly secret: SecretSource };

/** The name of a secret of `Connectors:Secrets`, which goes to the hosts of that secret alone; or a secret of the caller's own. */
export type SecretSource = string | { reveal(): string };

export interface OutboundResponse {
  readonly status: number;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** By names in small letters, without cookies. A secret that was sent is `[secret]` where it came back, also in the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  /** Can be read once. */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the connection. What has not been read yet is lost, and the body ends. */
  close(): void;
}
