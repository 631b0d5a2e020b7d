import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY, type Transport } from '@modelcontextprotocol/client';
import { isJsonObject } from '@countersign/model';
import type { RequestId } from './pending-requests.js';

type SendOptions = Parameters<Transport['send']>[1];
type OnMessage = NonNullable<Transport['onmessage']>;
type Result = Readonly<Record<string, unknown>>;

/** The member of a result that holds what the server has said. */
export const ANSWER = 'countersign/answer';

/** Of what a server wants to be reminded of, in characters. */
const MAX_STATE = 65_536;
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
 * (`resultType`, `ttlMs`). What they say is read elsewhere, one by one.
 */
export class AnswerTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: OnMessage;
  /** The requests that are not answered yet. */
  readonly #asked = new Map<string, { readonly method: string; readonly isStateless: boolean }>();

  /** @param onCancel a request is cancelled by the end of its stream, and not by a message (MCP 2026-07-28, "Cancellation") */
  constructor(
    private readonly inner: Transport,
    private readonly onCancel: (id: RequestId) => void,
  ) {
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.onmessage?.(this.#unseen(message) as typeof message, extra);
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
    if ('id' in message && message.id !== undefined) {
      const cancelled = message.id;
      requestSignal?.addEventListener(
        'abort',
        () => {
          this.#forget(cancelled);
          this.onCancel(cancelled);
        },
        { once: true },
      );
    }
    try {
      await this.inner.send(message, others);
    } catch (error) {
      this.#forget(id);
      throw error;
    }
  }

  /** @returns the id of a request whose result is handed on unseen */
  #note(message: JSONRPCMessage): RequestId | undefined {
    if (!('method' in message)) return undefined;
    const { method, params } = message;
    if (method === 'notifications/cancelled') this.#forget(params?.['requestId'] as RequestId | undefined);
    if (!('id' in message) || !Object.hasOwn(RIGHT, method)) return undefined;
    const isStateless = params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
    this.#asked.set(String(message.id), { method, isStateless });
    return message.id;
  }

  #forget(id: RequestId | undefined): void {
    this.#asked.delete(String(id));
  }

  #unseen(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message) return message;
    const asked = this.#asked.get(String(message.id));
    this.#forget(message.id);
    if (asked === undefined || !('result' in message)) return message;
    const { result } = message;
    if (asked.isStateless && wantsToBeAskedAgain(result)) return message;
    return { ...message, result: RIGHT[asked.method]?.(result) ?? result };
  }
}

/** Whether a server wants to be asked again with its state, and nothing else (MCP 2026-07-28, "Multi Round-Trip Requests"). */
function wantsToBeAskedAgain({ resultType, requestState, inputRequests }: Result): boolean {
  if (resultType !== 'input_required' || typeof requestState !== 'string' || requestState.length > MAX_STATE)
    return false;
  return !isJsonObject(inputRequests) || Object.keys(inputRequests).length === 0;
}
