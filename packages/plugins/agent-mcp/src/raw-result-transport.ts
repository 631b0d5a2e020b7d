import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { RequestId } from './pending-requests.js';

type SendOptions = Parameters<Transport['send']>[1];
type OnMessage = NonNullable<Transport['onmessage']>;
type Result = Readonly<Record<string, unknown>>;

/** The member of a result that holds the original result of the server. */
export const RAW_RESULT = 'countersign/answer';

const MAX_REVISIONS = 100;

/**
 * Functions that create placeholder results, which the SDK accepts in any revision, by method. A list of MCP 2026-07-28
 * must state how long it is valid.
 */
const PLACEHOLDER_RESULTS: Readonly<Record<string, (result: Result) => Result>> = {
  'initialize': ({ protocolVersion }) => ({
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : 'none',
    capabilities: {},
    serverInfo: { name: '', version: '' },
  }),
  'server/discover': ({ supportedVersions }) =>
    Array.isArray(supportedVersions)
      ? {
          resultType: 'complete',
          supportedVersions: supportedVersions.slice(0, MAX_REVISIONS).filter((each) => typeof each === 'string'),
          capabilities: {},
        }
      : {},
  'tools/list': (result) => ({
    resultType: 'complete',
    tools: [],
    ttlMs: 0,
    cacheScope: 'private',
    [RAW_RESULT]: result,
  }),
  'tools/call': (result) => ({ resultType: 'complete', content: [], [RAW_RESULT]: result }),
};

/**
 * A transport that passes results of servers to the SDK without validation. The SDK refuses a whole list of tools if
 * one of them is broken, builds one string of all errors in a result, possibly a million, and requires members that
 * servers omit (`resultType`, `ttlMs`). The original results are read elsewhere, item by item. Responses without a
 * request are ignored.
 */
export class RawResultTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;
  /** Pending requests by id. The key is a string, because some servers return a numeric id as a string. */
  readonly #pendingRequests = new Map<string, { readonly id: RequestId; readonly method: string }>();

  /**
   * @param onCancel called when a request is cancelled by closing its stream, not by a message (MCP 2026-07-28,
   * "Cancellation")
   */
  constructor(
    private readonly inner: Transport,
    private readonly onCancel: (id: RequestId) => void,
  ) {
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      const acceptedMessage = this.#replaceResult(message);
      if (acceptedMessage !== undefined) this.onmessage?.(acceptedMessage as typeof message, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    const id = this.#trackRequest(message);
    // The SDK would combine this signal with the connection's, which would keep every one of them in memory under
    // Node.js 20.
    const { requestSignal, ...others } = options;
    const cancel = (): void => {
      if (id === undefined) return;
      this.#pendingRequests.delete(String(id));
      this.onCancel(id);
    };
    requestSignal?.addEventListener('abort', cancel, { once: true });
    try {
      await this.inner.send(message, others);
    } catch (error) {
      this.#pendingRequests.delete(String(id));
      throw error;
    }
  }

  /**
   * Records an outgoing message.
   *
   * @returns the id of the message if it is a request
   */
  #trackRequest(message: JSONRPCMessage): RequestId | undefined {
    if (!('method' in message)) return undefined;
    const { method, params } = message;
    if (method === 'notifications/cancelled') this.#pendingRequests.delete(String(params?.['requestId']));
    if (!('id' in message)) return undefined;
    this.#pendingRequests.set(String(message.id), { id: message.id, method });
    return message.id;
  }

  /**
   * Replaces the result of a response with one that the SDK accepts.
   *
   * @returns `undefined` for a response without a request; the SDK would match `"01"` with the request 1
   */
  #replaceResult(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if ('method' in message) return message;
    const request = this.#pendingRequests.get(String(message.id));
    if (request === undefined) return undefined;
    this.#pendingRequests.delete(String(message.id));
    const { id, method } = request;
    if (!('result' in message)) return { ...message, id };
    const toPlaceholder = Object.hasOwn(PLACEHOLDER_RESULTS, method) ? PLACEHOLDER_RESULTS[method] : undefined;
    return { ...message, id, result: toPlaceholder?.(message.result) ?? message.result };
  }
}
