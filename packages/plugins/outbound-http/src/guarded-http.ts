import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { inject, injectable } from 'inversify';
import {
  type Live,
  OutboundHttpError,
  type OutboundHttpPort,
  type OutboundRequest,
  type OutboundResponse,
} from '@countersign/core/plugin';
import { checkHeaders, checkMethod, checkUrl } from './check-request.js';
import { LiveOutboundConfiguration, type OutboundConfiguration } from './configuration.js';
import { exchange } from './exchange.js';
import { explained, failed, refused } from './failures.js';
import { blockList, parseNetwork } from './networks.js';
import { readAnswer } from './read-answer.js';
import { follow, locationOf, type Hop } from './redirect.js';
import { resolveHost, ResolveName } from './resolve-host.js';
import { hideInBytes, hideInText, placeCredential } from './secrets.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_REDIRECTS = 5;
/** What is longer, Node's timers take for no time at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const USER_AGENT = 'Countersign';

/** Where a call has come to, for what is said if it fails there. */
interface Place {
  host: string;
  wasSent: boolean;
}

/** Calls with Node's own client, hop by hop, each one checked before a connection is made. */
@injectable()
export class GuardedHttp implements OutboundHttpPort {
  constructor(
    @inject(LiveOutboundConfiguration) private readonly configuration: Live<OutboundConfiguration>,
    @inject(ResolveName) private readonly resolve: ResolveName,
  ) {}

  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
    const both = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]);
    const place: Place = { host: 'the host', wasSent: false };
    try {
      return await orAborted(this.hops(request, both, place), both);
    } catch (error) {
      signal?.throwIfAborted();
      const late = deadline.signal.aborted
        ? failed('outbound_timeout', `${place.host} did not answer completely within ${timeoutMs} ms.`)
        : undefined;
      const { code, message, retryable, cause } = late ?? explained(error, place.host);
      throw new OutboundHttpError(code, message, retryable, { cause, wasSent: place.wasSent });
    } finally {
      clearTimeout(timer);
      // Whatever still goes on, such as the look-up of a name, has nobody to answer to.
      deadline.abort();
    }
  }

  private async hops(request: OutboundRequest, signal: AbortSignal, place: Place): Promise<OutboundResponse> {
    const { maxRedirects = DEFAULT_MAX_REDIRECTS, maxBytes = DEFAULT_MAX_BYTES } = request;
    const hidden = new Set<string>();
    let hop: Hop = {
      url: checkUrl(request.url, undefined, request),
      method: checkMethod(request.method),
      headers: { 'user-agent': USER_AGENT, ...checkHeaders(request.headers ?? {}), 'accept-encoding': 'identity' },
      body: request.body,
      credential: request.credential,
    };
    for (let redirects = 0; ; redirects += 1) {
      place.host = hop.url.host;
      const answer = await this.exchangeHop(hop, signal, hidden, place);
      const location = locationOf(answer);
      if (location === undefined || maxRedirects === 0) return await shown(answer, hop, maxBytes, [...hidden]);
      answer.destroy();
      if (redirects === maxRedirects)
        throw refused('outbound_too_many_redirects', `${hop.url.host} redirects more than ${maxRedirects} times.`);
      hop = follow(hop, answer.statusCode ?? 0, checkUrl(location, hop.url, request));
    }
  }

  private async exchangeHop(
    { url, method, headers, body, credential }: Hop,
    signal: AbortSignal,
    hidden: Set<string>,
    place: Place,
  ): Promise<IncomingMessage> {
    // As it is now: a network that was closed since, or a secret that was rotated, holds from the next hop on.
    const { AllowedNetworks, Secrets } = this.configuration.current.Connectors;
    const { addresses, isPublic } = await resolveHost(url, this.resolve, networks(AllowedNetworks));
    signal.throwIfAborted();
    const placed = credential === undefined ? undefined : placeCredential(credential, url, isPublic, Secrets);
    for (const form of placed?.hidden ?? []) hidden.add(form);
    const all = placed === undefined ? headers : { ...headers, [placed.name]: placed.value };
    const onConnect = () => {
      place.wasSent = true;
    };
    return exchange({ method, url, headers: all, body, addresses, signal, onConnect });
  }
}

function networks(texts: readonly string[]): BlockList {
  return blockList(texts.map(parseNetwork).filter((network) => network !== undefined));
}

async function shown(
  answer: IncomingMessage,
  { method, url }: Hop,
  maxBytes: number,
  hidden: readonly string[],
): Promise<OutboundResponse> {
  const body = await readAnswer(answer, method, url.host, maxBytes);
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    // Cookies are sessions, and nobody here keeps any.
    typeof value === 'string' ? [[name, hideInText(value, hidden)] as const] : [],
  );
  return {
    status: answer.statusCode ?? 0,
    url: url.href,
    headers: Object.fromEntries(headers),
    body: hideInBytes(body, hidden),
  };
}

/** Not every part of a call can be aborted: the look-up of a name can't. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
