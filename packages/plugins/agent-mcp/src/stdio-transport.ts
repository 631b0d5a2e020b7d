import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { startsLikeMessage, LineReader, LineTooLongError } from './line-reader.js';
import { MeteredStream, type LineKind } from './metered-stream.js';
import type { OutputBounds } from './output-bounds.js';
import { killOnExit } from './kill-on-exit.js';
import { ProgramTerminatedError } from './program-errors.js';
import { toMessage, isErrorWithoutId, toMessages, tryParseJson } from './read-message.js';

/** Allowed number of non-message lines per allowed message, for programs that log on their standard output. */
const OTHER_LINES_PER_MESSAGE = 100;
/**
 * Maximum size of unread input of the program, in bytes: the program may send requests endlessly, and each gets a
 * response.
 */
const MAX_UNREAD_BYTES = 8_388_608;
const GRACE_MS = 2_000;
/** How long the output is read after the end of the program: processes that it started may keep the output open. */
const LAST_OUTPUT_MS = 2_000;

/** How to start a program. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** A user other than that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface StdioServer extends ProgramStart {
  readonly bounds: OutputBounds;
  /** Called with the standard error of the program. */
  onStderr(chunk: string): void;
  /** Called with a line of the standard output that is not a message. */
  onNoise(line: string): void;
}

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * An MCP transport over the standard input and output of a program, like the SDK's own, with these differences: the
 * program gets only the environment that is configured for it; the program and all processes that it starts form one
 * process group that ends as a whole; its output is read no faster than its limits allow, and the program is terminated
 * if it keeps exceeding one.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: StdioServer;
  readonly #lines: LineReader;
  #child: Program | undefined;
  #meters: readonly MeteredStream[] = [];
  #exitPromise: Promise<void> = Promise.resolve();
  #termination: ProgramTerminatedError | undefined;
  #exit: string | undefined;
  #isClosing = false;
  #hasOutputEnded = false;
  /** Reports the end of the program; set while its last output is read. */
  #reportEnd: (() => void) | undefined;
  /** Ids of requests to the program that have no response yet. */
  readonly #pendingIds = new Set<number>();
  /** The remaining messages of a batch; each one counts against the rate. */
  #batch: Iterator<unknown> = [].values();

  constructor(server: StdioServer) {
    this.#server = server;
    this.#lines = new LineReader(server.bounds.messageBytes);
  }

  /** Why this server terminated the program; `undefined` if it did not. */
  get termination(): ProgramTerminatedError | undefined {
    return this.#termination;
  }

  /** How the program ended; `undefined` while it runs. */
  get exit(): string | undefined {
    return this.#exit;
  }

  start(): Promise<void> {
    const { command, args, env, cwd, user } = this.#server;
    const child = spawn(command, [...args], {
      env: { ...env },
      cwd,
      ...user,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.#meters = [this.#meterOutput(child.stdout), this.#meterErrors(child.stderr)];
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once('spawn', () => {
        const unregister = killOnExit(child);
        this.#exitPromise = new Promise((resolveExited) => {
          // Not "close": processes that the program started may keep its output open.
          child.once('exit', (code, signal) => {
            this.#exit = signal === null ? `The program ended with exit code ${code}.` : `${signal} ended the program.`;
            signalGroup(child, 'SIGKILL');
            unregister();
            resolveExited();
            this.#reportEndAfterOutput();
          });
        });
        resolve();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable || this.#termination !== undefined)
      return Promise.reject(this.#termination ?? new Error('Not connected'));
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      this.#terminate(`it left more than ${MAX_UNREAD_BYTES} bytes of its input unread`);
      return Promise.reject(this.#termination ?? new Error('Not connected'));
    }
    this.#trackRequest(message);
    return new Promise((resolve, reject) =>
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Requests the end of the program by closing its input (MCP 2025-06-18, "Shutdown"), and then forces it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return this.#reportEnd?.();
    child.stdin.end();
    const terminate = setTimeout(() => signalGroup(child, 'SIGTERM'), GRACE_MS);
    const kill = setTimeout(() => signalGroup(child, 'SIGKILL'), 2 * GRACE_MS);
    await this.#exitPromise;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  /** Reports the end of the program after its remaining output, which may contain the response to a request. */
  #reportEndAfterOutput(): void {
    const timer = setTimeout(() => this.#reportEnd?.(), LAST_OUTPUT_MS);
    this.#reportEnd = () => {
      this.#reportEnd = undefined;
      clearTimeout(timer);
      for (const meter of this.#meters) meter.stop();
      this.onclose?.();
    };
    if (this.#isClosing || this.#hasOutputEnded || this.#termination !== undefined) this.#reportEnd();
  }

  #meterOutput(stdout: Readable): MeteredStream {
    const { bytesPerSecond, messagesPerSecond, patienceMs } = this.#server.bounds;
    const otherLinesPerSecond = messagesPerSecond * OTHER_LINES_PER_MESSAGE;
    const limits = {
      bytes: `${bytesPerSecond} bytes per second to its standard output (Output:BytesPerSecond)`,
      messages: `${messagesPerSecond} messages per second (Output:MessagesPerSecond)`,
      others: `${otherLinesPerSecond} lines per second to its standard output that are not messages (${OTHER_LINES_PER_MESSAGE} times Output:MessagesPerSecond)`,
    };
    return new MeteredStream(
      stdout,
      { bytesPerSecond, messagesPerSecond, otherLinesPerSecond, patienceMs },
      {
        take: (chunk) => this.#lines.push(chunk),
        consumeLine: () => this.#consumeLine(),
        onFlood: (bound, isNoise) => {
          // Other output must not prevent a pending response. The time limit of the call applies.
          if (isNoise && this.#pendingIds.size > 0) return true;
          this.#terminate(`for ${patienceMs / 1_000} s it wrote more than ${limits[bound]}`);
          return false;
        },
        onEnd: () => {
          this.#consumeRest();
          this.#hasOutputEnded = true;
          this.#reportEnd?.();
        },
      },
    );
  }

  #meterErrors(stderr: Readable): MeteredStream {
    const { stderrBytesPerSecond, patienceMs } = this.#server.bounds;
    const decoder = new TextDecoder();
    return new MeteredStream(
      stderr,
      {
        bytesPerSecond: stderrBytesPerSecond,
        messagesPerSecond: Number.POSITIVE_INFINITY,
        otherLinesPerSecond: Number.POSITIVE_INFINITY,
        patienceMs,
      },
      {
        take: (chunk) => this.#server.onStderr(decoder.decode(chunk, { stream: true })),
        consumeLine: () => undefined,
        onFlood: () => {
          this.#terminate(
            `for ${patienceMs / 1_000} s it wrote more than ${stderrBytesPerSecond} bytes per second to its standard error (Output:StderrBytesPerSecond)`,
          );
          return false;
        },
      },
    );
  }

  #consumeLine(): LineKind | undefined {
    const next = this.#batch.next();
    if (next.done !== true) return this.#handleMessage(next.value);
    try {
      // Some programs start with a byte-order mark.
      const line = this.#lines.next()?.trimStart();
      if (line === undefined) return undefined;
      if (startsLikeMessage(line)) {
        this.#batch = toMessages(tryParseJson(line)).values();
        return this.#handleMessage(this.#batch.next().value, line);
      }
      this.#server.onNoise(line);
      return 'other';
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.#terminate(
        `it wrote a message of more than ${this.#server.bounds.messageBytes} bytes (Output:MessageBytes)`,
      );
      return undefined;
    }
  }

  /**
   * Handles the last line if it is a message without a line end. Any other text is not logged, because it may break off
   * within a secret.
   */
  #consumeRest(): void {
    const line = this.#lines.rest().trimStart();
    if (!startsLikeMessage(line)) return;
    for (const each of toMessages(tryParseJson(line))) if (toMessage(each) !== undefined) this.#handleMessage(each);
  }

  /**
   * Handles one message.
   *
   * @param line the line to log if the value is not a message
   */
  #handleMessage(value: unknown, line?: string): LineKind {
    const message = toMessage(value);
    // It is unknown to which message an error without an id belongs.
    if (message === undefined || isErrorWithoutId(message)) {
      this.#server.onNoise(line ?? 'a batch with an item that is not a message');
      return 'broken';
    }
    // As in the SDK, a string id may stand for the number of the request.
    if (!('method' in message)) this.#pendingIds.delete(Number(message.id));
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    return 'message';
  }

  /** Adds a request to the pending ones, and removes a cancelled request. */
  #trackRequest(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#pendingIds.add(Number(message.id));
    if (message.method === 'notifications/cancelled') this.#pendingIds.delete(Number(message.params?.['requestId']));
  }

  /** Terminates the program because it exceeded a limit, and ignores its further output. */
  #terminate(reason: string): void {
    const child = this.#child;
    if (child === undefined || this.#termination !== undefined || !isRunning(child)) return;
    this.#termination = new ProgramTerminatedError(reason);
    for (const meter of this.#meters) meter.stop();
    signalGroup(child, 'SIGTERM');
    const kill = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
    void this.#exitPromise.then(() => clearTimeout(kill));
  }
}

function isRunning(child: Program): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function signalGroup(child: Program, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The process group is empty.
  }
}
