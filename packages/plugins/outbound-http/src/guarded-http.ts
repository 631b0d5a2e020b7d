import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { inject, injectable } from 'inversify';
import {
  type Live,
  type OutboundHttpPort,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from '@countersign/core/plugin';
import { Call } from './call.js';
import { checkHeaders, checkMethod, checkRedirect, checkUrl } from './check-request.js';
import { LiveOutboundConfiguration, type OutboundConfiguration } from './configuration.js';
import { exchange } from './exchange.js';
import { refused } from './failures.js';
import { blockList, parseNetwork } from './networks.js';
import { openBody } from './open-body.js';
import { answerChunks, readAnswer } from './read-answer.js';
import { follow, locationOf, type Hop } from './redirect.js';
import { resolveHost, ResolveName } from './resolve-host.js';
import { hideInBytes, redactString, placeCredential } from './secrets.js';

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_REDIRECTS = 5;
const USER_AGENT = 'Countersign';

/** Converts a response for the caller. */
type Show<T> = (answer: IncomingMessage, hop: Hop, hidden: readonly string[]) => T | Promise<T>;

/** Makes calls with Node's HTTP client, hop by hop. Checks each hop before connecting. */
@injectable()
export class GuardedHttp implements OutboundHttpPort {
  constructor(
    @inject(LiveOutboundConfiguration) private readonly configuration: Live<OutboundConfiguration>,
    @inject(ResolveName) private readonly resolve: ResolveName,
  ) {}

  async send(request: OutboundRequest): Promise<OutboundResponse> {
    request.signal?.throwIfAborted();
    const call = new Call(request);
    try {
      return await this.ask(request, call, async (answer, hop, hidden) => {
        const body = await readAnswer(chunksOf(answer, hop, request));
        return { ...headOf(answer, hop, hidden), body: hideInBytes(body, hidden) };
      });
    } finally {
      call.end();
    }
  }

  async stream(request: OutboundRequest): Promise<OutboundStream> {
    request.signal?.throwIfAborted();
    const call = new Call(request);
    try {
      return await this.ask(request, call, (answer, hop, hidden) => ({
        ...headOf(answer, hop, hidden),
        ...openBody(answer, chunksOf(answer, hop, request), hidden, call),
      }));
    } catch (error) {
      call.end();
      throw error;
    }
  }

  private async ask<T>(request: OutboundRequest, call: Call, show: Show<T>): Promise<T> {
    try {
      return await orAborted(this.hops(request, call, show), call.signal);
    } catch (error) {
      throw call.failure(error);
    }
  }

  private async hops<T>(request: OutboundRequest, call: Call, show: Show<T>): Promise<T> {
    const { maxRedirects = DEFAULT_MAX_REDIRECTS } = request;
    const hidden = new Set<string>();
    const first = checkUrl(request.url, undefined, request);
    let hop: Hop = {
      url: first,
      method: checkMethod(request.method),
      headers: { 'user-agent': USER_AGENT, ...checkHeaders(request.headers ?? {}), 'accept-encoding': 'identity' },
      body: request.body,
      credential: request.credential,
    };
    for (let redirects = 0; ; redirects += 1) {
      call.host = hop.url.host;
      const answer = await this.exchangeHop(hop, hidden, call);
      const location = locationOf(answer);
      if (location === undefined || maxRedirects === 0) return await show(answer, hop, [...hidden]);
      answer.destroy();
      if (redirects === maxRedirects)
        throw refused('outbound_too_many_redirects', `${hop.url.host} redirects more than ${maxRedirects} times.`);
      const next = checkUrl(location, hop.url, request);
      checkRedirect(next, hop.url, first, request);
      hop = follow(hop, answer.statusCode ?? 0, next);
    }
  }

  private async exchangeHop(
    { url, method, headers, body, credential }: Hop,
    hidden: Set<string>,
    call: Call,
  ): Promise<IncomingMessage> {
    // Read the current configuration, so that a closed network or a rotated secret takes effect from the next hop.
    const { AllowedNetworks, Secrets } = this.configuration.current.Connectors;
    const { addresses, isPublic } = await resolveHost(url, this.resolve, networks(AllowedNetworks));
    call.signal.throwIfAborted();
    const placed = credential === undefined ? undefined : placeCredential(credential, url, isPublic, Secrets);
    for (const form of placed?.hidden ?? []) hidden.add(form);
    const all = placed === undefined ? headers : { ...headers, [placed.name]: placed.value };
    const onConnect = () => {
      call.wasSent = true;
    };
    return exchange({ method, url, headers: all, body, addresses, signal: call.signal, onConnect });
  }
}

function networks(texts: readonly string[]): BlockList {
  return blockList(texts.map(parseNetwork).filter((network) => network !== undefined));
}

function chunksOf(
  answer: IncomingMessage,
  { method, url }: Hop,
  { maxBytes = DEFAULT_MAX_BYTES }: OutboundRequest,
): AsyncIterable<Buffer> {
  return answerChunks(answer, method, url.host, maxBytes);
}

function headOf(answer: IncomingMessage, { url }: Hop, hidden: readonly string[]): Omit<OutboundResponse, 'body'> {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    // Cookies (header values that are lists) are dropped, because sessions are not supported.
    typeof value === 'string' ? [[name, redactString(value, hidden)] as const] : [],
  );
  return { status: answer.statusCode ?? 0, url: url.href, headers: Object.fromEntries(headers) };
}

/** Rejects when the signal aborts, because not every part of a call supports abortion: a name lookup does not. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
