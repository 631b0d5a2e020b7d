import type { IncomingMessage } from 'node:http';
import type { BlockList as AddressSet } from 'node:net';
import { inject, injectable } from 'inversify';
import {
  type Live,
  type OutboundHttpPort,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from '@countersign/core/plugin';
import { OutboundCall } from './outbound-call.js';
import { checkHeaders, checkMethod, checkRedirect, checkUrl } from './check-request.js';
import { LiveOutboundConfiguration, type OutboundConfiguration } from './configuration.js';
import { sendExchange } from './exchange.js';
import { permanentError } from './outbound-errors.js';
import { createAddressSet, parseNetwork } from './networks.js';
import { openBody } from './open-body.js';
import { readResponseChunks, readBody } from './read-response.js';
import { buildNextHop, findRedirectLocation, type Hop } from './redirect.js';
import { resolveHost, ResolveName } from './resolve-host.js';
import { redactBytes, redactString, resolveCredential } from './secrets.js';

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_REDIRECTS = 5;
const USER_AGENT = 'Countersign';

/** Converts a response for the caller. */
type ConvertResponse<T> = (response: IncomingMessage, hop: Hop, secretForms: readonly string[]) => T | Promise<T>;

/** Makes calls with Node's HTTP client, hop by hop. Checks each hop before connecting. */
@injectable()
export class GuardedHttp implements OutboundHttpPort {
  constructor(
    @inject(LiveOutboundConfiguration) private readonly configuration: Live<OutboundConfiguration>,
    @inject(ResolveName) private readonly resolve: ResolveName,
  ) {}

  async send(request: OutboundRequest): Promise<OutboundResponse> {
    request.signal?.throwIfAborted();
    const call = new OutboundCall(request);
    try {
      return await this.execute(request, call, async (response, hop, secretForms) => {
        const body = await readBody(readChunks(response, hop, request));
        return { ...readHead(response, hop, secretForms), body: redactBytes(body, secretForms) };
      });
    } finally {
      call.end();
    }
  }

  async stream(request: OutboundRequest): Promise<OutboundStream> {
    request.signal?.throwIfAborted();
    const call = new OutboundCall(request);
    try {
      return await this.execute(request, call, (response, hop, secretForms) => ({
        ...readHead(response, hop, secretForms),
        ...openBody(response, readChunks(response, hop, request), secretForms, call),
      }));
    } catch (error) {
      call.end();
      throw error;
    }
  }

  private async execute<T>(request: OutboundRequest, call: OutboundCall, convert: ConvertResponse<T>): Promise<T> {
    try {
      return await rejectOnAbort(this.followRedirects(request, call, convert), call.signal);
    } catch (error) {
      throw call.toError(error);
    }
  }

  private async followRedirects<T>(
    request: OutboundRequest,
    call: OutboundCall,
    convert: ConvertResponse<T>,
  ): Promise<T> {
    const { maxRedirects = DEFAULT_MAX_REDIRECTS } = request;
    const secretForms = new Set<string>();
    const firstUrl = checkUrl(request.url, undefined, request);
    let hop: Hop = {
      url: firstUrl,
      method: checkMethod(request.method),
      headers: { 'user-agent': USER_AGENT, ...checkHeaders(request.headers ?? {}), 'accept-encoding': 'identity' },
      body: request.body,
      credential: request.credential,
    };
    for (let redirects = 0; ; redirects += 1) {
      call.host = hop.url.host;
      const response = await this.exchangeHop(hop, secretForms, call);
      const location = findRedirectLocation(response);
      if (location === undefined || maxRedirects === 0) return await convert(response, hop, [...secretForms]);
      response.destroy();
      if (redirects === maxRedirects)
        throw permanentError(
          'outbound_too_many_redirects',
          `The call exceeded its redirect limit (${maxRedirects}) at ${hop.url.host}.`,
        );
      const nextUrl = checkUrl(location, hop.url, request);
      checkRedirect(nextUrl, hop.url, firstUrl, request);
      hop = buildNextHop(hop, response.statusCode ?? 0, nextUrl);
    }
  }

  private async exchangeHop(
    { url, method, headers, body, credential }: Hop,
    secretForms: Set<string>,
    call: OutboundCall,
  ): Promise<IncomingMessage> {
    // Read the current configuration, so that a removed network or a rotated secret takes effect from the next hop.
    const { AllowedNetworks, Secrets } = this.configuration.current.Connectors;
    const { addresses, isPublic } = await resolveHost(url, this.resolve, toAddressSet(AllowedNetworks));
    call.signal.throwIfAborted();
    const resolvedCredential =
      credential === undefined ? undefined : resolveCredential(credential, url, isPublic, Secrets);
    for (const form of resolvedCredential?.secretForms ?? []) secretForms.add(form);
    const allHeaders =
      resolvedCredential === undefined ? headers : { ...headers, [resolvedCredential.name]: resolvedCredential.value };
    const onConnect = () => {
      call.wasSent = true;
    };
    return sendExchange({ method, url, headers: allHeaders, body, addresses, signal: call.signal, onConnect });
  }
}

function toAddressSet(networks: readonly string[]): AddressSet {
  return createAddressSet(networks.map(parseNetwork).filter((network) => network !== undefined));
}

function readChunks(
  response: IncomingMessage,
  { method, url }: Hop,
  { maxBytes = DEFAULT_MAX_BYTES }: OutboundRequest,
): AsyncIterable<Buffer> {
  return readResponseChunks(response, method, url.host, maxBytes);
}

function readHead(
  response: IncomingMessage,
  { url }: Hop,
  secretForms: readonly string[],
): Omit<OutboundResponse, 'body'> {
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    // Cookies (header values that are lists) are dropped, because sessions are not supported.
    typeof value === 'string' ? [[name, redactString(value, secretForms)] as const] : [],
  );
  return { status: response.statusCode ?? 0, url: url.href, headers: Object.fromEntries(headers) };
}

/**
 * Returns the result of the work, but rejects when the signal aborts, because not every part of a call can be aborted,
 * for example a name lookup.
 */
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
