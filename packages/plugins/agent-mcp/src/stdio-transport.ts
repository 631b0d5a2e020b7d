import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { beginsAsMessage, LineReader, LineTooLong } from './line-reader.js';
import { MeteredStream, type Used } from './metered-stream.js';
import type { OutputBounds } from './output-bounds.js';
import { killOnExit } from './process-groups.js';
import { ProgramEnded } from './program-ended.js';
import { asMessage, isErrorWithoutId, messagesOf, parsed } from './read-message.js';

/** Lines that are no messages, such as of a program that logs on its standard output, for each message that it may send. */
const OTHERS_PER_MESSAGE = 100;
/** What the program has not read of its input, in bytes: it may ask without end, and each request is answered. */
const MAX_UNREAD = 8_388_608;
const GRACE_MS = 2_000;
/** How long the output of a program is read after its end: what it has started may hold it open. */
const LAST_OUTPUT_MS = 2_000;

/** How a program is started. */
export interface ProgramStart {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** Another user than that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface StdioServer extends ProgramStart {
  readonly bounds: OutputBounds;
  /** What the program writes to its standard error. */
  onStderr(chunk: string): void;
  /** A line of its standard output that is no message. */
  onNoise(line: string): void;
}

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * MCP with a program on its standard input and output, as the SDK's own transport has it, with these differences: the
 * program gets no environment that is not its own; it and all that it starts are one process group that ends as a whole; it
 * is read no faster than its bounds, and is ended where it stays at one of them.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: StdioServer;
  readonly #lines: LineReader;
  #child: Program | undefined;
  #meters: readonly MeteredStream[] = [];
  #gone: Promise<void> = Promise.resolve();
  #ended: ProgramEnded | undefined;
  #exit: string | undefined;
  #isClosing = false;
  #hasOutputEnded = false;
  /** Tells of its end, once it has ended and its last output is still read. */
  #tellEnd: (() => void) | undefined;
  /** What it was asked and has not answered. */
  readonly #open = new Set<number>();
  /** The messages of a batch that are not used yet: each counts. */
  #batch: Iterator<unknown> = [].values();

  constructor(server: StdioServer) {
    this.#server = server;
    this.#lines = new LineReader(server.bounds.messageBytes);
  }

  /** Why the program was ended; `undefined` where it was not. */
  get ended(): ProgramEnded | undefined {
    return this.#ended;
  }

