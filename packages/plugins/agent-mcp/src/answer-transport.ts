import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { RequestId } from './pending-requests.js';

type SendOptions = Parameters<Transport['send']>[1];
type OnMessage = NonNullable<Transport['onmessage']>;
type Result = Readonly<Record<string, unknown>>;

/** The member of a result that holds what the server has said. */
export const ANSWER = 'countersign/answer';

const MAX_REVISIONS = 100;

/** What the SDK finds right in any revision; a list of MCP 2026-07-28 says how long it holds. */
const RIGHT: Readonly<Record<string, (result: Result) => Result>> = {
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
  'tools/list': (result) => ({ resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private', [ANSWER]: result }),
  'tools/call': (result) => ({ resultType: 'complete', content: [], [ANSWER]: result }),
};

/**
 * A transport that hands the SDK the results of servers unseen. The SDK refuses a whole list of tools where one of them is
 * broken, makes a text of all faults of a result, which may be a million, and wants members of it that servers leave out
 * (`resultType`, `ttlMs`). What they say is read elsewhere, one by one. Answers to what was not asked are passed over.
 */
export class AnswerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;
  /** The requests that are not answered yet. By a text: some servers make one of the number that they were asked with. */
  readonly #asked = new Map<string, { readonly id: RequestId; readonly method: string }>();

  /** @param onCancel a request is cancelled by the end of its stream, and not by a message (MCP 2026-07-28, "Cancellation") */
  constructor(
    private readonly inner: Transport,
    private readonly onCancel: (id: RequestId) => void,
  ) {
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      const unseen = this.#unseen(message);
      if (unseen !== undefined) this.onmessage?.(unseen as typeof message, extra);
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
    const id = this.#note(message);
    // The SDK would make one signal of this one and that of the connection, which would keep each of them under Node.js 20.
    const { requestSignal, ...others } = options;
    const cancel = (): void => {
      if (id === undefined) return;
      this.#asked.delete(String(id));
      this.onCancel(id);
    };
    requestSignal?.addEventListener('abort', cancel, { once: true });
    try {
      await this.inner.send(message, others);
    } catch (error) {
      this.#asked.delete(String(id));
      throw error;
    }
  }

  /** @returns the id of a request */
  #note(message: JSONRPCMessage): RequestId | undefined {
    if (!('method' in message)) return undefined;
    const { method, params } = message;
    if (method === 'notifications/cancelled') this.#asked.delete(String(params?.['requestId']));
    if (!('id' in message)) return undefined;
    this.#asked.set(String(message.id), { id: message.id, method });
    return message.id;
  }

  /** @returns `undefined` for an answer to nothing; the SDK would take `"01"` for one to the request 1 */
  #unseen(message: JSONRPCMessage): JSONRPCMessage | undefined {
    if ('method' in message) return message;
    const asked = this.#asked.get(String(message.id));
    if (asked === undefined) return undefined;
    this.#asked.delete(String(message.id));
    const { id, method } = asked;
    if (!('result' in message)) return { ...message, id };
    const right = Object.hasOwn(RIGHT, method) ? RIGHT[method] : undefined;
    return { ...message, id, result: right?.(message.result) ?? message.result };
  }
}
