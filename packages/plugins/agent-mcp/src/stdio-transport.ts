import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineReader, LineTooLong } from './line-reader.js';
import { MeteredStream } from './metered-stream.js';
import type { OutputBounds } from './output-bounds.js';
import { dieWithUs } from './process-groups.js';
import { ProgramEnded } from './program-ended.js';

/** Lines that are no messages, such as of a program that logs on its standard output. */
const MAX_BROKEN = 100;
/** What the program has not read of its input, in bytes: it may ask without end, and each request is answered. */
const MAX_UNREAD = 8_388_608;
const GRACE_MS = 2_000;

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
  #broken = 0;
  #ended: ProgramEnded | undefined;

  constructor(server: StdioServer) {
    this.#server = server;
    this.#lines = new LineReader(server.bounds.messageBytes);
  }

  /** Why the program was ended; `undefined` where it was not. */
  get ended(): ProgramEnded | undefined {
    return this.#ended;
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
        const release = dieWithUs(child);
        this.#gone = new Promise((gone) => {
          // Not "close": something that it started may hold its output.
          child.once('exit', () => {
            endGroup(child, 'SIGKILL');
            for (const meter of this.#meters) meter.stop();
            release();
            gone();
            this.onclose?.();
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
    return new Promise((resolve, reject) =>
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Asks the program to end by the end of its input (MCP 2025-06-18, "Shutdown"), and then makes it. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return;
    child.stdin.end();
    const terminate = setTimeout(() => endGroup(child, 'SIGTERM'), GRACE_MS);
    const kill = setTimeout(() => endGroup(child, 'SIGKILL'), 2 * GRACE_MS);
    await this.#gone;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  #meterOutput(stdout: Readable): MeteredStream {
    const { bytesPerSecond, messagesPerSecond, patienceMs } = this.#server.bounds;
    const most = {
      bytes: `${bytesPerSecond} bytes a second to its standard output (Output:BytesPerSecond)`,
      messages: `${messagesPerSecond} messages a second (Output:MessagesPerSecond)`,
    };
    return new MeteredStream(
      stdout,
      { bytesPerSecond, messagesPerSecond, patienceMs },
      {
        take: (chunk) => this.#lines.push(chunk),
        useOne: () => this.#useLine(),
        onFlood: (bound) => this.#end(`for ${patienceMs / 1_000} s it wrote more than ${most[bound]}`),
      },
    );
  }

  #meterErrors(stderr: Readable): MeteredStream {
    const { stderrBytesPerSecond, patienceMs } = this.#server.bounds;
    const decoder = new TextDecoder();
    return new MeteredStream(
      stderr,
      { bytesPerSecond: stderrBytesPerSecond, messagesPerSecond: Number.POSITIVE_INFINITY, patienceMs },
      {
        take: (chunk) => this.#server.onStderr(decoder.decode(chunk, { stream: true })),
        useOne: () => false,
        onFlood: () =>
          this.#end(
            `for ${patienceMs / 1_000} s it wrote more than ${stderrBytesPerSecond} bytes a second to its standard error (Output:StderrBytesPerSecond)`,
          ),
      },
    );
  }

  #useLine(): boolean {
    try {
      const line = this.#lines.next();
      if (line === undefined) return false;
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      if (error instanceof LineTooLong) {
        this.#end(`it wrote a message of more than ${this.#server.bounds.messageBytes} bytes (Output:MessageBytes)`);
        return false;
      }
      this.#broken += 1;
      if (this.#broken > MAX_BROKEN)
        this.#end(`it wrote more than ${MAX_BROKEN} lines to its standard output that are no messages`);
      else this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
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