  /** How it ended by itself; `undefined` while it runs. */
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
        const release = killOnExit(child);
        this.#gone = new Promise((gone) => {
          // Not "close": something that it started may hold its output.
          child.once('exit', (code, signal) => {
            this.#exit = signal === null ? `The program ended with exit code ${code}.` : `${signal} ended the program.`;
            endGroup(child, 'SIGKILL');
            release();
            gone();
            this.#endWithOutput();
          });
        });
        resolve();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable || this.#ended !== undefined)
      return Promise.reject(this.#ended ?? new Error('Not connected'));
    if (stdin.writableLength > MAX_UNREAD) {
      this.#end(`it left more than ${MAX_UNREAD} bytes of its input unread`);
      return Promise.reject(this.#ended ?? new Error('Not connected'));
    }
    this.#note(message);
    return new Promise((resolve, reject) =>
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Asks the program to end by the end of its input (MCP 2025-06-18, "Shutdown"), and then makes it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return this.#tellEnd?.();
    child.stdin.end();
    const terminate = setTimeout(() => endGroup(child, 'SIGTERM'), GRACE_MS);
    const kill = setTimeout(() => endGroup(child, 'SIGKILL'), 2 * GRACE_MS);
    await this.#gone;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  /** Tells that the program has ended, after what it has written before: that may be the response to a request. */
  #endWithOutput(): void {
    const timer = setTimeout(() => this.#tellEnd?.(), LAST_OUTPUT_MS);
    this.#tellEnd = () => {
      this.#tellEnd = undefined;
      clearTimeout(timer);
      for (const meter of this.#meters) meter.stop();
      this.onclose?.();
    };
    if (this.#isClosing || this.#hasOutputEnded || this.#ended !== undefined) this.#tellEnd();
  }

  #meterOutput(stdout: Readable): MeteredStream {
    const { bytesPerSecond, messagesPerSecond, patienceMs } = this.#server.bounds;
    const othersPerSecond = messagesPerSecond * OTHERS_PER_MESSAGE;
    const most = {
      bytes: `${bytesPerSecond} bytes a second to its standard output (Output:BytesPerSecond)`,
      messages: `${messagesPerSecond} messages a second (Output:MessagesPerSecond)`,
      others: `${othersPerSecond} lines a second to its standard output that are no messages (${OTHERS_PER_MESSAGE} times Output:MessagesPerSecond)`,
    };
    return new MeteredStream(
      stdout,
      { bytesPerSecond, messagesPerSecond, othersPerSecond, patienceMs },
      {
        take: (chunk) => this.#lines.push(chunk),
        useOne: () => this.#useLine(),
        onFlood: (bound, isNoise) => {
          // What it prints beside its messages takes nobody's answer away. The time of the call bounds that.
          if (isNoise && this.#open.size > 0) return true;
          this.#end(`for ${patienceMs / 1_000} s it wrote more than ${most[bound]}`);
          return false;
        },
        onEnd: () => {
          this.#useRest();
          this.#hasOutputEnded = true;
          this.#tellEnd?.();
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
        othersPerSecond: Number.POSITIVE_INFINITY,
        patienceMs,
      },
      {
        take: (chunk) => this.#server.onStderr(decoder.decode(chunk, { stream: true })),
        useOne: () => undefined,
        onFlood: () => {
          this.#end(
            `for ${patienceMs / 1_000} s it wrote more than ${stderrBytesPerSecond} bytes a second to its standard error (Output:StderrBytesPerSecond)`,
          );
          return false;
        },
      },
    );
  }

  #useLine(): Used | undefined {
    const next = this.#batch.next();
    if (next.done !== true) return this.#useMessage(next.value);
    try {
      // Some programs begin with a byte-order mark.
      const line = this.#lines.next()?.trimStart();
      if (line === undefined) return undefined;
      if (beginsAsMessage(line)) {
        this.#batch = messagesOf(parsed(line)).values();
        return this.#useMessage(this.#batch.next().value, line);
      }
      this.#server.onNoise(line);
      return 'other';
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      this.#end(`it wrote a message of more than ${this.#server.bounds.messageBytes} bytes (Output:MessageBytes)`);
      return undefined;
    }
  }

  /** The last line may have no end. What is no message is not logged: it may break off within a secret. */
  #useRest(): void {
    const line = this.#lines.rest().trimStart();
    if (!beginsAsMessage(line)) return;
    for (const each of messagesOf(parsed(line))) if (asMessage(each) !== undefined) this.#useMessage(each);
  }

  /** @param line that is logged if the value is no message */
  #useMessage(value: unknown, line?: string): Used {
    const message = asMessage(value);
    // Which of all that it was sent an error without an id is about, nobody knows.
    if (message === undefined || isErrorWithoutId(message)) {
      this.#server.onNoise(line ?? 'a batch with what is no message');
      return 'broken';
    }
    // As the SDK takes it, a text may be the number that was asked with.
    if (!('method' in message)) this.#open.delete(Number(message.id));
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    return 'message';
  }

  /** Notes what it is asked, and what it need not answer any more. */
  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#open.add(Number(message.id));
    if (message.method === 'notifications/cancelled') this.#open.delete(Number(message.params?.['requestId']));
  }

  /** Ends the program because of what it does. It is not heard any more. */
  #end(reason: string): void {
    const child = this.#child;
    if (child === undefined || this.#ended !== undefined || !isRunning(child)) return;
    this.#ended = new ProgramEnded(reason);
    for (const meter of this.#meters) meter.stop();
    endGroup(child, 'SIGTERM');
    const kill = setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS);
    void this.#gone.then(() => clearTimeout(kill));
  }
}

function isRunning(child: Program): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function endGroup(child: Program, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // There is nobody left in the group.
  }
}
